# A part of the program itself, without the rest of it.
bm_unit(test_changes SEES render compare store import select schema base)
target_sources(test_changes PRIVATE ${CMAKE_SOURCE_DIR}/runner/cmd/changes.c ${CMAKE_SOURCE_DIR}/runner/cmd/print.c)
target_include_directories(test_changes PRIVATE ${CMAKE_SOURCE_DIR}/runner/cmd)
