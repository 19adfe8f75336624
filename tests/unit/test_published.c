/* Every published figure, by its source: what was printed, and what that is in base units, worked out by
 * hand. */
#include "publication.h"

#include <glib/gstdio.h>
#include <string.h>

#define KIB  1024.0
#define MIB  1048576.0
#define K    1000.0
#define MS   1e-3
#define MEGA 1e6

struct row {
	const char *title; /* of the document, behind the publication's */
	const char *benchmark, *block, *engine, *async;
	enum metric metric;
	enum import_statistic statistic;
	double value;
	const char *printed, *unit;
};

/* clang-format off */
static const struct row rows[] = {
	/* CyaSSL on the Apple TV 2: "megs" and MB are MiB. Of two numbers the one with more digits is the figure. */
	{"Apple TV 2", "aes-128-cbc encrypt", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (9.99 * MIB), "9.99", "MB/s"},
	{"Apple TV 2", "arc4 encrypt", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (28.66 * MIB), "28.66", "MB/s"},
	{"Apple TV 2", "rabbit encrypt", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (39.56 * MIB), "39.56", "MB/s"},
	{"Apple TV 2", "md5 hash", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (30.73 * MIB), "30.73", "MB/s"},
	{"Apple TV 2", "sha-1 hash", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (36.61 * MIB), "36.61", "MB/s"},
	{"Apple TV 2", "sha-256 hash", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (16.20 * MIB), "16.20", "MB/s"},
	{"Apple TV 2", "3des-cbc encrypt", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 2.196 / (5 * MIB), "2.196", "seconds for 5 megs"},
	{"Apple TV 2", "rsa-1024 public", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1.12 * MS, "1.12", "milliseconds"},
	{"Apple TV 2", "rsa-1024 private", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 17.81 * MS, "17.81", "milliseconds"},
	{"Apple TV 2", "dh-1024 keygen", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 11.90 * MS, "11.90", "milliseconds"},
	{"Apple TV 2", "dh-1024 agree", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 11.22 * MS, "11.22", "milliseconds"},
	/* The sample of the benchmark program. */
	{"sample output", "aes-128-cbc encrypt", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (148.13 * MIB), "148.13", "MB/s"},
	{"sample output", "arc4 encrypt", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (312.54 * MIB), "312.54", "MB/s"},
	{"sample output", "hc-128 encrypt", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (1214.12 * MIB), "1214.12", "MB/s"},
	{"sample output", "rabbit encrypt", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (459.31 * MIB), "459.31", "MB/s"},
	{"sample output", "3des-cbc encrypt", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (21.48 * MIB), "21.48", "MB/s"},
	{"sample output", "md5 hash", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (464.68 * MIB), "464.68", "MB/s"},
	{"sample output", "sha-1 hash", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (278.27 * MIB), "278.27", "MB/s"},
	{"sample output", "sha-256 hash", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (124.32 * MIB), "124.32", "MB/s"},
	{"sample output", "rsa-1024 public", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 0.04 * MS, "0.04", "milliseconds"},
	{"sample output", "rsa-1024 private", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 0.45 * MS, "0.45", "milliseconds"},
	{"sample output", "dh-1024 keygen", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 0.21 * MS, "0.21", "milliseconds"},
	{"sample output", "dh-1024 agree", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 0.22 * MS, "0.22", "milliseconds"},
	/* mbed Cortex-M3, and the footprints. */
	{"mbed Cortex-M3", "rsa public", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 10 * MS, "10", "milliseconds"},
	{"mbed Cortex-M3", "rsa private", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 165 * MS, "165", "milliseconds"},
	{"mbed Cortex-M3, memory", "program size", NULL, NULL, NULL, METRIC_RAM, IMPORT_MEAN, 2048, "2.0", "kB"},
	{"mbed Cortex-M3, memory", "program size", NULL, NULL, NULL, METRIC_FLASH, IMPORT_MEAN, 65536, "64", "kB"},
	{"footprints", "library size", NULL, NULL, NULL, METRIC_FLASH, IMPORT_BEST, 30720, "30", "kB"},
	{"footprints", "library size", NULL, NULL, NULL, METRIC_FLASH, IMPORT_MEAN, 61440, "60", "kB"},
	{"footprints", "library size", NULL, NULL, NULL, METRIC_FLASH, IMPORT_WORST, 102400, "100", "kB"},
	{"footprints", "library size", NULL, NULL, NULL, METRIC_RAM, IMPORT_BEST, 3072, "3", "kB"},
	{"footprints", "library size", NULL, NULL, NULL, METRIC_RAM, IMPORT_MEAN, 3072, "3", "kB"},
	{"footprints", "library size", NULL, NULL, NULL, METRIC_RAM, IMPORT_WORST, 36864, "36", "kB"},
	{"footprints", "idle connection", NULL, NULL, NULL, METRIC_RAM, IMPORT_BEST, 4096, "4", "kB"},
	{"footprints", "idle connection", NULL, NULL, NULL, METRIC_RAM, IMPORT_WORST, 35840, "35", "kB"},
	{"footprints", "connection with 16 kB buffers", NULL, NULL, NULL, METRIC_RAM, IMPORT_MEAN, 35840, "35", "kB"},
	{"footprints", "session cache, reduced", NULL, NULL, NULL, METRIC_RAM, IMPORT_MEAN, 2560, "2.5", "kB"},
	{"footprints", "session cache, left out", NULL, NULL, NULL, METRIC_RAM, IMPORT_MEAN, 3072, "3", "kB"},
	/* iPhone X: wolfCrypt of the time prints MiB under the name MB. */
	{"armasm", "aes-128-cbc encrypt", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (912.347 * MIB), "912.347", "MB/s"},
	{"armasm", "aes-128-cbc encrypt", NULL, NULL, NULL, METRIC_SPEEDUP, IMPORT_MEAN, 36.58, "36.58", "X"},
	{"armasm", "aes-128-cbc decrypt", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (6084.83 * MIB), "6,084.83", "MB/s"},
	{"armasm", "aes-128-cbc decrypt", NULL, NULL, NULL, METRIC_SPEEDUP, IMPORT_MEAN, 256.15, "256.15", "X"},
	{"armasm", "aes-128-gcm encrypt", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (1242.28 * MIB), "1,242.28", "MB/s"},
	{"armasm", "aes-128-gcm encrypt", NULL, NULL, NULL, METRIC_SPEEDUP, IMPORT_MEAN, 193.65, "193.65", "X"},
	{"armasm", "aes-128-gcm decrypt", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (575.83 * MIB), "575.83", "MB/s"},
	{"armasm", "aes-128-gcm decrypt", NULL, NULL, NULL, METRIC_SPEEDUP, IMPORT_MEAN, 90.26, "90.26", "X"},
	{"armasm", "sha-256 hash", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (1717.28 * MIB), "1,717.28", "MB/s"},
	{"armasm", "sha-256 hash", NULL, NULL, NULL, METRIC_SPEEDUP, IMPORT_MEAN, 56.11, "56.11", "X"},
	{"sp", "rsa-2048 public", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / 1211.27, "1,211.27", "ops/sec"},
	{"sp", "rsa-2048 public", NULL, NULL, NULL, METRIC_SPEEDUP, IMPORT_MEAN, 1.50, "1.50", "X"},
	{"sp", "rsa-2048 private", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / 32.59, "32.59", "ops/sec"},
	{"sp", "rsa-2048 private", NULL, NULL, NULL, METRIC_SPEEDUP, IMPORT_MEAN, 1.18, "1.18", "X"},
	{"sp", "dh-2048 keygen", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / 77.44, "77.44", "ops/sec"},
	{"sp", "dh-2048 keygen", NULL, NULL, NULL, METRIC_SPEEDUP, IMPORT_MEAN, 1.24, "1.24", "X"},
	{"sp", "dh-2048 agree", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / 77.45, "77.45", "ops/sec"},
	{"sp", "dh-2048 agree", NULL, NULL, NULL, METRIC_SPEEDUP, IMPORT_MEAN, 1.29, "1.29", "X"},
	{"sp", "ec-p256 keygen", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / 1670.65, "1670.65", "ops/sec"},
	{"sp", "ec-p256 keygen", NULL, NULL, NULL, METRIC_SPEEDUP, IMPORT_MEAN, 8.67, "8.67", "X"},
	{"sp", "ecdh-p256 agree", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / 396.88, "396.88", "ops/sec"},
	{"sp", "ecdh-p256 agree", NULL, NULL, NULL, METRIC_SPEEDUP, IMPORT_MEAN, 2.05, "2.05", "X"},
	{"sp", "ecdsa-p256 sign", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / 1212.33, "1,212.33", "ops/sec"},
	{"sp", "ecdsa-p256 sign", NULL, NULL, NULL, METRIC_SPEEDUP, IMPORT_MEAN, 6.42, "6.42", "X"},
	{"sp", "ecdsa-p256 verify", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / 331.02, "331.02", "ops/sec"},
	{"sp", "ecdsa-p256 verify", NULL, NULL, NULL, METRIC_SPEEDUP, IMPORT_MEAN, 2.38, "2.38", "X"},
	{"TLS 1.2", "tls12-dhe-rsa-aes128-sha256 connect", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / 22.5, "22.5", "CPS"},
	{"TLS 1.2", "tls12-dhe-rsa-aes128-sha256 read", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (388 * MIB), "388", "MB/s"},
	{"TLS 1.2", "tls12-dhe-rsa-aes128-sha256 write", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (106 * MIB), "106", "MB/s"},
	{"TLS 1.2", "tls12-ecdhe-rsa-aes128-gcm-sha256 connect", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / 26.2, "26.2", "CPS"},
	{"TLS 1.2", "tls12-ecdhe-rsa-aes128-gcm-sha256 read", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (598 * MIB), "598", "MB/s"},
	{"TLS 1.2", "tls12-ecdhe-rsa-aes128-gcm-sha256 write", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (125 * MIB), "125", "MB/s"},
	{"TLS 1.2", "tls12-ecdhe-ecdsa-aes128-gcm-sha256 connect", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / 83.4, "83.4", "CPS"},
	{"TLS 1.2", "tls12-ecdhe-ecdsa-aes128-gcm-sha256 read", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (504.8 * MIB), "504.8", "MB/s"},
	{"TLS 1.2", "tls12-ecdhe-ecdsa-aes128-gcm-sha256 write", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (92.2 * MIB), "92.2", "MB/s"},
	/* ARM926EJ-S. */
	{"ciphers, hashes, public keys", "md5 hash", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (24 * MIB), "24", "MiB/s"},
	{"ciphers, hashes, public keys", "md5 hash", NULL, NULL, NULL, METRIC_CYCLES, IMPORT_MEAN, 10.7, "10.7", "cycles/byte"},
	{"ciphers, hashes, public keys", "sha-1 hash", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (9 * MIB), "9", "MiB/s"},
	{"ciphers, hashes, public keys", "sha-1 hash", NULL, NULL, NULL, METRIC_CYCLES, IMPORT_MEAN, 28.5, "28.5", "cycles/byte"},
	{"ciphers, hashes, public keys", "sha-256 hash", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (6 * MIB), "6", "MiB/s"},
	{"ciphers, hashes, public keys", "sha-256 hash", NULL, NULL, NULL, METRIC_CYCLES, IMPORT_MEAN, 42.5, "42.5", "cycles/byte"},
	{"ciphers, hashes, public keys", "salsa20-12 encrypt", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (13 * MIB), "13", "MiB/s"},
	{"ciphers, hashes, public keys", "salsa20-12 encrypt", NULL, NULL, NULL, METRIC_CYCLES, IMPORT_MEAN, 19.0, "19.0", "cycles/byte"},
	{"ciphers, hashes, public keys", "aes-128-ctr encrypt", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (2 * MIB), "2", "MiB/s"},
	{"ciphers, hashes, public keys", "aes-128-ctr encrypt", NULL, NULL, NULL, METRIC_CYCLES, IMPORT_MEAN, 131.9, "131.9", "cycles/byte"},
	{"ciphers, hashes, public keys", "rsa-2056 sign", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 950.00 * MS, "950.00", "ms/op"},
	{"ciphers, hashes, public keys", "rsa-2056 sign", NULL, NULL, NULL, METRIC_CYCLES, IMPORT_MEAN, 252.70 * MEGA, "252.70", "megacycles/op"},
	{"ciphers, hashes, public keys", "rsa-2056 verify", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 12.82 * MS, "12.82", "ms/op"},
	{"ciphers, hashes, public keys", "rsa-2056 verify", NULL, NULL, NULL, METRIC_CYCLES, IMPORT_MEAN, 3.41 * MEGA, "3.41", "megacycles/op"},
	{"ciphers, hashes, public keys", "ecdsa-secp256k1 sign", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 49.05 * MS, "49.05", "ms/op"},
	{"ciphers, hashes, public keys", "ecdsa-secp256k1 sign", NULL, NULL, NULL, METRIC_CYCLES, IMPORT_MEAN, 13.05 * MEGA, "13.05", "megacycles/op"},
	{"ciphers, hashes, public keys", "ecdsa-secp256k1 sign-precomputed", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 31.56 * MS, "31.56", "ms/op"},
	{"ciphers, hashes, public keys", "ecdsa-secp256k1 sign-precomputed", NULL, NULL, NULL, METRIC_CYCLES, IMPORT_MEAN, 8.40 * MEGA, "8.40", "megacycles/op"},
	{"ciphers, hashes, public keys", "ecdsa-secp256k1 verify", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 128.75 * MS, "128.75", "ms/op"},
	{"ciphers, hashes, public keys", "ecdsa-secp256k1 verify", NULL, NULL, NULL, METRIC_CYCLES, IMPORT_MEAN, 34.25 * MEGA, "34.25", "megacycles/op"},
	{"ciphers, hashes, public keys", "ecdsa-secp256k1 verify-precomputed", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 51.00 * MS, "51.00", "ms/op"},
	{"ciphers, hashes, public keys", "ecdsa-secp256k1 verify-precomputed", NULL, NULL, NULL, METRIC_CYCLES, IMPORT_MEAN, 13.57 * MEGA, "13.57", "megacycles/op"},
	{"ciphers, hashes, public keys", "ecdsa-p192 sign", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 32.90 * MS, "32.90", "ms/op"},
	{"ciphers, hashes, public keys", "ecdsa-p192 sign", NULL, NULL, NULL, METRIC_CYCLES, IMPORT_MEAN, 8.75 * MEGA, "8.75", "megacycles/op"},
	{"ciphers, hashes, public keys", "ecdsa-p192 sign-precomputed", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 16.95 * MS, "16.95", "ms/op"},
	{"ciphers, hashes, public keys", "ecdsa-p192 sign-precomputed", NULL, NULL, NULL, METRIC_CYCLES, IMPORT_MEAN, 4.51 * MEGA, "4.51", "megacycles/op"},
	{"ciphers, hashes, public keys", "ecdsa-p192 verify", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 58.82 * MS, "58.82", "ms/op"},
	{"ciphers, hashes, public keys", "ecdsa-p192 verify", NULL, NULL, NULL, METRIC_CYCLES, IMPORT_MEAN, 15.65 * MEGA, "15.65", "megacycles/op"},
	{"ciphers, hashes, public keys", "ecdsa-p192 verify-precomputed", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 28.86 * MS, "28.86", "ms/op"},
	{"ciphers, hashes, public keys", "ecdsa-p192 verify-precomputed", NULL, NULL, NULL, METRIC_CYCLES, IMPORT_MEAN, 7.68 * MEGA, "7.68", "megacycles/op"},
	{"ciphers, hashes, public keys", "rsa-2056 keygen", NULL, NULL, NULL, METRIC_TIME, IMPORT_BEST, 31.67, "31,670", "ms/new key"},
	{"ciphers, hashes, public keys", "rsa-2056 keygen", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 57.86, "57,860", "ms/new key"},
	{"ciphers, hashes, public keys", "rsa-2056 keygen", NULL, NULL, NULL, METRIC_TIME, IMPORT_WORST, 98.18, "98,180", "ms/new key"},
	{"ciphers, hashes, public keys", "ec-p192 keygen", NULL, NULL, NULL, METRIC_TIME, IMPORT_BEST, 0.00275, "2.75", "ms/new key"},
	{"ciphers, hashes, public keys", "ec-p192 keygen", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 0.00279, "2.79", "ms/new key"},
	{"ciphers, hashes, public keys", "ec-p192 keygen", NULL, NULL, NULL, METRIC_TIME, IMPORT_WORST, 0.00289, "2.89", "ms/new key"},
	{"edonr256 of eBASH", "edonr-256 hash", NULL, NULL, NULL, METRIC_CYCLES, IMPORT_MEAN, 17.5, "17.5", "cycles/byte"},
	/* GR740, bare metal. */
	{"bare metal", "aes-128-cbc encrypt", "1024", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (3.432 * MIB), "3.432", "MiB/s"},
	{"bare metal", "aes-128-cbc decrypt", "1024", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (3.411 * MIB), "3.411", "MiB/s"},
	{"bare metal", "aes-192-cbc encrypt", "1024", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (2.958 * MIB), "2.958", "MiB/s"},
	{"bare metal", "aes-192-cbc decrypt", "1024", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (2.940 * MIB), "2.940", "MiB/s"},
	{"bare metal", "aes-256-cbc encrypt", "1024", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (2.601 * MIB), "2.601", "MiB/s"},
	{"bare metal", "aes-256-cbc decrypt", "1024", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (2.585 * MIB), "2.585", "MiB/s"},
	{"bare metal", "aes-128-gcm encrypt", "1024", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (468.300 * KIB), "468.300", "KiB/s"},
	{"bare metal", "aes-128-gcm decrypt", "1024", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (468.142 * KIB), "468.142", "KiB/s"},
	{"bare metal", "aes-192-gcm encrypt", "1024", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (458.356 * KIB), "458.356", "KiB/s"},
	{"bare metal", "aes-192-gcm decrypt", "1024", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (458.202 * KIB), "458.202", "KiB/s"},
	{"bare metal", "aes-256-gcm encrypt", "1024", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (448.872 * KIB), "448.872", "KiB/s"},
	{"bare metal", "aes-256-gcm decrypt", "1024", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (448.724 * KIB), "448.724", "KiB/s"},
	{"bare metal", "aes-128-gmac mac", "1024", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (545.432 * KIB), "545.432", "KiB/s"},
	{"bare metal", "chacha20 encrypt", "1024", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (6.945 * MIB), "6.945", "MiB/s"},
	{"bare metal", "chacha20-poly1305 encrypt", "1024", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (4.466 * MIB), "4.466", "MiB/s"},
	{"bare metal", "poly1305 mac", "1024", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (17.076 * MIB), "17.076", "MiB/s"},
	{"bare metal", "sha-1 hash", "1024", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (9.675 * MIB), "9.675", "MiB/s"},
	{"bare metal", "sha-256 hash", "1024", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (2.581 * MIB), "2.581", "MiB/s"},
	{"bare metal", "sha3-224 hash", "1024", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (1.907 * MIB), "1.907", "MiB/s"},
	{"bare metal", "sha3-256 hash", "1024", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (1.801 * MIB), "1.801", "MiB/s"},
	{"bare metal", "sha3-384 hash", "1024", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (1.397 * MIB), "1.397", "MiB/s"},
	{"bare metal", "sha3-512 hash", "1024", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (0.980 * MIB), "0.980", "MiB/s"},
	{"bare metal", "hmac-sha-1 mac", "1024", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (9.585 * MIB), "9.585", "MiB/s"},
	{"bare metal", "hmac-sha-256 mac", "1024", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (2.561 * MIB), "2.561", "MiB/s"},
	{"bare metal", "rsa-2048 public", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / 76.715, "76.715", "ops/sec"},
	{"bare metal", "rsa-2048 private", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 739.794 * MS, "739.794", "ms"},
	{"bare metal", "dh-2048 keygen", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 320.709 * MS, "320.709", "ms"},
	{"bare metal", "dh-2048 agree", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 320.625 * MS, "320.625", "ms"},
	{"bare metal", "ec-p256 keygen", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 57.084 * MS, "57.084", "ms"},
	{"bare metal", "ecdh-p256 agree", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 56.947 * MS, "56.947", "ms"},
	{"bare metal", "ecdsa-p256 sign", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 63.136 * MS, "63.136", "ms"},
	{"bare metal", "ecdsa-p256 verify", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 114.465 * MS, "114.465", "ms"},
	/* GR740, Linux. */
	{"Linux", "aes-128-cbc encrypt", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (3.330 * MIB), "3.330", "MiB/s"},
	{"Linux", "aes-128-cbc decrypt", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (3.242 * MIB), "3.242", "MiB/s"},
	{"Linux", "aes-192-cbc encrypt", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (2.879 * MIB), "2.879", "MiB/s"},
	{"Linux", "aes-192-cbc decrypt", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (2.810 * MIB), "2.810", "MiB/s"},
	{"Linux", "aes-256-cbc encrypt", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (2.536 * MIB), "2.536", "MiB/s"},
	{"Linux", "aes-256-cbc decrypt", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (2.481 * MIB), "2.481", "MiB/s"},
	{"Linux", "aes-128-gcm encrypt", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (0.464 * MIB), "0.464", "MiB/s"},
	{"Linux", "aes-128-gcm decrypt", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (0.465 * MIB), "0.465", "MiB/s"},
	{"Linux", "aes-192-gcm encrypt", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (0.455 * MIB), "0.455", "MiB/s"},
	{"Linux", "aes-192-gcm decrypt", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (0.455 * MIB), "0.455", "MiB/s"},
	{"Linux", "aes-256-gcm encrypt", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (0.446 * MIB), "0.446", "MiB/s"},
	{"Linux", "aes-256-gcm decrypt", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (0.446 * MIB), "0.446", "MiB/s"},
	{"Linux", "aes-128-gmac mac", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (549.684 * KIB), "549.684", "KiB/s"},
	{"Linux", "chacha20 encrypt", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (6.742 * MIB), "6.742", "MiB/s"},
	{"Linux", "chacha20-poly1305 encrypt", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (4.852 * MIB), "4.852", "MiB/s"},
	{"Linux", "poly1305 mac", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (17.270 * MIB), "17.270", "MiB/s"},
	{"Linux", "sha-1 hash", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (9.410 * MIB), "9.410", "MiB/s"},
	{"Linux", "sha-256 hash", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (3.346 * MIB), "3.346", "MiB/s"},
	{"Linux", "sha3-224 hash", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (1.917 * MIB), "1.917", "MiB/s"},
	{"Linux", "sha3-256 hash", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (1.814 * MIB), "1.814", "MiB/s"},
	{"Linux", "sha3-384 hash", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (1.398 * MIB), "1.398", "MiB/s"},
	{"Linux", "sha3-512 hash", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (0.975 * MIB), "0.975", "MiB/s"},
	{"Linux", "hmac-sha-1 mac", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (9.412 * MIB), "9.412", "MiB/s"},
	{"Linux", "hmac-sha-256 mac", "1048576", NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / (3.346 * MIB), "3.346", "MiB/s"},
	{"Linux", "rsa-2048 public", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 1 / 76.373, "76.373", "ops/sec"},
	{"Linux", "rsa-2048 private", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 744.114 * MS, "744.114", "ms"},
	{"Linux", "dh-2048 keygen", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 322.812 * MS, "322.812", "ms"},
	{"Linux", "dh-2048 agree", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 322.741 * MS, "322.741", "ms"},
	{"Linux", "ec-p256 keygen", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 57.484 * MS, "57.484", "ms"},
	{"Linux", "ecdh-p256 agree", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 57.371 * MS, "57.371", "ms"},
	{"Linux", "ecdsa-p256 sign", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 63.599 * MS, "63.599", "ms"},
	{"Linux", "ecdsa-p256 verify", NULL, NULL, NULL, METRIC_TIME, IMPORT_MEAN, 115.318 * MS, "115.318", "ms"},
	/* Kunpeng: k is 1000 bytes per second. */
	{"software", "rsa-2048 sign", NULL, "none", NULL, METRIC_TIME, IMPORT_MEAN, 1 / 724.1, "724.1", "op/s"},
	{"software", "rsa-2048 verify", NULL, "none", NULL, METRIC_TIME, IMPORT_MEAN, 1 / 28365.8, "28365.8", "op/s"},
	{"software", "sm4-cbc encrypt", "51200", "none", NULL, METRIC_TIME, IMPORT_MEAN, 1 / (82312.53 * K), "82312.53", "1000 bytes/s"},
	{"software", "sm4-cbc encrypt", "102400", "none", NULL, METRIC_TIME, IMPORT_MEAN, 1 / (85196.80 * K), "85196.80", "1000 bytes/s"},
	{"software", "sm4-cbc encrypt", "1048576", "none", NULL, METRIC_TIME, IMPORT_MEAN, 1 / (85284.18 * K), "85284.18", "1000 bytes/s"},
	{"software", "sm4-cbc encrypt", "2097152", "none", NULL, METRIC_TIME, IMPORT_MEAN, 1 / (85000.85 * K), "85000.85", "1000 bytes/s"},
	{"software", "sm4-cbc encrypt", "4194304", "none", NULL, METRIC_TIME, IMPORT_MEAN, 1 / (85284.18 * K), "85284.18", "1000 bytes/s"},
	{"software", "sm4-cbc encrypt", "8388608", "none", NULL, METRIC_TIME, IMPORT_MEAN, 1 / (85261.26 * K), "85261.26", "1000 bytes/s"},
	{"software", "sm3 hash", "51200", "none", NULL, METRIC_TIME, IMPORT_MEAN, 1 / (50568.53 * K), "50568.53", "1000 bytes/s"},
	{"software", "sm3 hash", "102400", "none", NULL, METRIC_TIME, IMPORT_MEAN, 1 / (52428.80 * K), "52428.80", "1000 bytes/s"},
	{"software", "sm3 hash", "1048576", "none", NULL, METRIC_TIME, IMPORT_MEAN, 1 / (52428.80 * K), "52428.80", "1000 bytes/s"},
	{"software", "sm3 hash", "2097152", "none", NULL, METRIC_TIME, IMPORT_MEAN, 1 / (52428.80 * K), "52428.80", "1000 bytes/s"},
	{"software", "sm3 hash", "4194304", "none", NULL, METRIC_TIME, IMPORT_MEAN, 1 / (52428.80 * K), "52428.80", "1000 bytes/s"},
	{"software", "sm3 hash", "8388608", "none", NULL, METRIC_TIME, IMPORT_MEAN, 1 / (52428.80 * K), "52428.80", "1000 bytes/s"},
	{"software", "aes-128-cbc encrypt", "51200", "none", "4", METRIC_TIME, IMPORT_MEAN, 1 / (1122525.87 * K), "1122525.87", "1000 bytes/s"},
	{"software", "aes-128-cbc encrypt", "102400", "none", "4", METRIC_TIME, IMPORT_MEAN, 1 / (1123328.00 * K), "1123328.00", "1000 bytes/s"},
	{"software", "aes-128-cbc encrypt", "1048576", "none", "4", METRIC_TIME, IMPORT_MEAN, 1 / (1120578.22 * K), "1120578.22", "1000 bytes/s"},
	{"software", "aes-128-cbc encrypt", "2097152", "none", "4", METRIC_TIME, IMPORT_MEAN, 1 / (1121277.27 * K), "1121277.27", "1000 bytes/s"},
	{"software", "aes-128-cbc encrypt", "4194304", "none", "4", METRIC_TIME, IMPORT_MEAN, 1 / (1119879.17 * K), "1119879.17", "1000 bytes/s"},
	{"software", "aes-128-cbc encrypt", "8388608", "none", "4", METRIC_TIME, IMPORT_MEAN, 1 / (1115684.86 * K), "1115684.86", "1000 bytes/s"},
	{"KAE", "rsa-2048 sign", NULL, "kae", NULL, METRIC_TIME, IMPORT_MEAN, 1 / 2819.0, "2819.0", "op/s"},
	{"KAE", "rsa-2048 verify", NULL, "kae", NULL, METRIC_TIME, IMPORT_MEAN, 1 / 45478.4, "45478.4", "op/s"},
	{"KAE", "rsa-2048 sign", NULL, "kae", "36", METRIC_TIME, IMPORT_MEAN, 1 / 54384.1, "54384.1", "op/s"},
	{"KAE", "rsa-2048 verify", NULL, "kae", "36", METRIC_TIME, IMPORT_MEAN, 1 / 105317.0, "105317.0", "op/s"},
	{"KAE", "sm4-cbc encrypt", "51200", "kae", NULL, METRIC_TIME, IMPORT_MEAN, 1 / (383317.33 * K), "383317.33", "1000 bytes/s"},
	{"KAE", "sm4-cbc encrypt", "102400", "kae", NULL, METRIC_TIME, IMPORT_MEAN, 1 / (389427.20 * K), "389427.20", "1000 bytes/s"},
	{"KAE", "sm4-cbc encrypt", "1048576", "kae", NULL, METRIC_TIME, IMPORT_MEAN, 1 / (395313.15 * K), "395313.15", "1000 bytes/s"},
	{"KAE", "sm4-cbc encrypt", "2097152", "kae", NULL, METRIC_TIME, IMPORT_MEAN, 1 / (392954.73 * K), "392954.73", "1000 bytes/s"},
	{"KAE", "sm4-cbc encrypt", "4194304", "kae", NULL, METRIC_TIME, IMPORT_MEAN, 1 / (394264.58 * K), "394264.58", "1000 bytes/s"},
	{"KAE", "sm4-cbc encrypt", "8388608", "kae", NULL, METRIC_TIME, IMPORT_MEAN, 1 / (394264.58 * K), "394264.58", "1000 bytes/s"},
	{"KAE", "sm3 hash", "51200", "kae", NULL, METRIC_TIME, IMPORT_MEAN, 1 / (648243.20 * K), "648243.20", "1000 bytes/s"},
	{"KAE", "sm3 hash", "102400", "kae", NULL, METRIC_TIME, IMPORT_MEAN, 1 / (666965.33 * K), "666965.33", "1000 bytes/s"},
	{"KAE", "sm3 hash", "1048576", "kae", NULL, METRIC_TIME, IMPORT_MEAN, 1 / (677030.57 * K), "677030.57", "1000 bytes/s"},
	{"KAE", "sm3 hash", "2097152", "kae", NULL, METRIC_TIME, IMPORT_MEAN, 1 / (678778.20 * K), "678778.20", "1000 bytes/s"},
	{"KAE", "sm3 hash", "4194304", "kae", NULL, METRIC_TIME, IMPORT_MEAN, 1 / (676681.05 * K), "676681.05", "1000 bytes/s"},
	{"KAE", "sm3 hash", "8388608", "kae", NULL, METRIC_TIME, IMPORT_MEAN, 1 / (668292.44 * K), "668292.44", "1000 bytes/s"},
	{"KAE", "aes-128-cbc encrypt", "51200", "kae", "4", METRIC_TIME, IMPORT_MEAN, 1 / (3747037.87 * K), "3747037.87", "1000 bytes/s"},
	{"KAE", "aes-128-cbc encrypt", "102400", "kae", "4", METRIC_TIME, IMPORT_MEAN, 1 / (3996774.40 * K), "3996774.40", "1000 bytes/s"},
	{"KAE", "aes-128-cbc encrypt", "1048576", "kae", "4", METRIC_TIME, IMPORT_MEAN, 1 / (1189085.18 * K), "1189085.18", "1000 bytes/s"},
	{"KAE", "aes-128-cbc encrypt", "2097152", "kae", "4", METRIC_TIME, IMPORT_MEAN, 1 / (1196774.74 * K), "1196774.74", "1000 bytes/s"},
	{"KAE", "aes-128-cbc encrypt", "4194304", "kae", "4", METRIC_TIME, IMPORT_MEAN, 1 / (1196979.11 * K), "1196979.11", "1000 bytes/s"},
	{"KAE", "aes-128-cbc encrypt", "8388608", "kae", "4", METRIC_TIME, IMPORT_MEAN, 1 / (1199570.94 * K), "1199570.94", "1000 bytes/s"},
	{"software, RSA signing with 36 jobs", "rsa-2048 sign", NULL, "none", "36", METRIC_TIME, IMPORT_MEAN, 1 / 735.7, "735.7", "op/s"},
	{"software, RSA verifying with 36 jobs", "rsa-2048 verify", NULL, "none", "36", METRIC_TIME, IMPORT_MEAN, 1 / 28555.0, "28555", "op/s"},
};
/* clang-format on */

