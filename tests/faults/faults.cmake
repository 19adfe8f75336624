# The program under faults, in a world of its own with a library in small: kills, power cuts, full disks, hostile compilers and emulators.
function(bm_fault name script)
	cmake_parse_arguments(arg "" "TIMEOUT;ROUNDS" "LABELS" ${ARGN})
	add_test(NAME faults.${name} COMMAND python3 -B ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${script})
	set_tests_properties(faults.${name} PROPERTIES
		LABELS "faults;${arg_LABELS}"
		TIMEOUT ${arg_TIMEOUT}
		COST ${arg_TIMEOUT}
		ENVIRONMENT "BM_PROGRAM=$<TARGET_FILE:benchmatrix>;BM_SOURCE=${CMAKE_SOURCE_DIR};BM_WORK=${CMAKE_BINARY_DIR}/faults;BM_ROUNDS=${arg_ROUNDS}")
endfunction()

if(TARGET benchmatrix)
	bm_fault(short run_short.py TIMEOUT 900 ROUNDS 1)
	bm_fault(long run_short.py TIMEOUT 3600 ROUNDS 10 LABELS long)
	bm_fault(many_kills test_many_kills.py TIMEOUT 3600 ROUNDS 1 LABELS long)
endif()
