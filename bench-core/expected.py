#!/usr/bin/env python3
"""Writes core/expected.def: what the timed operations must give, computed with python3-cryptography.

    expected.py            writes core/expected.def anew
    expected.py --check    exits with 1 where core/expected.def is not what it would write

Before that it holds the published vectors of core/vectors.def against the same library. That one is OpenSSL underneath: for SM3 and SM4,
which no other library here answers for, a second opinion is written out below from the standards.
"""
import hashlib
import pathlib
import re
import sys

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, utils
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

CORE = pathlib.Path(__file__).resolve().parent / "core"
BLOCKS = (16, 64, 256, 1024, 4096, 8192, 16384, 65536, 262144, 1048576, 8388608)

SECOND_OPINION = 16384  # bytes: the largest block that the slow one is asked about


def read_vectors():
    rows = re.findall(r'^VECTOR\((\w+), (\d+),\s*((?:"[0-9a-f]*"\s*)+)\)', (CORE / "vectors.def").read_text(), re.M)
    vectors = {}
    for name, size, text in rows:
        vectors[name] = bytes.fromhex("".join(re.findall(r'"(.*?)"', text)))
        assert len(vectors[name]) == int(size), f"{name}: {len(vectors[name])} bytes, not {size}"
    return vectors


def pattern(size):
    """The input of the timed operations, as core/expected.c fills it: the high bytes of a linear congruential counter."""
    counter, out = 0, bytearray()
    for _ in range(size):
        counter = (counter * 1664525 + 1013904223) & 0xFFFFFFFF
        out.append(counter >> 24)
    return bytes(out)


def sm3(message):
    """GB/T 32905-2016, sections 4 and 5."""
    def rol(x, n):
        n %= 32
        return ((x << n) | (x >> (32 - n))) & 0xFFFFFFFF

    state = [0x7380166F, 0x4914B2B9, 0x172442D7, 0xDA8A0600, 0xA96F30BC, 0x163138AA, 0xE38DEE4D, 0xB0FB0E4E]
    padded = message + b"\x80" + bytes((55 - len(message)) % 64) + (8 * len(message)).to_bytes(8, "big")
    for at in range(0, len(padded), 64):
        w = [number(padded[i:i + 4]) for i in range(at, at + 64, 4)]
        for j in range(16, 68):
            x = w[j - 16] ^ w[j - 9] ^ rol(w[j - 3], 15)
            w.append(x ^ rol(x, 15) ^ rol(x, 23) ^ rol(w[j - 13], 7) ^ w[j - 6])
        a, b, c, d, e, f, g, h = state
        for j in range(64):
            ss1 = rol((rol(a, 12) + e + rol(0x79CC4519 if j < 16 else 0x7A879D8A, j)) & 0xFFFFFFFF, 7)
            ff = a ^ b ^ c if j < 16 else (a & b) | (a & c) | (b & c)
            gg = e ^ f ^ g if j < 16 else (e & f) | (~e & g)
            tt1 = (ff + d + (ss1 ^ rol(a, 12)) + (w[j] ^ w[j + 4])) & 0xFFFFFFFF
            tt2 = (gg + h + ss1 + w[j]) & 0xFFFFFFFF
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
            out ^= ((x << turn) | (x >> (32 - turn))) & 0xFFFFFFFF
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


def transform(direction, text):
    return direction.update(text) + direction.finalize()


def sm3_of(text):
    digest = hashes.Hash(hashes.SM3())
    digest.update(text)
    return digest.finalize()


def number(octets):
    return int.from_bytes(octets, "big")


def p256(private, x, y):
    key = ec.derive_private_key(number(private), ec.SECP256R1())
    assert key.public_key().public_numbers() == ec.EllipticCurvePublicNumbers(number(x), number(y), ec.SECP256R1())
    return key