/* All documents of all publications. */
static GPtrArray *all(void)
{
	static GPtrArray *documents;
	const char *name;

	if (documents)
		return documents;
	GDir *folder = g_dir_open(BM_SOURCE "/results/published", 0, NULL);
	g_assert_nonnull(folder);
	documents = g_ptr_array_new();
	while ((name = g_dir_read_name(folder))) {
		g_autofree char *file = g_build_filename(BM_SOURCE "/results/published", name, NULL);
		g_autoptr(GError) error = NULL;
		GPtrArray *some = NULL;
		g_assert_true(publication_read(&some, file, &error));
		g_assert_no_error(error);
		g_ptr_array_set_free_func(some, NULL);
		g_ptr_array_extend_and_steal(documents, some);
	}
	g_dir_close(folder);
	return documents;
}

static const struct document *titled(const char *title)
{
	for (guint i = 0; i < all()->len; i++) {
		const struct document *document = all()->pdata[i];
		const char *colon = strstr(document->source.name, ": ");
		if (colon && strcmp(colon + 2, title) == 0)
			return document;
	}
	g_error("no document \"%s\"", title);
}

static bool is(const struct document_reading *reading, const struct row *row)
{
	const char *const *labels = reading->labels.v;

	return reading->metric == row->metric && reading->statistic == row->statistic &&
	       g_strcmp0(labels[LABEL_BENCHMARK], row->benchmark) == 0 &&
	       g_strcmp0(labels[LABEL_BLOCK], row->block) == 0 &&
	       g_strcmp0(labels[LABEL_ENGINE], row->engine) == 0 &&
	       g_strcmp0(labels[LABEL_ASYNC], row->async) == 0;
}

