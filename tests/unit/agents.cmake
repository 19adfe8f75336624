# A plugin that does nothing, so that the agent is tried without the one that counts.
add_library(base_plugin MODULE ${CMAKE_CURRENT_LIST_DIR}/../fixtures/base_plugin.c)
target_compile_options(base_plugin PRIVATE -fno-sanitize=all)
target_link_options(base_plugin PRIVATE -fno-sanitize=all)

bm_unit(test_agents SEES agents base)
target_compile_definitions(test_agents PRIVATE SUPERVISOR="$<TARGET_FILE:bm-supervise>"
	VICTIM="$<TARGET_FILE:base_victim>" PLUGIN="$<TARGET_FILE:base_plugin>")
add_dependencies(test_agents bm-supervise bm-play base_victim base_plugin)
