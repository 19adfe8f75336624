bm_unit(test_dispatch SEES dispatch build plan matrix catalog agents select import store schema base LIBS PkgConfig::SQLITE m)
target_compile_definitions(test_dispatch PRIVATE SUPERVISOR="$<TARGET_FILE:bm-supervise>")
target_include_directories(test_dispatch PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../fixtures)
add_dependencies(test_dispatch bm-supervise bm-play)