/* The measurement's value of that statistic. */
static double value_in(const struct figure *figure, enum import_statistic statistic)
{
	return statistic == IMPORT_BEST	   ? figure->min
	       : statistic == IMPORT_WORST ? figure->max
	       : statistic == IMPORT_MEAN  ? figure->mean
					   : figure->median;
}

static void expect(const struct row *row)
{
	const struct document *document = titled(row->title);
	guint found = 0;

	for (guint i = 0; i < document->parts->len; i++) {
		const struct document_part *part = document->parts->pdata[i];
		for (guint k = 0; k < part->readings->len; k++) {
			const struct document_reading *reading =
				&g_array_index(part->readings, struct document_reading, k);
			if (reading->measurement < 0 || !is(reading, row))
				continue;
			found++;
			g_assert_cmpstr(reading->printed, ==, row->printed);
			g_assert_cmpstr(reading->unit, ==, row->unit);
			const struct measurement *measurement = &g_array_index(
				part->measurements, struct measurement, (guint)reading->measurement);
			g_assert_cmpfloat_with_epsilon(
				value_in(&measurement->figure, row->statistic) / row->value, 1, 1e-9);
			g_assert_cmpint(measurement->source, ==, SOURCE_PUBLISHED);
		}
	}
	if (found != 1)
		g_error("%s: %s %s: %u times", row->title, row->benchmark, row->printed, found);
}

