"""The keys and messages of the public-key benchmarks, for expected.py: rows of core/keys.def, each held against its publication and against
python3-cryptography."""
import hashlib

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, padding, rsa, utils, x448, x25519

from references import MlKem, Sm2

EXPONENT = 65537
# "Everyone gets Friday off."
PLAIN = bytes.fromhex("45766572796f6e65206765747320467269646179206f66662e")
SAMPLE = hashlib.sha256(b"sample").digest()
# RFC 8017, section 9.2: DigestInfo of SHA-256.
DIGEST_INFO = bytes.fromhex("3031300d060960864801650304020105000420") + SAMPLE

# Ours, for this alone. The primes of 2048 bits are drawn, those of the other sizes are the first good ones behind a stream: how far behind.
PRIMES_2048 = (
    0xe3504d1f4db582e157a683f52411f560edd9baf51cccbddb52ef2cd2d2a7c4c3d26b798125fc6265222ebc4c16ec0b3e6c85ee12aa7525b22d2e94c554b36932
    << 512 | 0x8397e2ddaec5f50277fe30424516712849a7909afe20ff497b5366c8d2e0c423226a7fac4af60773efdb42aa31ece2903c060e3e311a85664130a78fa45cfe77,
    0xda89b0fcd399e6791c7b33c4733801b0b55ca871e0b39719c992f8d2abf85d570704359344d520cad846cb5c9da709f73629e05eb1867028c9e6dfb1dc38767a
    << 512 | 0x556e239923785f6ab5c04f37571769bbb4704c334246d3ed35ffc9c1b1a0254047cce1a8a19733f1189e739345201a1bebc3ae54ba95f835cba1fa69704d7aff,
)
OFFSETS = {1024: (1366, 338), 2056: (1108, 374), 3072: (3170, 4254), 4096: (136, 832)}

# RFC 7919: bits of the group, what is added to e, size of private keys; ours of 2048 bits are drawn, the others of a stream.
GROUPS = {2048: (560316, 29), 3072: (2625351, 35), 4096: (5736041, 41)}
DH_2048 = (0xbe288776cae6e3a722362d4ef3d8c57b73748fb9fb3438bab7d6ba2557, 0xc4fd92fddefc114a1460130f3e4821fdcc0d1517faff6db0053a80e6a3)

