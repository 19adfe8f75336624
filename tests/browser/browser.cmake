# The report in a real browser: test_report.py and test_hostile.py.
add_executable(report_nights EXCLUDE_FROM_ALL browser/report_nights.c bench/store/night.c)
bm_sees(report_nights compare store import select base schema)
target_link_libraries(report_nights PRIVATE PkgConfig::GLIB PkgConfig::SQLITE m)
target_include_directories(report_nights PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../bench/store)
target_compile_definitions(report_nights PRIVATE NIGHT_CELLS=300 NIGHT_BLOCKS=1)
add_executable(report_hostile EXCLUDE_FROM_ALL browser/report_hostile.c)
bm_sees(report_hostile store import select base schema)
target_link_libraries(report_hostile PRIVATE PkgConfig::GLIB m)
target_include_directories(report_hostile PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../fixtures)
add_test(NAME browser.databases
	COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target report_nights report_hostile)
set_tests_properties(browser.databases PROPERTIES LABELS "browser;long" TIMEOUT 900 FIXTURES_SETUP report_databases)
foreach(test report hostile)
	add_test(NAME browser.${test} COMMAND /usr/bin/python3 ${CMAKE_CURRENT_LIST_DIR}/test_${test}.py
		${CMAKE_BINARY_DIR}/bin/benchmatrix ${CMAKE_BINARY_DIR}/tests)
	set_tests_properties(browser.${test} PROPERTIES LABELS "browser;long" TIMEOUT 3600 FIXTURES_REQUIRED report_databases)
endforeach()
