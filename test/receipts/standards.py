"""The public standards under a receipt: base64 (RFC 4648), JSON and its canonical form (RFC 8785), JSON Schema, COSE
keys (RFC 9052, 9053, 8230), WebAuthn Level 3, Merkle trees (RFC 6962) and signed notes (C2SP)."""
import base64, json, re
from decimal import Decimal
from hashlib import sha256
from urllib.parse import urlsplit
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256

TYPES = dict(object=dict, array=list, string=str, number=float, integer=float, boolean=bool, null=type(None))

def check(holds, what):
    if not holds: raise ValueError(what)

def hash_of(data): return sha256(data).digest()

def b64(text, size=None, alphabet=b"+/", pad=True):
    data = base64.b64decode(text + ("" if pad else "=" * (-len(text) % 4)), altchars=alphabet, validate=True)
    again = base64.b64encode(data, alphabet).decode()
    check(text == (again if pad else again.rstrip("=")), "base64 has one form only")
    check(size in (None, len(data)), f"{size} bytes")
    return data

def b64u(text, size=None): return b64(text, size, b"-_", pad=False)

def to_b64u(data): return base64.urlsafe_b64encode(data).decode().rstrip("=")

def parse(text, levels=40, values=200_000):
    """JSON with doubles only, as in JavaScript. Booleans aren't floats, so true never fits a number."""
    whole = json.loads(text, parse_int=float, parse_constant=lambda name: check(False, f"JSON has no {name}"))
    level = [whole]
    while level:
        check(levels >= 0 and values >= len(level), "at most 40 levels and 200,000 values")
        levels, values = levels - 1, values - len(level)
        level = [part for value in level if isinstance(value, (dict, list))
                 for part in (value.values() if isinstance(value, dict) else value)]
    return whole

