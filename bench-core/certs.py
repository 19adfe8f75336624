#!/usr/bin/env python3
"""Writes core/tls_certs.def: of each kind of key a root, and a certificate of a server that it signed, with the server's key.

    certs.py            writes it anew
    certs.py --check    exits with 1 where it is not what it would write

They are made for the benchmarks of TLS and for nothing else. Keys follow from a text or are those of keys.py, signatures are deterministic
(PKCS #1 v1.5; RFC 6979), and they hold from 1970 to the end of the year 9999, so that neither a clock that is far off nor one that is not there
matters. Each is verified by python3-cryptography before it is written.
"""
import hashlib
import hmac
import pathlib
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa

from keys import EXPONENT, CURVES, octets_of, rsa_key, stream

CORE = pathlib.Path(__file__).resolve().parent / "core"
ROW = 128
P256 = CURVES["p256"][1]
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
RSA_SHA256, ECDSA_SHA256 = "1.2.840.113549.1.1.11", "1.2.840.10045.4.3.2"


def der(tag, *parts):
    body = b"".join(parts)
    size = len(body)
    if size < 128:
        return bytes((tag, size)) + body
    octets = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes((tag, 0x80 | len(octets))) + octets + body


def sequence(*parts):
    return der(0x30, *parts)


def integer(value):
    return der(0x02, value.to_bytes(value.bit_length() // 8 + 1, "big"))


def identifier(text):
    first, second, *rest = map(int, text.split("."))
    out = [40 * first + second]
    for arc in rest:
        septets = [arc & 0x7F]
        while arc := arc >> 7:
            septets.append(0x80 | arc & 0x7F)
        out += reversed(septets)
    return der(0x06, bytes(out))


def bits(octets, unused=0):
    return der(0x03, bytes((unused,)), octets)


def name(text):
    return sequence(der(0x31, sequence(identifier("2.5.4.3"), der(0x0C, text.encode()))))


def extension(oid, value, critical=False):
    return sequence(identifier(oid), der(0x01, b"\xff") if critical else b"", der(0x04, value))


def key_id(key):
    """RFC 7093, section 2, method 1."""
    point = key.public_key().public_bytes(*((serialization.Encoding.DER, serialization.PublicFormat.PKCS1) if isinstance(key, rsa.RSAPrivateKey)
                                            else (serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)))
    return hashlib.sha256(point).digest()[:20]


def prime(label):
    """The first one behind a stream of 1024 bits."""
    candidate = stream(label, 1024) | 3 << 1022 | 1
    while pow(2, candidate - 1, candidate) != 1 or candidate % EXPONENT == 1:
        candidate += 2
    return candidate


def rsa_root():
    p, q = prime("benchmatrix tls root p"), prime("benchmatrix tls root q")
    d = pow(EXPONENT, -1, (p - 1) * (q - 1))
    public = rsa.RSAPublicNumbers(EXPONENT, p * q)
    return rsa.RSAPrivateNumbers(p, q, d, rsa.rsa_crt_dmp1(d, p), rsa.rsa_crt_dmq1(d, q), rsa.rsa_crt_iqmp(p, q), public).private_key()


def ec_key(label):
    return ec.derive_private_key(stream(f"benchmatrix tls {label}", 255), P256)


def nonce(private, digest):
    """RFC 6979, section 3.2, with SHA-256 and P-256."""
    seed = octets_of(private, 256) + octets_of(int.from_bytes(digest, "big") % ORDER, 256)
    k, v = bytes(32), b"\1" * 32
    for octet in b"\0\1":
        k = hmac.digest(k, v + bytes((octet,)) + seed, "sha256")
        v = hmac.digest(k, v, "sha256")
    while True:
        v = hmac.digest(k, v, "sha256")
        number = int.from_bytes(v, "big")
        if 0 < number < ORDER:
            return number
        k = hmac.digest(k, v + b"\0", "sha256")
        v = hmac.digest(k, v, "sha256")


def sign(key, text):
    if isinstance(key, rsa.RSAPrivateKey):
        return key.sign(text, padding.PKCS1v15(), hashes.SHA256())
    digest, private = hashlib.sha256(text).digest(), key.private_numbers().private_value
    k = nonce(private, digest)
    r = ec.derive_private_key(k, P256).public_key().public_numbers().x % ORDER
    return sequence(integer(r), integer(pow(k, -1, ORDER) * (int.from_bytes(digest, "big") + r * private) % ORDER))


def certificate(key, issuer_key, serial, subject, issuer, extensions):
    algorithm = sequence(identifier(RSA_SHA256), der(0x05)) if isinstance(issuer_key, rsa.RSAPrivateKey) else sequence(identifier(ECDSA_SHA256))
    public = key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    extensions += (extension("2.5.29.14", der(0x04, key_id(key))), extension("2.5.29.35", sequence(der(0x80, key_id(issuer_key)))))
    validity = sequence(der(0x17, b"700101000000Z"), der(0x18, b"99991231235959Z"))
    body = sequence(der(0xA0, integer(2)), integer(serial), algorithm, name(issuer), validity, name(subject), public,
                    der(0xA3, sequence(*extensions)))
    return sequence(body, algorithm, bits(sign(issuer_key, body)))


def verify(octets, issuer_key):
    read = x509.load_der_x509_certificate(octets)
    how = (padding.PKCS1v15(), hashes.SHA256()) if isinstance(issuer_key, rsa.RSAPrivateKey) else (ec.ECDSA(hashes.SHA256()),)
    issuer_key.public_key().verify(read.signature, read.tbs_certificate_bytes, *how)
    assert read.not_valid_after.year == 9999 and read.not_valid_before.year == 1970


def identity(kind, root_key, key):
    title = f"benchmatrix {kind} root"
    root = certificate(root_key, root_key, 1, title, title, (
        extension("2.5.29.19", sequence(der(0x01, b"\xff")), critical=True),  # a certification authority
        extension("2.5.29.15", bits(b"\x04", 2), critical=True)))  # that signs certificates
    server = certificate(key, root_key, 2, "benchmatrix.example", title, (
        extension("2.5.29.15", bits(b"\xa0" if kind.startswith("rsa") else b"\x80", 5 if kind.startswith("rsa") else 7), critical=True),
        extension("2.5.29.37", sequence(identifier("1.3.6.1.5.5.7.3.1"))),  # a server's
        extension("2.5.29.17", sequence(der(0x82, b"benchmatrix.example")))))
    for octets in (root, server):
        verify(octets, root_key)
    return root, server, key.private_bytes(serialization.Encoding.DER, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption())


def literal(octets):
    text = octets.hex()
    return "\n\t\t".join(f'"{text[i:i + ROW]}"' for i in range(0, len(text), ROW))


def rows():
    yield "/* Written by certs.py, which says what they are; do not edit. TLS_CERTS(kind, root, the server's certificate, its key). */\n"
    yield "/* clang-format off */\n"
    for kind, root_key, key in (("rsa-2048", rsa_root(), rsa_key(2048)), ("ecdsa-p256", ec_key("root"), ec_key("server"))):
        yield f'TLS_CERTS("{kind}",\n\t' + ",\n\t".join(map(literal, identity(kind, root_key, key))) + ")\n"
    yield "/* clang-format on */\n"


def main():
    file = CORE / "tls_certs.def"
    text = "".join(rows())
    if sys.argv[1:] != ["--check"]:
        file.write_text(text)
        return 0
    same = file.read_text() == text
    if not same:
        print(f"{file}: not what {pathlib.Path(__file__).name} writes")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
