if(TARGET benchmatrix)
	bm_e2e(tls TIMEOUT 600)
	bm_e2e(tls_wolfssl TIMEOUT 3600 LABELS long)
endif()
