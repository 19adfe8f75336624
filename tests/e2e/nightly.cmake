if(TARGET benchmatrix)
	bm_e2e(nightly TIMEOUT 1800 OWN)
	bm_e2e(nightly_wolfssl TIMEOUT 3600 LABELS long)
endif()
