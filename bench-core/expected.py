#!/usr/bin/env python3
"""Writes core/expected.def, what the timed operations must give, and core/keys.def, what the public-key ones work on.

    expected.py            writes both anew
    expected.py --check    exits with 1 where they are not what it would write
    expected.py --check-short    the same of blocks up to 64 KiB: a second in place of many

Outputs are computed with python3-cryptography (OpenSSL) and hashlib: BLAKE2 there is code of its own, the rest OpenSSL again. RABBIT, HC-128
and ML-KEM are of references.py, which also gives a second opinion on SM3 and SM4. The published answers of core/published.def are held against the same
programs first.
"""
import hashlib
import hmac
import pathlib
import re
import sys
import warnings

from cryptography.hazmat.primitives import cmac, hashes, poly1305
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM, ChaCha20Poly1305

from keys import key_rows
from references import Hc128, Rabbit, Sm4, sm3

warnings.simplefilter("ignore")  # of what is old

CORE = pathlib.Path(__file__).resolve().parent / "core"
SCHEMA = CORE.parent.parent / "schema"
BLOCKS = (16, 64, 256, 1024, 4096, 8192, 16384, 65536, 262144, 1048576, 8388608)
SECOND_OPINION = 16384  # bytes: the largest block that the slow one is asked about

# As core/prove.c has them.
BULK_KEY = bytes(range(0xB0, 0xF0))
BULK_IV = bytes(range(0x10, 0x20))
BULK_AAD = bytes(range(0xA0, 0xAD))
TAG_SIZE = 16

MODES = {"ecb": lambda iv: modes.ECB(), "cbc": modes.CBC, "cfb": modes.CFB, "ofb": modes.OFB, "ctr": modes.CTR, "xts": modes.XTS}
BLOCK_CIPHERS = {"aes": algorithms.AES, "camellia": algorithms.Camellia, "sm4": algorithms.SM4, "3des": algorithms.TripleDES}
STREAM_CIPHERS = {"rabbit": Rabbit, "hc-128": Hc128}
KDFS = ("hkdf-sha-256", "pbkdf2-hmac-sha-256-1000-32", "scrypt-16384-8-1")


def pattern(size):
    """The input of the timed operations, as core/expected.c fills it: the high bytes of a linear congruential counter."""
    counter, out = 0, bytearray()
    for _ in range(size):
        counter = (counter * 1664525 + 1013904223) & 0xFFFFFFFF
        out.append(counter >> 24)
    return bytes(out)


def xor(a, b):
    return (int.from_bytes(a, "big") ^ int.from_bytes(b, "big")).to_bytes(len(a), "big")


def aead(algorithm, key, tag_size):
    if algorithm == "chacha20-poly1305":
        return ChaCha20Poly1305(key)
    return AESGCM(key) if algorithm.endswith("-gcm") else AESCCM(key, tag_size)


def is_aead(algorithm):
    return algorithm.endswith(("-gcm", "-ccm", "-poly1305"))


keystreams = {}


def keystream(algorithm, key, iv, size):
    """The longest one is made first, and the others are its beginnings."""
    known = keystreams.get((algorithm, key, iv), b"")
    if len(known) < size:
        known = keystreams[algorithm, key, iv] = STREAM_CIPHERS[algorithm](key, iv).keystream(size)
    return known[:size]


def crypt(algorithm, key, iv, text, encrypt):
    if algorithm in STREAM_CIPHERS:
        return xor(text, keystream(algorithm, key, iv, len(text)))
    if algorithm == "arc4":
        cipher = Cipher(algorithms.ARC4(key), None)
    elif algorithm == "chacha20":
        cipher = Cipher(algorithms.ChaCha20(key, iv), None)
    else:
        family, mode = algorithm.split("-")[0], algorithm.split("-")[-1]
        cipher = Cipher(BLOCK_CIPHERS[family](key), MODES[mode](iv))
    direction = cipher.encryptor() if encrypt else cipher.decryptor()
    out = direction.update(text) + direction.finalize()
    if algorithm == "sm4-cbc" and len(text) <= SECOND_OPINION:
        assert out == Sm4(key).cbc(text, iv, encrypt)
    return out


def hashlib_name(algorithm):
    names = {"sha-1": "sha1", "sha-512-224": "sha512_224", "sha-512-256": "sha512_256", "ripemd-160": "ripemd160"}
    return names.get(algorithm, algorithm.replace("sha3-", "sha3_").replace("sha-", "sha"))