static void every_figure_is_as_its_source_has_it(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
		expect(&rows[i]);
}

static void nothing_else_counts(void)
{
	size_t counting = 0;

	for (guint i = 0; i < all()->len; i++) {
		const struct document *document = all()->pdata[i];
		for (guint k = 0; k < document->parts->len; k++) {
			const GArray *readings =
				((struct document_part *)document->parts->pdata[k])->readings;
			for (guint j = 0; j < readings->len; j++)
				counting +=
					g_array_index(readings, struct document_reading, j).measurement >= 0;
		}
		g_assert_cmpuint(document->remarks->len, ==, 0);
	}
	g_assert_cmpuint(counting, ==, G_N_ELEMENTS(rows));
}

/* The measurement of that kind in the document's first part; fails where there is none. */
static const struct measurement *measured(const char *title, const char *benchmark, enum metric metric,
	enum kind kind, const struct labels **labels)
{
	const struct document_part *part = titled(title)->parts->pdata[0];

	for (guint i = 0; i < part->measurements->len; i++) {
		const struct measurement *measurement =
			&g_array_index(part->measurements, struct measurement, i);
		if (measurement->metric != metric || measurement->kind != kind ||
			strcmp(measurement->benchmark, benchmark) != 0)
			continue;
		*labels = part->labels_of->pdata[i];
		return measurement;
	}
	g_error("%s: no such %s", title, benchmark);
}

