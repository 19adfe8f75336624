# Boards behind scripts of the user's.
if(TARGET benchmatrix)
	bm_e2e(command_agent TIMEOUT 600 OWN)
endif()
