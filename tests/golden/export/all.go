library: cyassl
version: 2.3.0
platform: sparc t3
instrument: ctaocrypt-benchmark
source: imported
environment: hardware
kind: stated
# run UUID-1
# time 2026-11-04T00:00:00.123456789Z
# compiler gcc 4.7
Unit speedup assume=exact better=higher
BenchmarkCrypto/algorithm=aes-128-cbc/operation=encrypt	1	36.58 speedup
kind: sampled
BenchmarkCrypto/algorithm=rsa-2048/operation=private	1	9123000 ns/op
library: wolfssl
version: 5.5.4
config: =sp,"x"
profile: crypto
optimisation: O2
toolchain: aarch64-gcc
platform: rock5
instrument: bench-core
arch: aarch64
source: own
# run UUID-2
# time 2026-11-04T00:00:00.123456789Z
# revision 5.5.4
# compiler gcc "12", a\b line 2
# note busy: load 3.1 before, 2.9 after
BenchmarkCrypto/algorithm=aes-128-cbc/operation=encrypt/block=1024	2000	1536 ns/op	666.666666667 MB/s
BenchmarkCrypto/algorithm=aes-128-cbc/operation=encrypt/block=1024	1000	3072 ns/op	333.333333333 MB/s
BenchmarkCrypto/algorithm=rsa-2048/operation=private	1	700000 ns/op
BenchmarkCrypto/algorithm=rsa-2048/operation=private	1	720000 ns/op
config: default
platform: cortex-a72
environment: emulator
kind: exact
# run UUID-2
# time 2026-11-04T00:00:00.123456790Z
# revision 5.5.4
# compiler gcc 12
Unit instructions/op assume=exact better=lower
BenchmarkCrypto/algorithm=rsa-2048/operation=private	1	29556537 instructions/op
