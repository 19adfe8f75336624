# Importers: numbers, lines and names, then every format over extracts with values worked out by hand.
set(import_sees import select base schema)
foreach(name numbers patterns reader names wolfssl openssl cryptopp libraries kems json extracts cuts)
	bm_unit(test_import_${name} SEES ${import_sees} LIBS m)
	target_include_directories(test_import_${name} PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../fixtures)
endforeach()
foreach(name document published tool_intake)
	bm_unit(test_${name} SEES ${import_sees} LIBS m)
endforeach()

add_executable(fuzz_import ${CMAKE_CURRENT_LIST_DIR}/../fuzz/fuzz_import.c ${CMAKE_CURRENT_LIST_DIR}/../fuzz/fuzz_driver.c)
bm_sees(fuzz_import ${import_sees})
target_link_libraries(fuzz_import PRIVATE PkgConfig::GLIB)
add_test(NAME unit.fuzz_import COMMAND fuzz_import -m 20 ${CMAKE_CURRENT_LIST_DIR}/../corpora/import)
set_tests_properties(unit.fuzz_import PROPERTIES LABELS unit TIMEOUT 300)
# About a minute of CPU each.
add_test(NAME long.fuzz_import COMMAND fuzz_import -m 100 ${CMAKE_CURRENT_LIST_DIR}/../corpora/import)
add_test(NAME long.fuzz_wire COMMAND fuzz_wire -m 5000 ${CMAKE_CURRENT_LIST_DIR}/../fuzz/corpus_wire)
set_tests_properties(long.fuzz_import long.fuzz_wire PROPERTIES LABELS long TIMEOUT 900)
# A minute of CPU for each importer, the choice of one, and the wire, with Clang and libFuzzer.
add_test(NAME long.libfuzzer
	COMMAND python3 -B ${CMAKE_CURRENT_LIST_DIR}/../fuzz/long.py 60 ${CMAKE_BINARY_DIR}/libfuzzer)
set_tests_properties(long.libfuzzer PROPERTIES LABELS long TIMEOUT 5400)

# For tests/bench/import/speed.py.
add_executable(import_bench EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/../bench/import/import_bench.c)
bm_sees(import_bench ${import_sees})
target_link_libraries(import_bench PRIVATE PkgConfig::GLIB m)
