# The report in a real browser: test_report.py.
add_executable(report_nights EXCLUDE_FROM_ALL browser/report_nights.c bench/store/night.c)
bm_sees(report_nights compare store import select base schema)
target_link_libraries(report_nights PRIVATE PkgConfig::GLIB PkgConfig::SQLITE m)
target_include_directories(report_nights PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../bench/store)
add_test(NAME browser.nights COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target report_nights)
set_tests_properties(browser.nights PROPERTIES LABELS "browser;long" TIMEOUT 900 FIXTURES_SETUP report_nights)
add_test(NAME browser.report COMMAND /usr/bin/python3 ${CMAKE_CURRENT_LIST_DIR}/test_report.py
	${CMAKE_BINARY_DIR}/bin/benchmatrix ${CMAKE_BINARY_DIR}/tests/report_nights)
set_tests_properties(browser.report PROPERTIES LABELS "browser;long" TIMEOUT 1800 FIXTURES_REQUIRED report_nights)
