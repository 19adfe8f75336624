if(TARGET benchmatrix)
	# What must never break; all eight took 527 s beside others.
	bm_e2e(nightly TIMEOUT 1800 OWN
		TESTS Nightly.test_alarms_once_and_names_the_commit Nightly.test_compiler_is_told_and_the_library_is_not_blamed
			Nightly.test_usage_is_refused_before_anything_runs)
	bm_e2e(nightly_whole SCRIPT nightly TIMEOUT 3600 OWN LABELS long)
	bm_e2e(nightly_wolfssl TIMEOUT 3600 LABELS long)
endif()
