"""Verifies receipts of OTP Guard: a second implementation, from docs/receipts.md and docs/statement.md alone.

verify_receipt.py RECEIPT KEYS [CHECKPOINT] prints for each receipt what it proves, or why it's refused, and exits with
0 if all are valid, else 1. RECEIPT may be a bundle. Needs Python 3.11 and Debian's python3-cryptography (38)."""
import hmac, re, sys
from pathlib import Path
from urllib.parse import urlsplit
from standards import (b64, b64u, check, fits, hash_of, jcs, number, open_checkpoint, parse, root_of, to_b64u,
                       verify_assertion, verify_ed25519)

PROOF = ("statement", "assertion", "publicKey")
DEFAULT_PORT = "http://[^/]*:80/|https://[^/]*:443/"
REGISTRATIONS = ("webauthnRegister", "webauthnPending", "totpRegister")

def text_hash(text): return to_b64u(hash_of(text.encode()))
def key_hash(public_key): return to_b64u(hash_of(b64u(public_key)))
def proof_hash(proof): return to_b64u(hash_of(jcs({name: proof[name] for name in PROOF})))

def open_receipt(receipt, public_keys, schema):
    """Checks 1 to 3. Returns the in-toto statement."""
    check(fits(receipt, schema["$defs"]["envelope"], schema), "the file is an envelope")
    payload, ours = b64(receipt["payload"]), [one for one in receipt["signatures"] if one["keyid"] in public_keys]
    signed = b"DSSEv1 28 application/vnd.in-toto+json %d " % len(payload) + payload
    for one in ours: verify_ed25519(public_keys[one["keyid"]], b64(one["sig"]), signed)
    check(ours, "a published key signed the receipt")
    in_toto = parse(payload.decode())
    return check(fits(in_toto, schema, schema), "the payload fits the schema") or in_toto

def verify_approval(in_toto, host):
    """Checks 4 and 5."""
    subject, predicate = in_toto["subject"][0], in_toto["predicate"]
    statement, assertion, public_key = (predicate[name] for name in PROOF)
    check(predicate["issuer"] == statement["host"] == host, "issuer and host are those of the key list")
    check(subject["digest"]["gitCommit"] == statement["head"], "the subject is the approved commit")
    address = r"https?://[^/?#@\sA-Z]+/" + re.escape(statement["repo"]["name"])
    is_there = re.fullmatch(address, subject["name"]) and not re.match(DEFAULT_PORT, subject["name"])
    check(is_there, "the subject is the repository")
    is_code = predicate["method"] == "totp"
    check((assertion is None) == (public_key is None) == is_code, "a key's signature, or a one-time code")
    verified = not is_code and verify_assertion(statement, assertion, public_key)
    check(predicate["userVerified"] == verified, "the user-verified flag")

def open_entry(entry, checkpoint, org_id):
    """Check 8. Returns the event and the facts of the person, each None if it isn't there."""
    if entry is None: return None, None
    check(checkpoint, "no entry without a log")
    place, leaf, event, person = int(entry["number"]), parse(entry["leaf"]), entry["event"], entry["person"]
    check(place <= checkpoint[1] and jcs(leaf["v"]) == b"1", "number of the entry, and version of the leaf")
    check(entry["leaf"].encode() == jcs(leaf) and sorted(leaf) == ["event", "person", "v"], "form of the leaf")
    for part in ("event", "person"):
        salt = entry["salts"][part]
        check(isinstance(leaf[part], str) and (entry[part] is None) == (salt is None), f"{part} and its salt")
        opened = salt is None or to_b64u(hmac.digest(b64u(salt, 32), jcs(entry[part]), "sha256")) == leaf[part]
        check(opened, f"commitment to the {part}")
    is_here = not event or event["number"] == place and re.fullmatch(rf"[^\s/+]+/log/{number(org_id)}", event["log"])
    check(is_here, "number and log of the event")
    path = [b64(one, 32) for one in entry["path"]]
    root = root_of(hash_of(b"\0" + entry["leaf"].encode()), place - 1, checkpoint[1], path)
    check(root == checkpoint[2], "the audit path leads to the root")
    return event, person and person["facts"]

def verify_entry(predicate, checkpoint):
    """Checks 8 and 9, for the entry of the approval."""
    statement, assertion, public_key = (predicate[name] for name in PROOF)
    event, facts = open_entry(predicate["log"]["entry"], checkpoint, statement["org"]["id"])
    if event:
        wanted = ("webauthnCollect" if assertion else "totpCollect", checkpoint[0])
        check((event["activity"], event["log"]) == wanted, "the entry is an approval")
        wanted = [statement[member] for member in ("head", "pr", "base")] + [statement["repo"]["name"].split("/")[1]]
        check(jcs([event["data"][member] for member in ("sha", "pr", "base", "repo")]) == jcs(wanted), "this approval")
        check(event["facts"]["repoId"] == statement["repo"]["id"], "this repository")
        said = {"userVerified": False, "aaguid": "", "modelVerified": False} | event["facts"]
        for member in ("userVerified", "aaguid", "modelVerified"):
            check(said[member] == (predicate | predicate["authenticator"])[member], f"{member} in the log")
    if facts is not None:
        check(facts["by"]["id"] == facts["holder"]["id"] == statement["user"]["id"], "this person")
        check(facts["proofSha256"] == proof_hash(predicate), "what the person signed")
        check(("credential" in facts) == bool(assertion), "a credential, or a one-time code")
        if assertion:
            hashes = [facts["credential"][member] for member in ("idSha256", "publicKeySha256")]
            check(hashes == [text_hash(assertion["id"]), key_hash(public_key)], "the credential")
        check(jcs(facts.get("verdict")) == jcs(predicate["verdict"]), "the verdict")

