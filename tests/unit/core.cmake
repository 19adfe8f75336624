# bench-core with an adapter that needs no library, and the counter below the emulator.
get_property(core_sources GLOBAL PROPERTY BM_CORE_SOURCES)
get_property(core_includes GLOBAL PROPERTY BM_CORE_INCLUDES)
set(core_dir ${CMAKE_SOURCE_DIR}/bench-core/core)

add_executable(core_fake ${core_sources} fixtures/core_fake.c)
set_target_properties(core_fake PROPERTIES C_STANDARD 99)
target_compile_options(core_fake PRIVATE -U_GNU_SOURCE -Wconversion)
if(BM_SANITIZE)
	# The address sanitizer cannot follow a program onto a stack of its own.
	target_compile_options(core_fake PRIVATE -fno-sanitize=address)
	target_link_options(core_fake PRIVATE -fno-sanitize=address)
endif()
target_include_directories(core_fake PRIVATE ${core_includes})

file(GLOB counters CONFIGURE_DEPENDS ${core_dir}/counter*.c)
bm_unit(test_core_counters)
target_sources(test_core_counters PRIVATE ${counters} ${core_dir}/rate_file.c ${core_dir}/port_posix.c ${core_dir}/stack_paint.c)
target_include_directories(test_core_counters PRIVATE ${core_includes})

bm_unit(test_core_digests)
target_sources(test_core_digests PRIVATE ${core_dir}/sha256.c ${core_dir}/sha512.c ${core_dir}/hash_drbg.c ${core_dir}/seed_stream.c ${core_dir}/expected.c)
target_include_directories(test_core_digests PRIVATE ${core_includes})

bm_unit(test_core_parts)
target_sources(test_core_parts PRIVATE ${core_dir}/sha256.c ${core_dir}/seed_stream.c ${core_dir}/core_options.c
	${core_dir}/expected.c ${core_dir}/vectors.c ${core_dir}/room.c ${core_dir}/why.c ${core_dir}/answers.c ${core_dir}/measure.c
	${core_dir}/port_posix.c ${core_dir}/stack_paint.c ${counters} ${core_dir}/rate_file.c)
target_include_directories(test_core_parts PRIVATE ${core_includes})

bm_unit(test_core_tls)
target_sources(test_core_tls PRIVATE ${core_dir}/tls.c ${core_dir}/tls_wire.c ${core_dir}/tls_certs.c ${core_dir}/vectors.c
	${core_dir}/why.c)
target_include_directories(test_core_tls PRIVATE ${core_includes})

foreach(name test_core_program test_core_items)
	bm_unit(${name} LIBS PkgConfig::JANSSON)
	target_compile_definitions(${name} PRIVATE CORE_FAKE="$<TARGET_FILE:core_fake>")
	target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/schema)
	add_dependencies(${name} core_fake)
endforeach()

bm_unit(test_core_count LIBS PkgConfig::JANSSON)
target_compile_definitions(test_core_count PRIVATE PLUGIN="$<TARGET_FILE:bm-count>")
add_dependencies(test_core_count bm-count)

add_test(NAME unit.core_wraps COMMAND python3 -B ${CMAKE_CURRENT_LIST_DIR}/core_wraps.py ${CMAKE_SOURCE_DIR})
set_tests_properties(unit.core_wraps PROPERTIES LABELS unit TIMEOUT 60)
add_test(NAME unit.core_portable COMMAND ${CMAKE_CURRENT_LIST_DIR}/core_portable.py)
set_tests_properties(unit.core_portable PROPERTIES LABELS unit TIMEOUT 900 SKIP_RETURN_CODE 77)