# Curve: its name and OpenSSL's, ECDH keys of both sides, the start of their secret, ECDSA key, r and s for SHA-256 of "sample". ECDH of
# P-256, P-384 and P-521 is RFC 5903 section 8, of Brainpool RFC 7027 appendix A; ECDSA of P-192 to P-521 RFC 6979 appendix A.2. What has no
# publication (None) is ours, its signatures made by OpenSSL.
CURVES = {
    "p192": ("P-192", ec.SECP192R1(), None, None, "",
             0x6FAB034934E4C0FC9AE67F5B5659A9D7D1FEFD187EE09FD4,
             0x4B0B8CE98A92866A2820E20AA6B75B56382E0F9BFD5ECB55, 0xCCDB006926EA9565CBADC840829D8C384E06DE1F1E381B85),
    "p224": ("P-224", ec.SECP224R1(), None, None, "",
             0xF220266E1105BFE3083E03EC7A3A654651F45E37167E88600BF257C1,
             0x61AA3DA010E8E8406C656BC477A7A7189895E7E840CDFE8FF42307BA, 0xBC814050DAB5D23770879494F9E0A680DC1AF7161991BDE692B10101),
    "p256": ("P-256", ec.SECP256R1(),
             0xC88F01F510D9AC3F70A292DAA2316DE544E9AAB8AFE84049C62A9C57862D1433,
             0xC6EF9C5D78AE012A011164ACB397CE2088685D8F06BF9BE0B283AB46476BEE53, "d6840f6b42f6edaf",
             0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721,
             0xEFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716, 0xF7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8),
    "p384": ("P-384", ec.SECP384R1(),
             0x099F3C7034D4A2C699884D73A375A67F7624EF7C6B3C0F160647B67414DCE655E35B538041E649EE3FAEF896783AB194,
             0x41CB0779B4BDB85D47846725FBEC3C9430FAB46CC8DC5060855CC9BDA0AA2942E0308312916B8ED2960E4BD55A7448FC, "11187331c279962d",
             0x6B9D3DAD2E1B8C1C05B19875B6659F4DE23C3B667BF297BA9AA47740787137D896D5724E4C70A825F872C9EA60D2EDF5,
             0x21B13D1E013C7FA1392D03C5F99AF8B30C570C6F98D4EA8E354B63A21D3DAA33BDE1E888E63355D92FA2B3C36D8FB2CD,
             0xF3AA443FB107745BF4BD77CB3891674632068A10CA67E3D45DB2266FA7D1FEEBEFDC63ECCD1AC42EC0CB8668A4FA0AB0),
    "p521": ("P-521", ec.SECP521R1(),
             0x0037ADE9319A89F4DABDB3EF411AACCCA5123C61ACAB57B5393DCE47608172A095AA85A30FE1C2952C6771D937BA9777F5957B2639BAB072462F68C27A57382D4A52,
             0x0145BA99A847AF43793FDD0E872E7CDFA16BE30FDC780F97BCCC3F078380201E9C677D600B343757A3BDBF2A3163E4C2F869CCA7458AA4A4EFFC311F5CB151685EB9,
             "01144c7d79ae6956",
             0x00FAD06DAA62BA3B25D2FB40133DA757205DE67F5BB0018FEE8C86E1B68C7E75CAA896EB32F1F47C70855836A6D16FCC1466F6D8FBEC67DB89EC0C08B0E996B83538,
             0x1511BB4D675114FE266FC4372B87682BAECC01D3CC62CF2303C92B3526012659D16876E25C7C1E57648F23B73564D67F61C6F14D527D54972810421E7D87589E1A7,
             0x04A171143A83163D6DF460AAF61522695F207A58B95C0644D87E52AA1A347916E4F7A72930B1BC06DBE22CE3F58264AFD23704CBB63B29B931F7DE6C9D949A7ECFC),
    "secp256k1": ("secp256k1", ec.SECP256K1(), None, None, "", None,
                  0x1b5b848aa53aaed48b999ea69708110bb4aac211fcbe88d87690a18a21b60950, 0x24a70e3a3ca3d609236d2a6ef94e87c836f9b88299b418103260297706d96e54),
    "brainpoolp256r1": ("brainpoolP256r1", ec.BrainpoolP256R1(),
                        0x81DB1EE100150FF2EA338D708271BE38300CB54241D79950F77B063039804F1D,
                        0x55E40BC41E37E3E2AD25C3C6654511FFA8474A91A0032087593852D3E7D76BD3, "89afc39d41d3b327",
                        0x81DB1EE100150FF2EA338D708271BE38300CB54241D79950F77B063039804F1D,
                        0x22b0813ecd5c707cf5a0f93b158d1bb521c91cedd2b0d7b53a6dd73c5206ea7d,
                        0x81ca9ba803ad7b1a15ac5094564ee13a72bbfa44ef8367f6d6af1579cd2897a9),
    "brainpoolp384r1": ("brainpoolP384r1", ec.BrainpoolP384R1(),
                        0x1E20F5E048A5886F1F157C74E91BDE2B98C8B52D58E5003D57053FC4B0BD65D6F15EB5D1EE1610DF870795143627D042,
                        0x032640BC6003C59260F7250C3DB58CE647F98E1260ACCE4ACDA3DD869F74E01F8BA5E0324309DB6A9831497ABAC96670, "0bd9d3a7ea0b3d51",
                        0x1E20F5E048A5886F1F157C74E91BDE2B98C8B52D58E5003D57053FC4B0BD65D6F15EB5D1EE1610DF870795143627D042,
                        0x2df1a3100cfd48e295750855427d7926a134ba875e0d4facb02d14864e4bb46b5f6117c9a2afeaee445a5431df6940f2,
                        0x7f98d0a85bc6aaf3ca14f5b6a8b912ebf1e23cdf7cbb0f0652c7bef914f02429004281b2798193a0cd363374785a5c00),
}

# RFC 7748, sections 6.1 and 6.2: both private keys, and the start of their secret.
MONTGOMERY = {
    "curve25519": (x25519.X25519PrivateKey, "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
                   "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb", "4a5d9d5ba4ce2de1"),
    "x448": (x448.X448PrivateKey,
             "9a8f4925d1519f5775cf46b04b5800d4ee9ee8bae8bc5565d498c28dd9c9baf574a9419744897391006382a6f127ab1d9ac2d8c0a598726b",
             "1c306a7ac2a0e2e0990b294470cba339e6453772b075811d8fad0d1d6927c120bb5ee8972b0d3e21374c9c921b09d1b0366f10b65173992d",
             "07fff4181ac6cc95"),
}