def verify_chain(predicate, checkpoint):
    """Checks 10 and 11."""
    links, public_key = predicate["enrolment"], predicate["publicKey"]
    own = (predicate["statement"]["user"]["id"], key_hash(public_key) if public_key else "")
    check(not links or own == (links[0]["holder"]["id"], links[0]["publicKeySha256"]), "the first key approved")
    hashes = [link["publicKeySha256"] for link in links if link["publicKeySha256"]]
    check(len(set(hashes)) == len(hashes), "each key once")
    for link, after in zip(links, [*links[1:], None]): verify_link(link, after, predicate, checkpoint)

def verify_link(link, after, predicate, checkpoint):
    """Check 11, for a link and the one that follows it."""
    org_id, vouch = predicate["statement"]["org"]["id"], link["vouch"]
    holder, key = link["holder"]["id"], link["publicKeySha256"]
    event, facts = open_entry(link["registration"], checkpoint, org_id)
    if event:
        check(event["activity"] in REGISTRATIONS, "the entry is a registration")
        is_later = vouch or link["enrolled"] in ("vouched", "operator")
        check(is_later or event["data"].get("enrolled", "") in ("", link["enrolled"]), "how the key came in")
    if facts is not None:
        check(facts["holder"]["id"] == holder, "holder in the registration")
        check(key == (facts["credential"]["publicKeySha256"] if "credential" in facts else ""), "its key")
    if vouch:
        statement, said = vouch["statement"], vouch["statement"]["credential"]
        check(statement["host"] == predicate["issuer"] and statement["org"]["id"] == org_id, "host and organization")
        check(said["publicKeySha256"] == key and said["holder"]["id"] == holder, "the vouch is for this key")
        check(facts is None or facts["credential"]["idSha256"] == text_hash(said["id"]), "credential of the vouch")
        verify_assertion(statement, vouch["assertion"], vouch["publicKey"])
        check(after and after["publicKeySha256"] == key_hash(vouch["publicKey"]), "the next key signed the vouch")
        check(after["holder"]["id"] == statement["user"]["id"], "the next key's holder vouched")
        event, facts = open_entry(vouch["entry"], checkpoint, org_id)
        check(not event or event["activity"] == "vouch", "the entry is a vouch")
        if facts is not None:
            people = [facts[member]["id"] for member in ("by", "holder")]
            check(people == [statement["user"]["id"], holder], "people of the vouch")
            check(facts["credential"]["publicKeySha256"] == key, "key in the vouch's entry")
            check(facts["proofSha256"] == proof_hash(vouch), "the entry is this vouch")
    elif after:
        check(after["holder"]["id"] == holder, "the next key has the same holder")
        check(facts is None or facts["confirmedBy"] == (after["publicKeySha256"] or "totp"), "the key let in this one")

def verify(receipt, keys, kept, schema):
    """All checks of docs/receipts.md, "The order of checks". Returns what was found."""
    public_keys = {key["id"]: b64u(key["publicKey"], 32) for key in keys["keys"]}
    in_toto = open_receipt(receipt, public_keys, schema)
    verify_approval(in_toto, keys["host"])
    predicate, statement, log = in_toto["predicate"], in_toto["predicate"]["statement"], in_toto["predicate"]["log"]
    checkpoint = log and open_checkpoint(log["checkpoint"], public_keys.values())
    name = f"{urlsplit(keys['host']).netloc}/log/{number(statement['org']['id'])}"
    check(not log or checkpoint[0] == name, "the log is the organization's")
    check(kept is None or checkpoint == open_checkpoint(kept, public_keys.values()), "the checkpoint that you kept")
    if log: verify_entry(predicate, checkpoint)
    verify_chain(predicate, checkpoint)
    how = "with a key that signed it" if predicate["assertion"] else "with a one-time code, says the server"
    where = f"entry {number(log['entry']['number'])} of {name}" if log else "from before the log"
    return f"{statement['user']['login']} approved {statement['head']} of {statement['repo']['name']} {how}: {where}"

def main(receipt_file, keys_file, checkpoint_file=None):
    def read(path): return Path(path).read_bytes().decode()
    schema = parse(read(Path(__file__).parents[2] / "docs/receipt.schema.json"))
    file, keys, kept = parse(read(receipt_file)), parse(read(keys_file)), checkpoint_file and read(checkpoint_file)
    receipts, valid = file["receipts"] if "receipts" in file else [file], []
    for place, receipt in enumerate(receipts, 1):
        try: valid.append(print(f"{place} valid: {verify(receipt, keys, kept, schema)!r}"))
        except Exception as failure: print(f"{place} refused: {failure!r}")  # no failure may leave it valid
    return 0 if 0 < len(valid) == len(receipts) else 1

if __name__ == "__main__": sys.exit(main(*sys.argv[1:]))
