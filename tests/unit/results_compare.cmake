set(render_sees base schema select import store compare render)
bm_unit(test_compare SEES ${render_sees} LIBS m)
bm_unit(test_scale SEES ${render_sees} LIBS m)
