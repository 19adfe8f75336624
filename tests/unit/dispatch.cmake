foreach(test test_spool test_course)
	bm_unit(${test} SEES dispatch agents import select schema base LIBS m)
endforeach()

foreach(test test_strangers test_conditions)
	bm_unit(${test} SEES dispatch agents import select store schema base LIBS m)
endforeach()
target_include_directories(test_strangers PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../fixtures)

# Whole runs on the fake agent.
set(dispatch_sees dispatch build plan matrix catalog agents select import store schema base)
foreach(test test_dispatch test_dispatch_absent test_dispatch_deaths test_dispatch_lost test_dispatch_pairs test_dispatch_resume test_dispatch_stop)
	bm_unit(${test} SEES ${dispatch_sees} LIBS PkgConfig::SQLITE m)
	target_compile_definitions(${test} PRIVATE SUPERVISOR="$<TARGET_FILE:bm-supervise>")
	target_include_directories(${test} PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../fixtures)
	add_dependencies(${test} bm-supervise bm-play)
endforeach()

bm_unit(test_stripped SEES dispatch agents import select schema base LIBS m)
target_compile_definitions(test_stripped PRIVATE SUPERVISOR="$<TARGET_FILE:bm-supervise>" VICTIM="$<TARGET_FILE:base_victim>")
add_dependencies(test_stripped bm-supervise base_victim)
