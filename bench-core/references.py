"""Ciphers and hashes written out from their standards, for expected.py: a second opinion on what OpenSSL says, and the only one on
what it does not have. Slow, and not for secrets."""
import hashlib
import struct

WORD = 0xFFFFFFFF


def number(octets):
    return int.from_bytes(octets, "big")


def rol(x, n):
    n %= 32
    return ((x << n) | (x >> (32 - n))) & WORD


def sm3(message):
    """GB/T 32905-2016, sections 4 and 5."""
    state = [0x7380166F, 0x4914B2B9, 0x172442D7, 0xDA8A0600, 0xA96F30BC, 0x163138AA, 0xE38DEE4D, 0xB0FB0E4E]
    padded = message + b"\x80" + bytes((55 - len(message)) % 64) + (8 * len(message)).to_bytes(8, "big")
    for at in range(0, len(padded), 64):
        w = [number(padded[i:i + 4]) for i in range(at, at + 64, 4)]
        for j in range(16, 68):
            x = w[j - 16] ^ w[j - 9] ^ rol(w[j - 3], 15)
            w.append(x ^ rol(x, 15) ^ rol(x, 23) ^ rol(w[j - 13], 7) ^ w[j - 6])
        a, b, c, d, e, f, g, h = state
        for j in range(64):
            ss1 = rol((rol(a, 12) + e + rol(0x79CC4519 if j < 16 else 0x7A879D8A, j)) & WORD, 7)
            ff = a ^ b ^ c if j < 16 else (a & b) | (a & c) | (b & c)
            gg = e ^ f ^ g if j < 16 else (e & f) | (~e & g)
            tt1 = (ff + d + (ss1 ^ rol(a, 12)) + (w[j] ^ w[j + 4])) & WORD
            tt2 = (gg + h + ss1 + w[j]) & WORD
            a, b, c, d, e, f, g, h = tt1, a, rol(b, 9), c, tt2 ^ rol(tt2, 9) ^ rol(tt2, 17), e, rol(f, 19), g
        state = [x ^ y for x, y in zip(state, (a, b, c, d, e, f, g, h))]
    return b"".join(x.to_bytes(4, "big") for x in state)


def affine(octet):
    """SM4's affine map over bits: each row is the one before it turned by one (0xa7 is the map's first, 0xd3 what is added)."""
    out = 0
    for i in range(8):
        row = ((0xA7 << i) | (0xA7 >> (8 - i))) & 0xFF
        out |= (bin(row & octet).count("1") & 1) << i
    return out ^ 0xD3


def inverse(octet):
    """In the field of 256 elements modulo x^8 + x^7 + x^6 + x^5 + x^4 + x^2 + 1; of 0 it is 0."""
    def times(a, b):
        product = 0
        while b:
            product ^= a if b & 1 else 0
            a, b = (a << 1) ^ (0x1F5 if a & 0x80 else 0), b >> 1
        return product

    power = 1
    for _ in range(254):
        power = times(power, octet)
    return power


SM4_BOX = [affine(inverse(affine(x))) for x in range(256)]


class Sm4:
    """GB/T 32907-2016, in CBC mode; the box is computed from its algebra, not copied."""

    def __init__(self, key):
        words = [number(key[i:i + 4]) ^ fk for i, fk in zip(range(0, 16, 4), (0xA3B1BAC6, 0x56AA3350, 0x677D9197, 0xB27022DC))]
        for i in range(32):
            constant = number(bytes((4 * i + j) * 7 & 0xFF for j in range(4)))
            words.append(words[i] ^ self.mixed(words[i + 1] ^ words[i + 2] ^ words[i + 3] ^ constant, (13, 23)))
        self.keys = words[4:]

    @staticmethod
    def mixed(word, turns):
        x = number(bytes(SM4_BOX[octet] for octet in word.to_bytes(4, "big")))
        out = x
        for turn in turns:
            out ^= ((x << turn) | (x >> (32 - turn))) & WORD
        return out

    def block(self, octets, keys):
        words = [number(octets[i:i + 4]) for i in range(0, 16, 4)]
        for key in keys:
            words = words[1:] + [words[0] ^ self.mixed(words[1] ^ words[2] ^ words[3] ^ key, (2, 10, 18, 24))]
        return b"".join(word.to_bytes(4, "big") for word in reversed(words))

    def cbc(self, text, last, encrypt):
        out = []
        for at in range(0, len(text), 16):
            octets = text[at:at + 16]
            if encrypt:
                last = self.block(bytes(a ^ b for a, b in zip(octets, last)), self.keys)
                out.append(last)
            else:
                out.append(bytes(a ^ b for a, b in zip(self.block(octets, self.keys[::-1]), last)))
                last = octets
        return b"".join(out)