def jcs(value):
    """RFC 8785: members in the order of their UTF-16 code units, and ECMAScript's numbers."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return b"{" + b",".join(jcs(name) + b":" + jcs(value[name]) for name in names) + b"}"
    if isinstance(value, list): return b"[" + b",".join(map(jcs, value)) + b"]"
    return (number(value) if isinstance(value, float) else json.dumps(value, ensure_ascii=False)).encode()

def number(value):
    check(abs(value) < float("inf"), "numbers are finite")
    if 1e-6 <= abs(value) < 1e21: return format(Decimal(repr(value)), "f").removesuffix(".0")
    return re.sub("e([+-])0", r"e\1", repr(value)) if value else "0"

def fits(value, schema, root):
    """Whether a value fits a JSON schema: the keywords that docs/receipt.schema.json uses."""
    if "$ref" in schema: return fits(value, root["$defs"][schema["$ref"].split("/")[-1]], root)
    if "anyOf" in schema: return any(fits(value, one, root) for one in schema["anyOf"])
    types = schema.get("type", list(TYPES))
    size = len(value) if isinstance(value, (str, list)) else 0
    return (any(isinstance(value, TYPES[name]) for name in ([types] if isinstance(types, str) else types))
            and value in schema.get("enum", [schema.get("const", value)])
            and (types != "integer" or value.is_integer() and schema["exclusiveMinimum"] < value <= schema["maximum"])
            and schema.get("minItems", 0) <= size <= min(schema.get("maxItems", size), schema.get("maxLength", size))
            and ("pattern" not in schema or bool(re.fullmatch(schema["pattern"].strip("^$"), value)))
            and all(name in value for name in schema.get("required", []))
            and all(fits(value[name], one, root) for name, one in schema.get("properties", {}).items() if name in value)
            and ("items" not in schema or all(fits(one, schema["items"], root) for one in value)))

def cbor(data, at=0):
    """The CBOR item at a place and where it ends: integers, byte strings and maps, which is all that COSE keys have."""
    kind, value = divmod(data[at], 32)
    check(kind in (0, 1, 2, 5) and value < 28, "a COSE key in CBOR")
    size, at = (0 if value < 24 else 1 << value - 24), at + 1
    if size: value = int.from_bytes(data[at:at + size], "big")
    check(size == 0 or value >= (24 if size == 1 else 1 << 4 * size), "CBOR in its shortest form")
    at += size
    if kind < 2: return (value if kind == 0 else -1 - value), at
    if kind == 2: return data[at:at + value], at + value
    items = {}
    for _ in range(value):
        name, at = cbor(data, at)
        check(name not in items, "each member of the COSE key once")
        items[name], at = cbor(data, at)
    return items, at

def verify_cose(public_key, signature, message):
    key, end = cbor(public_key)
    check(end == len(public_key), "nothing behind the COSE key")
    def integer(name): return int.from_bytes(key[name], "big")
    if (key[1], key[3], key[-1]) == (2, -7, 1):
        check(len(key[-2]) == len(key[-3]) == 32, "32 bytes for each coordinate")
        point = ec.EllipticCurvePublicNumbers(integer(-2), integer(-3), ec.SECP256R1()).public_key()
        return point.verify(signature, message, ec.ECDSA(SHA256()))
    check((key[1], key[3]) == (3, -257), "a key of a known algorithm")
    rsa.RSAPublicNumbers(integer(-2), integer(-1)).public_key().verify(signature, message, padding.PKCS1v15(), SHA256())

def verify_assertion(statement, assertion, public_key):
    """docs/statement.md, "Verify one". Returns the user-verified flag."""
    check(assertion["id"] == assertion["rawId"], "one id of the credential")
    host, response = statement["host"], assertion["response"]
    client_data, authenticator_data = b64u(response["clientDataJSON"]), b64u(response["authenticatorData"])
    client = parse(client_data.decode())
    check(client["challenge"] == to_b64u(hash_of(jcs(statement))), "the key signed this statement")
    check(client["type"] == "webauthn.get" and client["origin"] == host, "type and origin of the client data")
    check(client.get("crossOrigin", False) is False and "topOrigin" not in client, "the page wasn't in a frame")
    check(authenticator_data[:32] == hash_of(urlsplit(host).hostname.encode()), "the key signed for this host")
    flags, has_more = authenticator_data[32], len(authenticator_data) > 37
    check(len(authenticator_data) >= 37 and has_more == bool(flags & 0xC0), "length of the authenticator data")
    check(flags & 1 and flags & 0x18 != 0x10, "a person was present, and only what can be backed up is")
    verify_cose(b64u(public_key), b64u(response["signature"]), authenticator_data + hash_of(client_data))
    return bool(flags & 4)

def verify_ed25519(key, signature, message): Ed25519PublicKey.from_public_bytes(key).verify(signature, message)

def open_checkpoint(note, public_keys):
    """Name, size and root of a checkpoint that one of these keys signed."""
    line = "— [^ +\n]+ [^ \n]+\n"
    name, size, root, lines = re.fullmatch(f"([^\n]+)\n(0|[1-9][0-9]*)\n([^\n]+)\n\n((?:{line})+)", note).groups()
    ids = {hash_of(f"{name}\n\1".encode() + key)[:4]: key for key in public_keys}
    signatures = [(signer, b64(one)) for _, signer, one in (line.split(" ") for line in lines[:-1].split("\n"))]
    check(all(len(one) > 4 for _, one in signatures), "signatures of the checkpoint")
    ours = [(ids[one[:4]], one[4:]) for signer, one in signatures if signer == name and one[:4] in ids]
    for key, signature in ours: verify_ed25519(key, signature, f"{name}\n{size}\n{root}\n".encode())
    check(ours, "a published key signed the checkpoint")
    return name, int(size), b64(root, 32)

def root_of(leaf, index, size, path):
    """RFC 6962, section 2.1.1: the root of a tree, from a leaf's hash and its audit path."""
    if size == 1: return check(not path, "the audit path is as long as it has to be") or leaf
    left = 1 << (size - 1).bit_length() - 1
    if index < left: return hash_of(b"\1" + root_of(leaf, index, left, path[:-1]) + path[-1])
    return hash_of(b"\1" + path[-1] + root_of(leaf, index - left, size - left, path[:-1]))
