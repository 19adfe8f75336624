bm_unit(test_history_splits SEES base schema select import store compare history LIBS m)
bm_unit(test_history SEES base schema select import store compare history LIBS m)
target_include_directories(test_history PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../fixtures)