# RFC 8032, section 7.1 test 3 and section 7.4 "1 octet": private key, message, start of the signature.
EDWARDS = {
    "ed25519": (ed25519.Ed25519PrivateKey, "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7", "af82", "6291d657deec2402"),
    "ed448": (ed448.Ed448PrivateKey, "c4eab05d357007c632f3dbb48489924d552b08fe0c353a0d4a1f00acda2c463afbea67c5e8d2877c5e3bc397a659949ef8021e954e0a12274e",
              "03", "26b8f91727bd6289"),
}

# GB/T 32918.5-2017, annex A.2: private key, random number, what is signed (SM3 of ZA and "message digest"), and the signature.
SM2 = (0x3945208F7B2144B13F36E38AC6D39F95889393692860B51A42FB81EF4DF7C5B8, 0x59276E27D506861A16680F3AD9C02DCCEF3CC1FA3CDBE4CE6D54B80DEAC1BC21,
       0xF0B43E94BA45ACCAACE692ED534382EB17E6AB5A19CE7B31F4486FDFC0D28640,
       0xF5A03B0648D2C4630EEAC513E1BB81A15944DA3827D5B74143AC7EACEEE720B3, 0xB1B6AA29DF212FD8763182BC0D421CA1BB9038FD1F7F42D4840B69C485BBC1AA)
# Their keys are made of a seed; what they sign is proved by verifying it.
ML_DSA = ("ml-dsa-44", "ml-dsa-65", "ml-dsa-87")
SLH_DSA = tuple(f"slh-dsa-{family}-{bits}{kind}" for family in ("sha2", "shake") for bits in (128, 192, 256) for kind in "sf")

RAW = serialization.Encoding.Raw


def number(octets):
    return int.from_bytes(octets, "big")


