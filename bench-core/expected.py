#!/usr/bin/env python3
"""Writes core/expected.def: what the timed operations must give, computed with python3-cryptography alone.

    expected.py            writes core/expected.def anew
    expected.py --check    exits with 1 where core/expected.def is not what it would write

Before that it holds the published vectors of core/vectors.def against the same library.
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
BLOCKS = (16, 64, 256, 1024, 4096, 8192, 16384, 65536, 262144, 1048576)


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


def transform(direction, text):
    return direction.update(text) + direction.finalize()


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
    yield "AES_128_CBC_ENCRYPT", transform(cbc.encryptor(), text)
    yield "AES_128_CBC_DECRYPT", transform(cbc.decryptor(), text)
    yield "AES_128_GCM_ENCRYPT", gcm.encrypt(nonce, text, aad)
    yield "AES_128_GCM_DECRYPT", plain
    yield "SHA_256_HASH", hashlib.sha256(text).digest()
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
