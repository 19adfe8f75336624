# A part of the program itself, without the rest of it.
bm_unit(test_changes SEES render compare store import select schema base)
target_sources(test_changes PRIVATE ${CMAKE_SOURCE_DIR}/runner/cmd/changes.c ${CMAKE_SOURCE_DIR}/runner/cmd/print.c)
target_include_directories(test_changes PRIVATE ${CMAKE_SOURCE_DIR}/runner/cmd)
bm_unit(test_duel SEES plan matrix catalog agents compare store import select schema base LIBS PkgConfig::JANSSON m)
target_sources(test_duel PRIVATE ${CMAKE_SOURCE_DIR}/runner/cmd/duel.c ${CMAKE_SOURCE_DIR}/runner/cmd/duel_side.c)
target_include_directories(test_duel PRIVATE ${CMAKE_SOURCE_DIR}/runner/cmd ${CMAKE_CURRENT_LIST_DIR}/../fixtures)
