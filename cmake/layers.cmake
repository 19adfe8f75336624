# The house: a folder is a target whose include path lists just what it may see.
#
#   bm_layer(NAME SOURCES file.c... SEES layer... [LIBS imported-target...])
#
# NAME becomes the static library bm_NAME. Its sources can include headers of its own folder and of the
# layers in SEES, and of nothing else: an include of a layer above does not compile. File names are
# unique across the tree, so that an include names one file.

find_package(PkgConfig REQUIRED)
pkg_check_modules(GLIB REQUIRED IMPORTED_TARGET glib-2.0>=2.74)
pkg_check_modules(GIO REQUIRED IMPORTED_TARGET gio-2.0 gio-unix-2.0)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson>=2.14)
pkg_check_modules(CURL REQUIRED IMPORTED_TARGET libcurl>=7.85)
# Hashes files several times as fast as GLib does: compilers, programs and source trees are hashed at every start.
pkg_check_modules(NETTLE REQUIRED IMPORTED_TARGET nettle>=3.8)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3>=3.40)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(LIBELF REQUIRED IMPORTED_TARGET libelf)

set(BM_WARNINGS -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2
	-Wpointer-arith -Wundef -Wwrite-strings)
add_compile_options(${BM_WARNINGS} "$<$<BOOL:${BM_WERROR}>:-Werror>" -D_GNU_SOURCE -fno-common
	# Otherwise an assertion that names a source file carries the folder that it was built in.
	-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=)
if(BM_SANITIZE)
	add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
	add_link_options(-fsanitize=address,undefined)
endif()

function(bm_layer name)
	cmake_parse_arguments(arg "" "" "SOURCES;SEES;LIBS" ${ARGN})
	add_library(bm_${name} STATIC ${arg_SOURCES})
	target_include_directories(bm_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR})
	set_property(TARGET bm_${name} PROPERTY BM_FOLDER ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR})
	bm_sees(bm_${name} ${arg_SEES})
	target_link_libraries(bm_${name} PRIVATE PkgConfig::GLIB ${arg_LIBS})
endfunction()

# Lets a target include and link the named layers. Link order follows; include paths do not: each target names
# every layer that it includes.
function(bm_sees target)
	foreach(layer IN LISTS ARGN)
		target_include_directories(${target} PRIVATE $<TARGET_PROPERTY:bm_${layer},BM_FOLDER>)
		target_link_libraries(${target} PRIVATE bm_${layer})
	endforeach()
endfunction()
