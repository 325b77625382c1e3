"""Verifies receipts of OTP Guard: a second implementation, from docs/receipts/format.md and docs/statement.md alone.
verify_receipt.py RECEIPT KEYS [CHECKPOINT] prints for each receipt (of a bundle) what it proves, or why it's refused, and
exits with 0 if all are valid approvals (of deployments, too), 4 if all are valid and one is a denial or a rejection, else 1. Needs Python 3.11 and Debian's python3-cryptography (38)."""
import base64, functools, hashlib, hmac, json, re, sys
from urllib.parse import urlsplit
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256

def check(holds, what):
    if not holds: raise ValueError(what)
def sha(data): return hashlib.sha256(data).digest()
def to_b64u(data): return base64.urlsafe_b64encode(data).decode().rstrip("=")
def text_hash(text): return to_b64u(sha(text.encode()))
def key_hash(public_key): return to_b64u(sha(b64u(public_key))) if public_key else ""
def proof_hash(of, *more): return to_b64u(sha(jcs({name: of[name] for name in ("statement", "assertion", "publicKey", *more)})))
def b64(text, size=None, alphabet=b"+/", pad=""):
    data = base64.b64decode(text + pad, altchars=alphabet, validate=True)
    check(base64.b64encode(data, alphabet).decode() == text + pad and size in (None, len(data)), "base64")
    return data
def b64u(text, size=None): return b64(text, size, b"-_", "=" * (-len(text) % 4))
def jcs(value):  # RFC 8785: whole numbers, and names in ASCII, are all that is ever signed, and need nothing more
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
def require(found, wanted, what): check(jcs(found) == jcs(wanted), what)  # not `==`: in Python, True == 1
def pick(value, paths): return [functools.reduce(lambda part, name: part[name], path.split("."), value) for path in paths.split()]
def read(path): return open(path, encoding="utf-8", newline="").read()
def verify_ed25519(key, *signed): ed25519.Ed25519PublicKey.from_public_bytes(key).verify(*signed)
PURPOSES = {"approval": ["approve"], "denial": ["deny"], "deployment": ["deploy", "reject"]}
# For each purpose: its word in an entry's activity, the member with its time, the members of an entry's data with those of the statement.
OF_PULL, OF_RUN = ("data.pr data.base", "pr base"), ("data.run data.environment data.base", "run environment ref")
KINDS = {"approve": ("Collect", "approved", *OF_PULL), "deny": ("Deny", "denied", *OF_PULL),
         "deploy": ("Deploy", "decided", *OF_RUN), "reject": ("Reject", "decided", *OF_RUN)}
FOUND = {"approve": "approved", "deny": "denied", "deploy": "approved the deployment of", "reject": "rejected the deployment of"}
REFUSALS = ("deny", "reject")  # they have a reason and no verdict
def open_receipt(receipt, keys):  # Checks 1 to 3. Returns the in-toto statement, and the purpose of what was signed.
    payload, ours = b64(receipt["payload"]), [one for one in receipt["signatures"] if one["keyid"] in keys]
    signed = b"DSSEv1 28 application/vnd.in-toto+json %d " % len(payload) + payload
    for one in ours: verify_ed25519(keys[one["keyid"]], b64(one["sig"]), signed)
    check(ours and receipt["payloadType"] == "application/vnd.in-toto+json", "a published key signed the receipt")
    stated = json.loads(payload.decode())
    require([stated["_type"], len(stated["subject"])], ["https://in-toto.io/Statement/v1", 1], "what is stated")
    purpose, prefix = stated["predicate"]["statement"]["purpose"], "urn:otp-guard:"
    check(purpose in [one for name, all in PURPOSES.items() if f"{prefix}{name}:v1" == stated["predicateType"] for one in all], "the type")
    return stated, purpose