static void values_before_follow_from_ratios(void)
{
	const struct labels *labels;
	const struct measurement *before =
		measured("armasm", "aes-128-cbc encrypt", METRIC_TIME, KIND_DERIVED, &labels);

	/* 912.347 MiB/s is 36.58 times as fast as 24.94 MiB/s. */
	g_assert_cmpfloat_with_epsilon(before->figure.mean * 912.347 * MIB, 36.58, 1e-9);
	g_assert_cmpstr(labels->v[LABEL_CONFIG], ==, "default");
	g_assert_cmpstr(labels->v[LABEL_PLATFORM], ==, "iphone-x");
	before = measured("sp", "ec-p256 keygen", METRIC_TIME, KIND_DERIVED, &labels);
	g_assert_cmpfloat_with_epsilon(before->figure.mean * 1670.65, 8.67, 1e-9);
	measured("sp", "ec-p256 keygen", METRIC_TIME, KIND_SAMPLED, &labels);
	g_assert_cmpstr(labels->v[LABEL_CONFIG], ==, "sp");
}

static void cycles_follow_from_the_clock(void)
{
	const struct labels *labels;

	/* 17.81 ms at 1 GHz; 10 ms at 96 MHz; 31.67 s, 57.86 s and 98.18 s at 266 MHz. */
	g_assert_cmpfloat_with_epsilon(
		measured("Apple TV 2", "rsa-1024 private", METRIC_CYCLES, KIND_DERIVED, &labels)->figure.mean,
		17.81e6, 1);
	g_assert_cmpfloat_with_epsilon(
		measured("mbed Cortex-M3", "rsa public", METRIC_CYCLES, KIND_DERIVED, &labels)->figure.mean,
		960000, 1e-3);
	const struct figure *keygen = &measured(
		"ciphers, hashes, public keys", "rsa-2056 keygen", METRIC_CYCLES, KIND_DERIVED, &labels)
					       ->figure;
	g_assert_cmpfloat_with_epsilon(keygen->min, 8424220000.0, 1);
	g_assert_cmpfloat_with_epsilon(keygen->mean, 15390760000.0, 1);
	g_assert_cmpfloat_with_epsilon(keygen->max, 26115880000.0, 1);
	g_assert_cmpint(keygen->n, ==, 0);
}

