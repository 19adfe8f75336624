# End-to-end tests on real wolfSSL, compilers and QEMU. They share one cache: the first builds, the others find.
function(bm_e2e name)
	cmake_parse_arguments(arg "" "TIMEOUT" "LABELS" ${ARGN})
	add_test(NAME e2e.${name} COMMAND python3 -B ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/test_${name}.py)
	set_tests_properties(e2e.${name} PROPERTIES
		LABELS "e2e;${arg_LABELS}"
		TIMEOUT ${arg_TIMEOUT}
		ENVIRONMENT "BM_PROGRAM=$<TARGET_FILE:benchmatrix>;BM_SOURCE=${CMAKE_SOURCE_DIR};BM_WORK=${CMAKE_BINARY_DIR}/e2e")
	if(name STREQUAL quick)
		set_tests_properties(e2e.${name} PROPERTIES FIXTURES_SETUP quick)
	else()
		set_tests_properties(e2e.${name} PROPERTIES FIXTURES_REQUIRED quick)
	endif()
endfunction()

if(TARGET benchmatrix)
	bm_e2e(quick TIMEOUT 1800)
	bm_e2e(commands TIMEOUT 300)
	bm_e2e(bad_input TIMEOUT 900)
	bm_e2e(counts TIMEOUT 300)
	bm_e2e(cache TIMEOUT 600)
	bm_e2e(keys TIMEOUT 600)
	bm_e2e(trees TIMEOUT 600)
	bm_e2e(known TIMEOUT 900)
	bm_e2e(sources TIMEOUT 300)
	bm_e2e(wrong_answer TIMEOUT 900)
	bm_e2e(openssl TIMEOUT 900)
	bm_e2e(mips TIMEOUT 1500 LABELS long)
endif()
