if(TARGET benchmatrix)
	bm_e2e(nightly TIMEOUT 900)
	bm_e2e(nightly_wolfssl TIMEOUT 3600 LABELS long)
endif()