def verify_key(cose, signature, message):  # docs/statement.md, "Which keys count".
    es256 = re.fullmatch(rb"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20(.{32})\x22\x58\x20(.{32})()", cose, re.S)
    rs256 = re.fullmatch(rb"\xa4\x01\x03\x03\x39\x01\x00\x20\x59(..)(.+)\x21(?:\x43(?=...\Z)|\x44(?=....\Z))(.+)", cose, re.S)
    a, b, c = (int.from_bytes(part, "big") for part in (es256 or rs256).groups())
    if es256: return ec.EllipticCurvePublicNumbers(a, b, ec.SECP256R1()).public_key().verify(signature, message, ec.ECDSA(SHA256()))
    check(a == len(rs256[2]) and rs256[2][0] and rs256[3][0], "whole numbers without leading zeros")
    check(2048 <= b.bit_length() <= 8192 and b & c & 1 and c >= 65537, "an RSA key with which only its holder signs")
    rsa.RSAPublicNumbers(c, b).public_key().verify(signature, message, padding.PKCS1v15(), SHA256())
def verify_assertion(statement, assertion, public_key):  # docs/statement.md, "Verify one". Returns the user-verified flag.
    client_data, data, signature = map(b64u, pick(assertion["response"], "clientDataJSON authenticatorData signature"))
    client, host = json.loads(client_data.decode()), statement["host"]
    require([client["challenge"], client["type"], client["origin"], client.get("crossOrigin", False), assertion["id"]],
            [to_b64u(sha(jcs(statement))), "webauthn.get", host, False, assertion["rawId"]], "signed for this host")
    check(assertion["type"] == "public-key" and "topOrigin" not in client, "a key, on a page that's in no frame")
    check(data[:32] == sha(urlsplit(host).hostname.encode()), "the key signed for this host")
    is_whole = len(data) >= 37 and (len(data) > 37) == bool(data[32] & 0xC0) and data[32] & 0x18 != 0x10
    check(is_whole and data[32] & 1, "whole authenticator data, and a person was present")
    verify_key(b64u(public_key), signature, data + sha(client_data))
    return bool(data[32] & 4)
def open_checkpoint(note, keys):  # Checks 6 and 7. Returns name, size and root of a checkpoint that one of these keys signed.
    name, size, root, lines = re.fullmatch("([^\n]+)\n([1-9][0-9]*)\n([^\n]+)\n\n((?:— [^ +\n]+ [^ \n]+\n)+)", note).groups()
    ids, signers = {sha(f"{name}\n\1".encode() + key)[:4]: key for key in keys.values()}, 0
    for _, signer, signature in (line.split(" ") for line in lines[:-1].split("\n")):
        key = ids.get(b64(signature)[:4]) if signer == name else None
        check(len(b64(signature)) > 4, "a signature of the checkpoint")
        if key: signers += verify_ed25519(key, b64(signature)[4:], f"{name}\n{size}\n{root}\n".encode()) is None
    check(signers, "a published key signed the checkpoint")
    return name, int(size), b64(root, 32)
def root_of(leaf, index, size, path):  # RFC 6962, section 2.1.1: the root of a tree, from a leaf's hash and its audit path.
    if size == 1: return check(not path, "length of the audit path") or leaf
    left = 1 << (size - 1).bit_length() - 1
    if index < left: return sha(b"\1" + root_of(leaf, index, left, path[:-1]) + path[-1])
    return sha(b"\1" + path[-1] + root_of(leaf, index - left, size - left, path[:-1]))
def open_entry(entry, checkpoint, org_id, before=float("inf")):  # Check 8. Returns the event and the facts of the person, each None if it isn't there.
    if entry is None: return None, None
    leaf, event, person = json.loads(entry["leaf"]), entry["event"], entry["person"]
    require([leaf["v"], sorted(leaf)], [1, ["event", "person", "v"]], "members of the leaf")
    for part, members in (("event", "v log number at activity data facts"), ("person", "data facts")):
        salt, value = entry["salts"][part], entry[part]
        opened = value is not None and to_b64u(hmac.digest(b64u(salt, 32), jcs(value), "sha256"))
        check(opened == leaf[part] if opened else salt is None and isinstance(leaf[part], str), f"{part} and its salt")
        check(not opened or {*members.split(" ")} <= value.keys() and isinstance(value["data"], dict), f"{part}'s members")
    is_of_log = event and bool(re.fullmatch(rf"[^\s/+]+/log/{org_id}", event["log"]))
    require([*pick(event, "v number"), is_of_log], [1, entry["number"], True], "number and log of the event")
    for name, members in (("by", "id login"), ("holder", "id login"), ("credential", "idSha256")):  # what is there is whole
        check(not person or all(one in person["facts"].get(name, members) for one in members.split()), name)
    text, path = entry["leaf"].encode(), [b64(one, 32) for one in entry["path"]]
    root = root_of(sha(b"\0" + text), entry["number"] - 1, checkpoint[1], path)
    check(text == jcs(leaf) and 1 <= entry["number"] <= checkpoint[1] and entry["number"] < before and root == checkpoint[2], "place in the log")
    return event, person and person["facts"]
