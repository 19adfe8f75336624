bm_unit(test_host_settings SEES dispatch base LIBS PkgConfig::JANSSON)
bm_unit(test_known SEES catalog base)
