bm_unit(test_catalog SEES catalog agents base)
bm_unit(test_matrix SEES matrix catalog agents schema base)
bm_unit(test_flags SEES plan matrix catalog agents base)
bm_unit(test_plan SEES plan matrix catalog agents base LIBS PkgConfig::JANSSON)

# The JSON schemas are held against every bundled file, where Python's jsonschema is there to do it.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
	add_test(NAME unit.bundled_files COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/unit/bundled_files.py ${CMAKE_SOURCE_DIR})
	set_tests_properties(unit.bundled_files PROPERTIES LABELS unit SKIP_RETURN_CODE 77 TIMEOUT 60)
endif()
