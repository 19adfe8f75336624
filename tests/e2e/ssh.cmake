# Boards: a real sshd on this machine.
if(TARGET benchmatrix)
	bm_e2e(ssh TIMEOUT 600 OWN)
	bm_e2e(boards TIMEOUT 600 OWN)
	bm_e2e(ssh_long TIMEOUT 1800 OWN SCRIPT ssh LABELS long)
	set_property(TEST e2e.ssh_long APPEND PROPERTY ENVIRONMENT "BM_LONG=1")
endif()
