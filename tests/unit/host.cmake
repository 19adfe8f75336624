bm_unit(test_host_settings SEES dispatch base LIBS PkgConfig::JANSSON)
bm_unit(test_known SEES catalog base)
bm_unit(test_store_twins SEES store import select base schema)
target_include_directories(test_store_twins PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../fixtures)
