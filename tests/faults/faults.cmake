# The program under faults, in a world of its own with a library in small: kills, power cuts, full disks, hostile compilers and emulators.
function(bm_fault name)
	cmake_parse_arguments(arg "" "TIMEOUT;CASE" "LABELS" ${ARGN})
	add_test(NAME faults.${name} COMMAND python3 -B ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/test_${name}.py ${arg_CASE})
	set_tests_properties(faults.${name} PROPERTIES
		LABELS "faults;${arg_LABELS}"
		TIMEOUT ${arg_TIMEOUT}
		SKIP_RETURN_CODE 77
		ENVIRONMENT "BM_PROGRAM=$<TARGET_FILE:benchmatrix>;BM_SOURCE=${CMAKE_SOURCE_DIR};BM_WORK=${CMAKE_BINARY_DIR}/faults")
endfunction()

if(TARGET benchmatrix)
	bm_fault(kills TIMEOUT 300)
	bm_fault(signals TIMEOUT 300)
	bm_fault(places TIMEOUT 300)
	bm_fault(strangers TIMEOUT 300)
	bm_fault(many_kills TIMEOUT 3600 LABELS long)
endif()
