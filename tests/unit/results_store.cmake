bm_unit(test_selector SEES select base schema)
bm_unit(test_wire_reader SEES import select base schema)
bm_unit(test_intake SEES import select base schema)
bm_unit(test_intake_processes SEES import select base schema)
foreach(name test_store test_store_results test_store_carry test_store_check test_store_resume test_store_document test_store_alias test_store_version3 test_migrations
	test_store_prune test_store_merge)
	bm_unit(${name} SEES store import select base schema LIBS PkgConfig::SQLITE)
	target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../fixtures)
endforeach()

# The fuzz target over its corpus and a few mutants of each file, so that it cannot rot; tests/fuzz/README.md says how to let it run.
add_executable(fuzz_wire ${CMAKE_CURRENT_LIST_DIR}/../fuzz/fuzz_wire.c ${CMAKE_CURRENT_LIST_DIR}/../fuzz/fuzz_driver.c)
bm_sees(fuzz_wire import select base schema)
target_link_libraries(fuzz_wire PRIVATE PkgConfig::GLIB)
add_test(NAME unit.fuzz_wire COMMAND fuzz_wire -m 300 ${CMAKE_CURRENT_LIST_DIR}/../fuzz/corpus_wire
	${CMAKE_CURRENT_LIST_DIR}/../../schema/wire-example.jsonl)
set_tests_properties(unit.fuzz_wire PROPERTIES LABELS unit TIMEOUT 120)

# Rates, sizes and times of a database of years, by hand.
add_executable(store_bench EXCLUDE_FROM_ALL bench/store/store_bench.c bench/store/night.c)
bm_sees(store_bench compare store import select base schema)
target_link_libraries(store_bench PRIVATE PkgConfig::GLIB PkgConfig::SQLITE m)
