/* The words of the wire format (wire.md), shared by bench-core, which writes them, and results/import, which
 * reads them. C99, no includes: it must compile for any target. */
#ifndef BM_WIRE_H
#define BM_WIRE_H

#define WIRE_VERSION 1

/* The longest line that a writer may write and a reader takes, its newline included. */
#define WIRE_LINE_MAX 65536

/* Markers around a counted region: write(WIRE_MARKER_FD, (void *)WIRE_MARKER_MAGIC,
 * WIRE_MARKER_BEGIN(region)). The descriptor is never open, so the call fails with EBADF and has no effect
 * but to be seen by the emulator's plugin. */
#define WIRE_MARKER_FD		  (-1)
#define WIRE_MARKER_MAGIC	  0x42454e43
#define WIRE_MARKER_BEGIN(region) (((region) << 1) | 1)
#define WIRE_MARKER_END(region)	  ((region) << 1)
#define WIRE_REGION_MAX		  0xffff

#endif
