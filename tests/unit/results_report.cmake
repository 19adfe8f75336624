bm_unit(test_report SEES base schema select import store compare history render report LIBS PkgConfig::JANSSON m)
target_include_directories(test_report PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../fixtures)