def verify_signature(stated, purpose, host):  # Checks 4 and 5.
    subject, predicate = stated["subject"][0], stated["predicate"]
    statement, assertion, public_key, method = (predicate[name] for name in ("statement", "assertion", "publicKey", "method"))
    require([predicate["issuer"], statement["host"], statement["v"], statement["purpose"], subject["digest"]["gitCommit"]],
            [host, host, 1, purpose, statement["head"]], "about the subject, at the host of the key list")
    check(purpose not in REFUSALS or statement["reasonSha256"] == text_hash(predicate["reason"]), "the reason")
    check(purpose == "approve" or predicate["log"], "a log, which is older than these")
    check(purpose != "deploy" or predicate["reason"] is None, "an approval has no reason")
    check(purpose != "reject" or predicate["verdict"] is None, "a rejection has no verdict")
    address = r"https?://(?!(?<=http://)[^/]*:80/|(?<=https://)[^/]*:443/)[^/?#@\sA-Z]+/"
    check(re.fullmatch(address + re.escape(statement["repo"]["name"]), subject["name"]), "the subject is the repository")
    is_signed, batch = (assertion is None) == (public_key is None) == (method == "totp"), predicate.get("batch") if purpose == "approve" else None
    check(is_signed and method in ("passkey", "security-key", "totp"), "a key's signature, or a one-time code")
    if batch is not None:  # what was signed for several commits
        has_it = type(batch["approvals"]) is list and len(batch["approvals"]) <= 20 and to_b64u(sha(jcs(statement))) in batch["approvals"]
        require([*pick(batch, "v purpose host user.id org.id"), has_it, method == "totp"],
                [1, "approve-batch", *pick(statement, "host user.id org.id"), True, False], "the batch has this approval")
    check(predicate["userVerified"] is (method != "totp" and verify_assertion(batch or statement, assertion, public_key)), "verified")
def verify_entry(predicate, purpose, checkpoint):  # Check 9.
    statement, assertion, more = predicate["statement"], predicate["assertion"], ["batch"] * bool(purpose == "approve" and predicate.get("batch"))
    word, time, in_data, in_statement = KINDS[purpose]
    event, facts = open_entry(predicate["log"]["entry"], checkpoint, statement["org"]["id"])
    said = {"userVerified": False, "aaguid": "", "modelVerified": False} | event["facts"]
    require(pick(event, f"activity log at data.sha {in_data} data.repo") + pick(said, "repoId userVerified aaguid modelVerified"),
            [("webauthn" if assertion else "totp") + word, checkpoint[0], predicate[time], *pick(statement, f"head {in_statement}"),
             statement["repo"]["name"].split("/")[1], statement["repo"]["id"],
             *pick(predicate | predicate["authenticator"], "userVerified aaguid modelVerified")], "the entry is about this")
    if facts is not None:
        key = assertion and {"idSha256": text_hash(assertion["id"]), "publicKeySha256": key_hash(predicate["publicKey"])}
        require([*pick(facts, "by.id holder.id proofSha256"), facts.get("credential"), facts.get("verdict")],
                [*[statement["user"]["id"]] * 2, proof_hash(predicate, *more), key, None if purpose in REFUSALS else predicate["verdict"]], "the entry is theirs")
