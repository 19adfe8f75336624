/* The numbered SQL of this folder, embedded by embed.cmake. */
#ifndef BM_SCHEMA_SQL_H
#define BM_SCHEMA_SQL_H

#include <stddef.h>

/* Marks a database as ours (PRAGMA application_id): "BMX1". */
#define SCHEMA_APPLICATION_ID 0x424d5831

extern const char *const schema_migrations[]; /* [0] leads from an empty database to version 1, and so on */
extern const size_t schema_version; /* how many there are: PRAGMA user_version of a current database */
extern const char schema_views[];   /* views.sql */

#endif
