# Boards behind scripts of the user's, and boards that lie.
if(TARGET benchmatrix)
	bm_e2e(command_agent TIMEOUT 600 OWN)
	bm_e2e(hostile_boards TIMEOUT 600 OWN)
endif()
