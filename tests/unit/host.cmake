bm_unit(test_host_settings SEES dispatch base LIBS PkgConfig::JANSSON)