class Rabbit:
    """RFC 4503, with the octets of key, IV and keystream in the order of eSTREAM: the lowest first."""

    A = (0x4D34D34D, 0xD34D34D3, 0x34D34D34, 0x4D34D34D, 0xD34D34D3, 0x34D34D34, 0x4D34D34D, 0xD34D34D3)

    def __init__(self, key, iv):
        k = struct.unpack("<8H", key)
        self.x = [(k[(j + 1) % 8] << 16 | k[j]) if j % 2 == 0 else (k[(j + 5) % 8] << 16 | k[(j + 4) % 8]) for j in range(8)]
        self.c = [(k[(j + 4) % 8] << 16 | k[(j + 5) % 8]) if j % 2 == 0 else (k[j] << 16 | k[(j + 1) % 8]) for j in range(8)]
        self.carry = 0
        for _ in range(4):
            self.next()
        self.c = [c ^ self.x[(j + 4) % 8] for j, c in enumerate(self.c)]
        low, high = struct.unpack("<2I", iv)
        odd = (high & 0xFFFF0000) | low >> 16, (high << 16 & 0xFFFF0000) | low & 0xFFFF
        self.c = [c ^ (low, odd[0], high, odd[1])[j % 4] for j, c in enumerate(self.c)]
        for _ in range(4):
            self.next()

    def next(self):
        c, carry = self.c, self.carry
        for j in range(8):
            total = c[j] + self.A[j] + carry
            c[j], carry = total & WORD, total >> 32
        self.carry = carry
        g = []
        for x, n in zip(self.x, c):
            square = ((x + n) & WORD) ** 2
            g.append((square ^ square >> 32) & WORD)
        self.x = [(g[j] + (rol(g[j - 1], 16) + rol(g[j - 2], 16) if j % 2 == 0 else rol(g[j - 1], 8) + g[j - 2])) & WORD for j in range(8)]

    def keystream(self, size):
        out = []
        for _ in range(0, size, 16):
            self.next()
            x = self.x
            out.append(struct.pack("<4I", x[0] ^ x[5] >> 16 ^ (x[3] << 16 & WORD), x[2] ^ x[7] >> 16 ^ (x[5] << 16 & WORD),
                                   x[4] ^ x[1] >> 16 ^ (x[7] << 16 & WORD), x[6] ^ x[3] >> 16 ^ (x[1] << 16 & WORD)))
        return b"".join(out)[:size]


