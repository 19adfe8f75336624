bm_unit(test_export SEES export compare store import select base schema LIBS PkgConfig::JANSSON PkgConfig::ZLIB m)
target_include_directories(test_export PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../fixtures)