def verify_link(link, after, predicate, checkpoint, before):  # Check 11, for a link and the one that follows it.
    org_id, vouch, holder, key = predicate["statement"]["org"]["id"], link["vouch"], link["holder"]["id"], link["publicKeySha256"]
    event, facts = open_entry(link["registration"], checkpoint, org_id, before)
    is_registration = not event or event["activity"] in ("webauthnRegister", "webauthnPending", "totpRegister")
    said = event["data"].get("enrolled", "") if event and not vouch and link["enrolled"] not in ("vouched", "operator") else ""
    check(is_registration and link["enrolled"] in ("", "open", "email", "vouched", "operator") and said in ("", link["enrolled"]), "of this kind")
    if facts is not None: require([facts["holder"]["id"], facts["credential"]["publicKeySha256"] if "credential" in facts else ""],
                                  [holder, key], "the registration of this key")
    if vouch is not None:
        statement, said = vouch["statement"], "v purpose org.id credential.publicKeySha256 credential.holder.id"
        wanted = [1, "vouch", org_id, key, holder, key_hash(vouch["publicKey"]), statement["user"]["id"]]
        require(pick(statement, said) + pick(after, "publicKeySha256 holder.id"), wanted, "the next key's holder vouched")
        check(urlsplit(statement["host"]).hostname == urlsplit(predicate["issuer"]).hostname, "the host of the vouch")
        is_same = facts is None or facts["credential"]["idSha256"] == text_hash(statement["credential"]["id"])
        verify_assertion(statement, vouch["assertion"], vouch["publicKey"])
        event, facts = open_entry(vouch["entry"], checkpoint, org_id, before)
        check(is_same and (not event or event["activity"] == "vouch"), "the entry is a vouch for this credential")
        said = facts and pick(facts, "by.id holder.id credential.publicKeySha256 proofSha256")
        if facts is not None: require(said, [statement["user"]["id"], holder, key, proof_hash(vouch)], "the entry is this vouch")
    elif after:
        require(after["holder"]["id"], holder, "the next key has the same holder")
        check(facts is None or facts["confirmedBy"] == (after["publicKeySha256"] or "totp"), "the key let in this one")
    return ((vouch["entry"] if vouch else link["registration"]) or {"number": before})["number"]
def verify(receipt, listed, kept):  # All checks of docs/receipts/format.md, "The order of checks". Returns what was found, and whether it's a denial or a rejection.
    keys = {key["id"]: b64u(key["publicKey"], 32) for key in listed["keys"]}
    stated, purpose = open_receipt(receipt, keys)
    verify_signature(stated, purpose, listed["host"])
    predicate, statement, log = stated["predicate"], stated["predicate"]["statement"], stated["predicate"]["log"]
    checkpoint = log and open_checkpoint(log["checkpoint"], keys)
    check(not log or checkpoint[0] == f"{urlsplit(listed['host']).netloc}/log/{statement['org']['id']}", "the name of the log")
    check(all(checkpoint == open_checkpoint(one, keys) for one in kept), "the checkpoint that you kept")
    if log: verify_entry(predicate, purpose, checkpoint)
    links, before = predicate["enrolment"], log["entry"]["number"] if log else float("inf")
    files = b64u(statement["files"], 32).hex() if "files" in statement and purpose == "approve" else None
    user = [statement["user"]["id"], key_hash(predicate["publicKey"])]
    check(not links or user == pick(links[0], "holder.id publicKeySha256"), "check 10: the key that was used")
    check(len({*(hashes := [link["publicKeySha256"] for link in links if link["publicKeySha256"]])}) == len(hashes), "check 10: each key once")
    for link, after in zip(links, [*links[1:], None]): before = verify_link(link, after, predicate, checkpoint, before)
    found = f"{statement['user']['login']} {FOUND[purpose]} {statement['head']}"
    if purpose in PURPOSES["deployment"]: found += " to {environment!r} by run {run}, attempt {attempt} ({workflow!r}, on {ref!r}, by {event!r})".format(**statement)
    found += ("" if predicate["assertion"] else ", says the server") + (f", with the list of files {files}" if files else "")
    return found + (f", because of: {predicate['reason']}" if purpose in REFUSALS else ""), purpose in REFUSALS
(file, listed), kept, valid, refusals = map(json.loads, map(read, sys.argv[1:3])), [*map(read, sys.argv[3:])], 0, 0
for place, receipt in enumerate(receipts := file.get("receipts", [file]), 1):
    try:
        found, is_refusal = verify(receipt, listed, kept)
        print(f"{place} valid: {found!r}")
        valid, refusals = valid + 1, refusals + is_refusal
    except Exception as failure: print(f"{place} refused: {failure!r}")  # no failure may leave it valid
sys.exit(4 if refusals and valid == len(receipts) else not 0 < valid == len(receipts))