static void refused(const char *from, const char *to, const char *message)
{
	g_autofree char *text = NULL;
	g_autofree char *file = NULL;
	g_autoptr(GPtrArray) documents = NULL;
	g_autoptr(GError) error = NULL;

	g_assert_true(g_file_get_contents(BM_SOURCE "/results/published/cyassl.json", &text, NULL, NULL));
	g_assert_nonnull(strstr(text, from));
	g_auto(GStrv) pieces = g_strsplit(text, from, 2);
	g_autofree char *changed = g_strjoinv(to, pieces);
	int fd = g_file_open_tmp("published-XXXXXX.json", &file, NULL);
	g_assert_true(g_close(fd, NULL) && g_file_set_contents(file, changed, -1, NULL));
	g_assert_false(publication_read(&documents, file, &error));
	g_assert_nonnull(strstr(error->message, message));
	g_assert_nonnull(strstr(error->message, file));
	g_assert_cmpint(g_remove(file), ==, 0);
}

static void what_is_wrong_is_named_with_its_place(void)
{
	refused("\"platform\": \"apple-tv-2\"", "\"platform\": \"apple-tv-3\"", "apple-tv-3");
	refused("\"format\": \"cyassl\"", "\"format\": \"cyasl\"", "did you mean \"cyassl\"");
	refused("\"clock\": 1000000000", "\"clock\": 0", "clock");
	refused("\"config\": \"fastmath\"", "\"benchmark\": \"rsa\"", "no label that a publication can give");
	refused("\"metric\": \"ram\"", "\"metric\": \"rum\"", "rum");
	refused("\"value\": 2048", "\"value\": 0", "above 0");
	refused("\"platforms\": {", "\"date\": \"last week\", \"platforms\": {", "YYYY-MM-DD");
	refused("\"lines\": [", "\"figures\": [], \"lines\": [", "either \"lines\"");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define TEST(name) g_test_add_func("/published/" #name, name)
	TEST(every_figure_is_as_its_source_has_it);
	TEST(nothing_else_counts);
	TEST(values_before_follow_from_ratios);
	TEST(cycles_follow_from_the_clock);
	TEST(what_is_wrong_is_named_with_its_place);
	return g_test_run();
}
