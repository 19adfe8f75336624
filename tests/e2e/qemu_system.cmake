if(TARGET benchmatrix)
	bm_e2e(cortex_m TIMEOUT 1800 OWN LABELS long)
endif()
