#include "cksum.h"

#define POLYNOMIAL UINT32_C(0x04c11db7)

static uint32_t add(uint32_t crc, uint8_t byte)
{
	crc ^= (uint32_t)byte << 24;
	for (int bit = 0; bit < 8; bit++)
		crc = crc << 1 ^ (crc >> 31 ? POLYNOMIAL : 0);
	return crc;
}

uint32_t cksum_of(const void *bytes, gsize length)
{
	uint32_t crc = 0;

	for (gsize i = 0; i < length; i++)
		crc = add(crc, ((const uint8_t *)bytes)[i]);
	for (; length; length >>= 8)
		crc = add(crc, length & 0xff);
	return ~crc;
}