def octets_of(value, bits):
    return value.to_bytes((bits + 7) // 8, "big")


def stream(label, bits):
    """The first bits of SHA-256("label 0"), SHA-256("label 1") and so on, as a number."""
    blocks = (bits + 255) // 256
    whole = b"".join(hashlib.sha256(f"{label} {i}".encode()).digest() for i in range(blocks))
    return number(whole) >> (256 * blocks - bits)


def rsa_key(bits):
    if bits == 2048:
        p, q = PRIMES_2048
    else:
        p, q = ((stream(f"rsa-{bits} {name}", bits // 2) | 3 << (bits // 2 - 2) | 1) + offset for name, offset in zip("pq", OFFSETS[bits]))
    assert pow(2, p - 1, p) == 1 == pow(2, q - 1, q)
    d = pow(EXPONENT, -1, (p - 1) * (q - 1))
    public = rsa.RSAPublicNumbers(EXPONENT, p * q)
    return rsa.RSAPrivateNumbers(p, q, d, rsa.rsa_crt_dmp1(d, p), rsa.rsa_crt_dmq1(d, q), rsa.rsa_crt_iqmp(p, q), public).private_key()


def rsa_row(bits):
    key = rsa_key(bits)
    size = (bits + 7) // 8
    # The padding is ours: with a random one the row would be another each time.
    filler = bytes(1 + octet % 255 for octet in hashlib.shake_128(b"rsa %d" % bits).digest(size - 3 - len(PLAIN)))
    n = key.private_numbers().public_numbers.n
    cipher = octets_of(pow(number(b"\0\2" + filler + b"\0" + PLAIN), EXPONENT, n), bits)
    assert key.key_size == bits and key.decrypt(cipher, padding.PKCS1v15()) == PLAIN
    return {"own_private": key.private_bytes(serialization.Encoding.DER, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()),
            "plain": PLAIN, "cipher": cipher, "message": DIGEST_INFO, "signature": key.sign(b"sample", padding.PKCS1v15(), hashes.SHA256())}


def euler(bits):
    """2^bits * e, rounded down."""
    total, term, i = 0, 1 << (bits + 64), 0
    while term:
        total += term
        i += 1
        term //= i
    return total >> 64


def dh_row(bits):
    added, size = GROUPS[bits]
    p = 2 ** bits - 2 ** (bits - 64) + (euler(bits - 130) + added) * 2 ** 64 - 1
    assert pow(2, p - 1, p) == 1 == pow(2, (p - 1) // 2, p)
    own, peer = DH_2048 if bits == 2048 else (stream(f"dh-{bits} {side}", 8 * size) for side in ("own", "peer"))
    secret = octets_of(pow(2, own * peer, p), bits)
    # A first octet of 0 would be left out by some libraries and written by others.
    assert secret[0] != 0 and own >> (8 * size - 8) and peer >> (8 * size - 8)
    return {"group": f"ffdhe{bits}", "prime": octets_of(p, bits), "own_private": octets_of(own, 8 * size), "own_public": octets_of(pow(2, own, p), bits),
            "peer_private": octets_of(peer, 8 * size), "peer_public": octets_of(pow(2, peer, p), bits), "secret": secret}


def point(key):
    numbers = key.public_key().public_numbers()
    return octets_of(numbers.x, key.key_size) + octets_of(numbers.y, key.key_size)


def curve_rows(suffix):
    name, curve, own, peer, start, signer, r, s = CURVES[suffix]
    own, peer, signer = (ec.derive_private_key(value or stream(f"benchmatrix {suffix} {side}", curve.key_size - 1), curve)
                         for value, side in ((own, "own"), (peer, "peer"), (signer, "own")))
    secret = own.exchange(ec.ECDH(), peer.public_key())
    assert secret == peer.exchange(ec.ECDH(), own.public_key()) and secret.hex().startswith(start) and len(secret) == len(point(own)) // 2
    signature = utils.encode_dss_signature(r, s)
    signer.public_key().verify(signature, b"sample", ec.ECDSA(hashes.SHA256()))

    def private(key):
        return octets_of(key.private_numbers().private_value, curve.key_size)

    yield "ecdh-" + suffix, {"group": name, "own_private": private(own), "own_public": point(own), "peer_private": private(peer),
                             "peer_public": point(peer), "secret": secret}
    yield "ecdsa-" + suffix, {"group": name, "own_private": private(signer), "own_public": point(signer), "message": SAMPLE, "signature": signature}


def raw_public(key):
    return key.public_key().public_bytes(RAW, serialization.PublicFormat.Raw)


def montgomery_row(name):
    kind, own, peer, start = MONTGOMERY[name]
    one, two = (kind.from_private_bytes(bytes.fromhex(text)) for text in (own, peer))
    secret = one.exchange(two.public_key())
    assert secret.hex().startswith(start)
    return {"own_private": bytes.fromhex(own), "own_public": raw_public(one), "peer_private": bytes.fromhex(peer), "peer_public": raw_public(two),
            "secret": secret}


def edwards_row(name):
    kind, private, message, start = EDWARDS[name]
    key = kind.from_private_bytes(bytes.fromhex(private))
    signature = key.sign(bytes.fromhex(message))
    assert signature.hex().startswith(start)
    return {"own_private": bytes.fromhex(private), "own_public": raw_public(key), "message": bytes.fromhex(message), "signature": signature}


def sm2_row():
    private, k, e, r, s = SM2
    public = Sm2.times(private, Sm2.G)
    assert Sm2.sign(private, e, k) == (r, s) and Sm2.verifies(public, e, r, s) and not Sm2.verifies(public, e ^ 1, r, s)
    return {"group": "SM2", "own_private": octets_of(private, 256), "own_public": octets_of(public[0], 256) + octets_of(public[1], 256),
            "message": octets_of(e, 256), "signature": utils.encode_dss_signature(r, s)}


def seeded_row(name, bits):
    return {"own_private": octets_of(stream(f"{name} seed", bits), bits), "message": SAMPLE}


def ml_kem_row(name):
    """d and z, m, and what comes of them: no other program here has it but references.py."""
    scheme = MlKem(name)
    seed, m = octets_of(stream(f"{name} d z", 512), 512), octets_of(stream(f"{name} m", 256), 256)
    public = scheme.public_key(seed[:32])
    cipher, secret = scheme.encapsulate(public, m)
    return {"own_private": seed, "message": m, "made": public, "sealed": cipher + secret, "secret": secret}


def key_rows():
    """(algorithm, row) of all."""
    for bits in (1024, 2048, 2056, 3072, 4096):
        yield f"rsa-{bits}", rsa_row(bits)
    for bits in GROUPS:
        yield f"dh-{bits}", dh_row(bits)
    for suffix in CURVES:
        yield from curve_rows(suffix)
    for name in MONTGOMERY:
        yield name, montgomery_row(name)
    for name in EDWARDS:
        yield name, edwards_row(name)
    for name in MlKem.SETS:
        yield name, ml_kem_row(name)
    yield "sm2", sm2_row()
    for name in ML_DSA:
        yield name, seeded_row(name, 256)
    for name in SLH_DSA:
        # SK.seed, SK.prf and PK.seed (FIPS 205, 9.1).
        yield name, seeded_row(name, 3 * int(name[-4:-1]))
