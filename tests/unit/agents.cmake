# A plugin that does nothing, so that the agent is tried without the one that counts.
add_library(base_plugin MODULE ${CMAKE_CURRENT_LIST_DIR}/../fixtures/base_plugin.c)
target_compile_options(base_plugin PRIVATE -fno-sanitize=all)
target_link_options(base_plugin PRIVATE -fno-sanitize=all)

foreach(test test_agents test_agents_file test_host_facts test_agent_qemu_user test_agent_ssh)
	bm_unit(${test} SEES agents base LIBS m)
	target_compile_definitions(${test} PRIVATE SUPERVISOR="$<TARGET_FILE:bm-supervise>"
		VICTIM="$<TARGET_FILE:base_victim>" PLUGIN="$<TARGET_FILE:base_plugin>")
	add_dependencies(${test} bm-supervise bm-play base_victim base_plugin)
endforeach()
# What the ssh agent's files share is tried as well.
target_include_directories(test_agent_ssh PRIVATE ${CMAKE_SOURCE_DIR}/agents/ssh)

# The schema of agents.json is held against its reader, where Python's jsonschema is there to do it.
add_executable(agents_verdicts unit/agents_verdicts.c)
bm_sees(agents_verdicts agents base)
target_link_libraries(agents_verdicts PRIVATE PkgConfig::GLIB m)
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
	add_test(NAME unit.agents_agree COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/unit/agents_agree.py ${CMAKE_SOURCE_DIR} $<TARGET_FILE:agents_verdicts>)
	set_tests_properties(unit.agents_agree PROPERTIES LABELS unit SKIP_RETURN_CODE 77 TIMEOUT 60)
endif()
