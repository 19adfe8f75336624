/* The formats; each is one file. */
#ifndef BM_RENDERERS_H
#define BM_RENDERERS_H

#include "table.h"

extern const struct renderer renderer_terminal;
extern const struct renderer renderer_markdown;
extern const struct renderer renderer_csv;
extern const struct renderer renderer_json;

#endif