class Hc128:
    """Hongjun Wu, "The Stream Cipher HC-128"."""

    def __init__(self, key, iv):
        w = list(struct.unpack("<4I", key)) * 2 + list(struct.unpack("<4I", iv)) * 2
        for i in range(16, 1280):
            a, b = w[i - 2], w[i - 15]
            w.append((w[i - 7] + w[i - 16] + i + (rol(a, 15) ^ rol(a, 13) ^ a >> 10) + (rol(b, 25) ^ rol(b, 14) ^ b >> 3)) & WORD)
        self.p, self.q, self.i = w[256:768], w[768:1280], 0
        for table in (self.p, self.q):
            for i in range(512):
                table[i] = self.step()

    def step(self):
        first = self.i < 512
        t, u, j = (self.p, self.q, self.i) if first else (self.q, self.p, self.i - 512)
        self.i = (self.i + 1) % 1024
        a, b, c = t[j - 3], t[j - 10], t[j - 511]
        turned = (rol(a, 22) ^ rol(c, 9)) + rol(b, 24) if first else (rol(a, 10) ^ rol(c, 23)) + rol(b, 8)
        t[j] = (t[j] + turned) & WORD
        x = t[j - 12]
        return (u[x & 0xFF] + u[256 + (x >> 16 & 0xFF)] & WORD) ^ t[j]

    def keystream(self, size):
        return struct.pack("<%dI" % (size // 4), *(self.step() for _ in range(size // 4)))


class MlKem:
    """FIPS 203: keys from d and z, encapsulation of m."""

    Q = 3329
    SETS = {"ml-kem-512": (2, 3, 2, 10, 4), "ml-kem-768": (3, 2, 2, 10, 4), "ml-kem-1024": (4, 2, 2, 11, 5)}
    ZETAS = [pow(17, int(f"{i:07b}"[::-1], 2), 3329) for i in range(128)]
    GAMMAS = [pow(17, 2 * int(f"{i:07b}"[::-1], 2) + 1, 3329) for i in range(128)]

    def __init__(self, name):
        self.k, self.eta1, self.eta2, self.du, self.dv = self.SETS[name]

    def ntt(self, f):
        f, i, length = list(f), 1, 128
        while length >= 2:
            for start in range(0, 256, 2 * length):
                for j in range(start, start + length):
                    t = self.ZETAS[i] * f[j + length]
                    f[j], f[j + length] = (f[j] + t) % self.Q, (f[j] - t) % self.Q
                i += 1
            length //= 2
        return f

    def back(self, f):
        f, i, length = list(f), 127, 2
        while length <= 128:
            for start in range(0, 256, 2 * length):
                for j in range(start, start + length):
                    t = f[j]
                    f[j], f[j + length] = (t + f[j + length]) % self.Q, self.ZETAS[i] * (f[j + length] - t) % self.Q
                i -= 1
            length *= 2
        return [x * 3303 % self.Q for x in f]

    def product(self, rows, vector):
        """The sum of the products of two lists of polynomials under the transform."""
        out = [0] * 256
        for f, g in zip(rows, vector):
            for i, gamma in enumerate(self.GAMMAS):
                a, b, c, d = f[2 * i], f[2 * i + 1], g[2 * i], g[2 * i + 1]
                out[2 * i] += a * c + b * d * gamma
                out[2 * i + 1] += a * d + b * c
        return [x % self.Q for x in out]

    def uniform(self, seed):
        stream, out, at = hashlib.shake_128(seed).digest(2048), [], 0
        while len(out) < 256:
            b = stream[at:at + 3]
            at += 3
            out += [x for x in (b[0] + 256 * (b[1] % 16), b[1] // 16 + 16 * b[2]) if x < self.Q]
        return out[:256]

    def small(self, eta, seed, nonce):
        bits = int.from_bytes(hashlib.shake_256(seed + bytes([nonce])).digest(64 * eta), "little")

        def ones(at):
            return bin(bits >> at & (1 << eta) - 1).count("1")

        return [(ones(2 * i * eta) - ones((2 * i + 1) * eta)) % self.Q for i in range(256)]

    @staticmethod
    def pack(f, bits):
        return sum(x << bits * i for i, x in enumerate(f)).to_bytes(32 * bits, "little")

    def squeeze(self, f, bits):
        return self.pack([((x << bits + 1) + self.Q) // (2 * self.Q) % (1 << bits) for x in f], bits)

    def matrix(self, rho):
        return [[self.uniform(rho + bytes([j, i])) for j in range(self.k)] for i in range(self.k)]

    def public_key(self, d):
        both = hashlib.sha3_512(d + bytes([self.k])).digest()
        rho, sigma = both[:32], both[32:]
        s = [self.ntt(self.small(self.eta1, sigma, i)) for i in range(self.k)]
        e = [self.ntt(self.small(self.eta1, sigma, self.k + i)) for i in range(self.k)]
        t = [[(x + y) % self.Q for x, y in zip(self.product(row, s), e[i])] for i, row in enumerate(self.matrix(rho))]
        return b"".join(self.pack(f, 12) for f in t) + rho

    def encapsulate(self, public, m):
        """The ciphertext and the secret."""
        both = hashlib.sha3_512(m + hashlib.sha3_256(public).digest()).digest()
        secret, r = both[:32], both[32:]
        t = []
        for i in range(self.k):
            number_of = int.from_bytes(public[384 * i:384 * i + 384], "little")
            t.append([number_of >> 12 * j & 0xFFF for j in range(256)])
        a = self.matrix(public[-32:])
        y = [self.ntt(self.small(self.eta1, r, i)) for i in range(self.k)]
        cipher = b""
        for i in range(self.k):
            u = self.back(self.product([a[j][i] for j in range(self.k)], y))
            cipher += self.squeeze([(x + e) % self.Q for x, e in zip(u, self.small(self.eta2, r, self.k + i))], self.du)
        v = self.back(self.product(t, y))
        e2 = self.small(self.eta2, r, 2 * self.k)
        message = [(self.Q + 1) // 2 * (m[i // 8] >> i % 8 & 1) for i in range(256)]
        return cipher + self.squeeze([(x + e + b) % self.Q for x, e, b in zip(v, e2, message)], self.dv), secret


class Sm2:
    """GB/T 32918.5-2017: the curve, points as (x, y) or None; GB/T 32918.2: signatures."""
    P = 0xFFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF00000000FFFFFFFFFFFFFFFF
    A = P - 3
    B = 0x28E9FA9E9D9F5E344D5A9E4BCF6509A7F39789F515AB8F92DDBCBD414D940E93
    N = 0xFFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFF7203DF6B21C6052B53BBF40939D54123
    G = (0x32C4AE2C1F1981195F9904466A39C9948FE30BBFF2660BE1715A4589334C74C7, 0xBC3736A2F4F6779C59BDCEE36B692153D0A9877CC62A474002DF32E52139F0A0)

    @classmethod
    def add(cls, p, q):
        if p is None or q is None:
            return p or q
        if p[0] == q[0] and (p[1] + q[1]) % cls.P == 0:
            return None
        top, bottom = (3 * p[0] ** 2 + cls.A, 2 * p[1]) if p == q else (q[1] - p[1], q[0] - p[0])
        slope = top * pow(bottom, -1, cls.P) % cls.P
        x = (slope ** 2 - p[0] - q[0]) % cls.P
        return x, (slope * (p[0] - x) - p[1]) % cls.P

    @classmethod
    def times(cls, k, p):
        out = None
        for bit in bin(k)[2:]:
            out = cls.add(out, out)
            out = cls.add(out, p) if bit == "1" else out
        return out

    @classmethod
    def sign(cls, private, e, k):
        r = (e + cls.times(k, cls.G)[0]) % cls.N
        return r, pow(1 + private, -1, cls.N) * (k - r * private) % cls.N

    @classmethod
    def verifies(cls, public, e, r, s):
        point = cls.add(cls.times(s, cls.G), cls.times((r + s) % cls.N, public))
        return (e + point[0]) % cls.N == r
