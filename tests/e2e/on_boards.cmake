# Boards behind scripts of the user's, and boards that lie.
if(TARGET benchmatrix)
	bm_e2e(command_agent TIMEOUT 600 OWN)
	bm_e2e(hostile_boards TIMEOUT 600 OWN)
	# A few boards at once; tests/bench/boards with 20 of them, and 2,000 cells, is for a quiet machine.
	if(EXISTS /usr/sbin/sshd)
		add_test(NAME e2e.many_boards COMMAND python3 -B ${CMAKE_SOURCE_DIR}/tests/bench/boards ${CMAKE_BINARY_DIR} 3 30 short)
		set_tests_properties(e2e.many_boards PROPERTIES LABELS e2e TIMEOUT 600 COST 600 ENVIRONMENT "BM_WORK=${CMAKE_BINARY_DIR}/e2e")
	endif()
endif()
