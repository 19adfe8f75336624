# Programs without an operating system: their lines' checks, the agent that runs them, and the port itself.
bm_unit(test_wire_check SEES import select base schema)

bm_unit(test_agent_qemu_system SEES agents base LIBS m)
target_compile_definitions(test_agent_qemu_system PRIVATE SUPERVISOR="$<TARGET_FILE:bm-supervise>" PLUGIN="$<TARGET_FILE:base_plugin>")
add_dependencies(test_agent_qemu_system bm-supervise base_plugin)

add_test(NAME unit.core_bare COMMAND /usr/bin/python3 ${CMAKE_CURRENT_LIST_DIR}/core_bare.py $<TARGET_FILE:bm-count>)
set_tests_properties(unit.core_bare PROPERTIES LABELS unit TIMEOUT 900 SKIP_RETURN_CODE 77)
