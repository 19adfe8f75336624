bm_unit(test_diag SEES base LIBS PkgConfig::GIO)
bm_unit(test_jsonx SEES base LIBS PkgConfig::JANSSON)
bm_unit(test_decimal SEES base LIBS m)
bm_unit(test_fsx SEES base)
bm_unit(test_fsx_hash SEES base)

# What the tests start: a program that does as it is told, and the supervisor with sanitizers where the build has them.
set(base ${CMAKE_CURRENT_LIST_DIR}/../../base)
add_executable(base_victim ${CMAKE_CURRENT_LIST_DIR}/../fixtures/base_victim.c)
target_compile_options(base_victim PRIVATE -fno-sanitize=all)
target_link_options(base_victim PRIVATE -fno-sanitize=all)
add_executable(base_supervise ${base}/supervise.c)
target_include_directories(base_supervise PRIVATE ${base})
foreach(test test_child test_child_tree)
	bm_unit(${test} SEES base)
	target_compile_definitions(${test} PRIVATE SUPERVISOR="$<TARGET_FILE:bm-supervise>"
		CHECKED_SUPERVISOR="$<TARGET_FILE:base_supervise>" VICTIM="$<TARGET_FILE:base_victim>")
	add_dependencies(${test} bm-supervise base_supervise base_victim)
endforeach()

bm_unit(test_http SEES base)
target_compile_definitions(test_http PRIVATE HTTP_MODULE_FILE="$<TARGET_FILE:bm-http>")
add_dependencies(test_http bm-http)