def digest(algorithm, text):
    if algorithm == "sm3":
        out = hashes.Hash(hashes.SM3())
        out.update(text)
        out = out.finalize()
        assert len(text) > SECOND_OPINION or out == sm3(text)
        return out
    if algorithm.startswith("shake"):
        return hashlib.new(algorithm.replace("shake", "shake_"), text).digest({"shake128": 32, "shake256": 64}[algorithm])
    return hashlib.new(hashlib_name(algorithm), text).digest()


def mac(algorithm, key, iv, text):
    if algorithm.startswith("hmac-"):
        return hmac.new(key, text, hashlib_name(algorithm[5:])).digest()
    if algorithm.endswith("-gmac"):
        return AESGCM(key).encrypt(iv, b"", text)
    if algorithm.endswith("-cmac"):
        out = cmac.CMAC(algorithms.AES(key))
        out.update(text)
        return out.finalize()
    return poly1305.Poly1305.generate_tag(key, text)


def derive(algorithm, secret, salt, context, size):
    if algorithm.startswith("pbkdf2"):
        return hashlib.pbkdf2_hmac("sha256", secret, salt, 1000, size)
    if algorithm.startswith("scrypt"):
        return hashlib.scrypt(secret, salt=salt, n=16384, r=8, p=1, dklen=size)
    key, out, last = hmac.new(salt, secret, "sha256").digest(), b"", b""
    while len(out) < size:
        last = hmac.new(key, last + context + bytes([len(out) // 32 + 1]), "sha256").digest()
        out += last
    return out[:size]


def kind_of(algorithm):
    if algorithm in KDFS:
        return "derive"
    if algorithm == "poly1305" or algorithm.startswith("hmac-") or algorithm.endswith(("-cmac", "-gmac")):
        return "mac"
    if re.match("md5|sha|shake|blake2|ripemd|sm3", algorithm):
        return "hash"
    return "cipher"


def read_rows(path, macro, fields):
    text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
    for row in re.findall(r"^" + macro + r"\((.*?)\)$", text, re.M | re.S):
        values = ["".join(re.findall(r'"((?:[^"\\]|\\.)*)"', field)) or field.strip() for field in re.split(r",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", row)]
        assert len(values) == fields, row
        yield ["" if value == '""' else value for value in values]


def check_published(algorithm, key, iv, aad, text, out, tag):
    kind = kind_of(algorithm)
    if kind == "derive":
        assert derive(algorithm, key, iv, aad, len(out)) == out, algorithm
    elif kind == "hash":
        assert digest(algorithm, text) == out, algorithm
    elif kind == "mac":
        assert mac(algorithm, key, iv, text) == out, algorithm
    elif is_aead(algorithm):
        assert aead(algorithm, key, len(tag)).encrypt(iv, text, aad) == out + tag, algorithm
    else:
        assert crypt(algorithm, key, iv, text, True) == out and crypt(algorithm, key, iv, out, False) == text, algorithm


def bulk_outputs(algorithm, key, iv, text):
    """{operation: output, "TAG": tag} of the timed operations on this text."""
    kind = kind_of(algorithm)
    if kind == "hash":
        return {"hash": digest(algorithm, text)}
    if kind == "mac":
        return {"mac": mac(algorithm, key, iv, text)}
    if not is_aead(algorithm):
        return {"encrypt": crypt(algorithm, key, iv, text, True), "decrypt": crypt(algorithm, key, iv, text, False)}
    seal = aead(algorithm, key, TAG_SIZE)
    # A ciphertext is the pattern too, so that decryption does not rest on the library's own encryption.
    plain = xor(text, seal.encrypt(iv, bytes(len(text)), BULK_AAD)[:len(text)])
    sealed = seal.encrypt(iv, plain, BULK_AAD)
    assert sealed[:len(text)] == text
    return {"encrypt": seal.encrypt(iv, text, BULK_AAD), "decrypt": plain, "TAG": sealed[len(text):]}


def first_octets(output):
    return "0x" + hashlib.sha256(output).hexdigest()[:16]


def row(macro, name, values, indent="\t"):
    line, lines = f"{macro}({name}", []
    for value in values:
        if len(line) + len(value) > 138:
            lines.append(line + ",")
            line = indent + value
        else:
            line += ", " + value
    return "\n".join(lines + [line + ")"])


def bulk_lines(ids, published, blocks):
    text = pattern(blocks[-1])
    seen = {}
    for algorithm, key, iv, *_ in published:
        if kind_of(algorithm) != "derive":
            seen.setdefault(algorithm, (BULK_KEY[:len(key)], BULK_IV[:len(iv)]))
    for algorithm, (key, iv) in seen.items():
        outputs = [bulk_outputs(algorithm, key, iv, text[:block]) for block in sorted(blocks, reverse=True)][::-1]
        for operation in outputs[0]:
            if operation == "TAG":
                yield row("TAGS", f'"{algorithm}"', [f'"{output["TAG"].hex()}"' for output in outputs])
            elif f"{algorithm} {operation}" in ids:
                yield row("EXPECTED", ids[f"{algorithm} {operation}"], [first_octets(output[operation]) for output in outputs])


def key_outputs(algorithm, keys):
    """(operation, what comes of it) of those whose output is the same each time."""
    if algorithm.startswith("rsa-"):
        return ("public", keys["plain"]), ("private", keys["plain"]), ("sign", keys["signature"]), ("verify", keys["message"])
    if algorithm.startswith("ml-kem-"):
        return ("keygen", keys["made"]), ("encaps", keys["sealed"]), ("decaps", keys["secret"])
    if algorithm.startswith("ed"):
        return (("sign", keys["signature"]),)
    return (("agree", keys["secret"]),) if "secret" in keys else ()


def render_expected(ids, published, keys, blocks):
    lines = [
        "/* Written by expected.py; do not edit. EXPECTED(benchmark, one of each block): the first eight bytes of the SHA-256 of the timed output.",
        " * EXPECTED_ONE(benchmark, digest): the same of one without blocks. TAGS(algorithm, one of each block): of the input of its decryption. */",
        "/* clang-format off */",
        "BLOCKS(%s)" % ", ".join(str(block) for block in BLOCKS),
        *bulk_lines(ids, published, blocks),
    ]
    for algorithm, *_, out, _tag in published:
        if kind_of(algorithm) == "derive":
            lines.append(row("EXPECTED_ONE", ids[algorithm + " derive"], [first_octets(out)]))
    for algorithm, values in keys:
        for operation, output in key_outputs(algorithm, values):
            lines.append(row("EXPECTED_ONE", ids[f"{algorithm} {operation}"], [first_octets(output)]))
    return "\n".join(lines) + "\n"


def render_keys(keys):
    fields = ("group", "prime", "own_private", "own_public", "peer_private", "peer_public", "plain", "cipher", "message", "signature")
    lines = [
        "/* Written by expected.py from keys.py, which says where each is from; do not edit. KEYS(algorithm, member = hexadecimal, ...): of",
        " * struct core_keys. */",
        "/* clang-format off */",
    ]
    for algorithm, values in keys:
        line = f'KEYS("{algorithm}"'
        for field in fields:
            value = values.get(field)
            if value is None:
                continue
            text = value if isinstance(value, str) else value.hex()
            pieces = [f'"{text[i:i + 128]}"' for i in range(0, len(text), 128)]
            line += f",\n\t.{field} = " + "\n\t\t".join(pieces)
        lines.append(line + ")")
    return "\n".join(lines) + "\n"


def shortened(text, blocks):
    """The rows with the values of the first blocks alone, on one line each."""
    rows = re.findall(r"^(EXPECTED|EXPECTED_ONE|TAGS)\((.*?)\)$", text, re.M | re.S)
    return [(macro, *[value.strip() for value in values.split(",")][:1 + len(blocks)]) for macro, values in rows]


def main():
    short = sys.argv[1:] == ["--check-short"]
    blocks = BLOCKS[:8] if short else BLOCKS
    ids = {name: identifier for identifier, name, *_ in read_rows(SCHEMA / "benchmarks.def", "BENCHMARK", 5)}
    published = [[algorithm, *(bytes.fromhex(value) for value in values[:6])] for algorithm, *values in read_rows(CORE / "published.def", "PUBLISHED", 8)]
    for values in published:
        check_published(*values)
    keys = list(key_rows())
    good = True
    for name, text in (("expected.def", render_expected(ids, published, keys, blocks)), ("keys.def", render_keys(keys))):
        path = CORE / name
        if short and name == "expected.def":
            good = good and shortened(path.read_text(), blocks) == shortened(text, blocks)
        elif sys.argv[1:]:
            good = good and path.read_text() == text
        else:
            path.write_text(text)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