def check_published(v):
    cbc = Cipher(algorithms.AES(v["cbc_key"]), modes.CBC(v["cbc_iv"]))
    assert transform(cbc.encryptor(), v["cbc_plain"]) == v["cbc_cipher"]
    assert AESGCM(v["gcm_key"]).encrypt(v["gcm_iv"], v["gcm_plain"], v["gcm_aad"]) == v["gcm_cipher"] + v["gcm_tag"]
    assert hashlib.sha256(v["sha_abc"]).digest() == v["sha_abc_digest"]
    assert hashlib.sha256(v["sha_448"]).digest() == v["sha_448_digest"]
    sm4 = Cipher(algorithms.SM4(v["sm4_key"]), modes.CBC(v["sm4_iv"]))
    assert transform(sm4.encryptor(), v["sm4_plain"]) == v["sm4_cipher"] == Sm4(v["sm4_key"]).cbc(v["sm4_plain"], v["sm4_iv"], True)
    for text, digest in (("sha_abc", "sm3_abc_digest"), ("sm3_abcd16", "sm3_abcd16_digest")):
        assert sm3_of(v[text]) == sm3(v[text]) == v[digest]
    rsa = serialization.load_der_private_key(v["rsa_key"], None)
    assert rsa.key_size == 2048 and rsa.public_key().public_numbers().e == 65537
    assert rsa.decrypt(v["rsa_cipher"], padding.PKCS1v15()) == v["rsa_plain"]
    p, g = number(v["dh_p"]), number(v["dh_g"])
    own, peer = number(v["dh_private"]), number(v["dh_peer_private"])
    assert pow(g, own, p) == number(v["dh_public"]) and pow(g, peer, p) == number(v["dh_peer_public"])
    # A first byte of 0 would be left out by some libraries and written by others.
    assert pow(g, own * peer, p) == number(v["dh_secret"]) and v["dh_secret"][0] != 0
    own = p256(v["ecdh_private"], v["ecdh_public_x"], v["ecdh_public_y"])
    peer = p256(v["ecdh_peer_private"], v["ecdh_peer_x"], v["ecdh_peer_y"])
    assert own.exchange(ec.ECDH(), peer.public_key()) == v["ecdh_secret"]
    signer = p256(v["ecdsa_private"], v["ecdsa_public_x"], v["ecdsa_public_y"])
    assert v["ecdsa_hash"] == hashlib.sha256(b"sample").digest()
    signer.public_key().verify(v["ecdsa_signature"], b"sample", ec.ECDSA(hashes.SHA256()))
    assert utils.decode_dss_signature(v["ecdsa_signature"]) == (number(v["ecdsa_r"]), number(v["ecdsa_s"]))


def bulk_rows(v, block):
    text, key, iv, aad = pattern(block), v["bulk_key"], v["bulk_iv"], v["bulk_aad"]
    cbc = Cipher(algorithms.AES(key), modes.CBC(iv))
    gcm, nonce = AESGCM(key), iv[:12]
    # A ciphertext is the pattern too, so that decryption does not rest on the library's own encryption.
    stream = gcm.encrypt(nonce, bytes(block), aad)[:block]
    plain = bytes(a ^ b for a, b in zip(text, stream))
    sealed = gcm.encrypt(nonce, plain, aad)
    assert sealed[:block] == text
    sm4 = Cipher(algorithms.SM4(key), modes.CBC(iv))
    sealed4, plain4, digest3 = transform(sm4.encryptor(), text), transform(sm4.decryptor(), text), sm3_of(text)
    if block <= SECOND_OPINION:
        assert (sealed4, plain4) == (Sm4(key).cbc(text, iv, True), Sm4(key).cbc(text, iv, False)) and digest3 == sm3(text)
    yield "AES_128_CBC_ENCRYPT", transform(cbc.encryptor(), text)
    yield "AES_128_CBC_DECRYPT", transform(cbc.decryptor(), text)
    yield "AES_128_GCM_ENCRYPT", gcm.encrypt(nonce, text, aad)
    yield "AES_128_GCM_DECRYPT", plain
    yield "SM4_CBC_ENCRYPT", sealed4
    yield "SM4_CBC_DECRYPT", plain4
    yield "SHA_256_HASH", hashlib.sha256(text).digest()
    yield "SM3_HASH", digest3
    yield "TAG", sealed[block:]


def render(v):
    lines = [
        "/* Written by expected.py; do not edit. EXPECTED(benchmark, block, digest): SHA-256 of the timed output, block 0 for those per",
        " * operation. TAG(block, tag): of aes-128-gcm decrypt's input. */",
        "/* clang-format off */",
    ]
    for block in BLOCKS:
        for name, output in bulk_rows(v, block):
            if name == "TAG":
                lines.append(f'TAG({block}, "{output.hex()}")')
            else:
                lines.append(f'EXPECTED({name}, {block}, "{hashlib.sha256(output).hexdigest()}")')
    for name, output in (
        ("RSA_2048_PUBLIC", v["rsa_plain"]),
        ("RSA_2048_PRIVATE", v["rsa_plain"]),
        ("DH_2048_AGREE", v["dh_secret"]),
        ("ECDH_P256_AGREE", v["ecdh_secret"]),
    ):
        lines.append(f'EXPECTED({name}, 0, "{hashlib.sha256(output).hexdigest()}")')
    return "\n".join(lines) + "\n"


def main():
    vectors = read_vectors()
    check_published(vectors)
    text, target = render(vectors), CORE / "expected.def"
    if sys.argv[1:] == ["--check"]:
        return 0 if target.read_text() == text else 1
    target.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
