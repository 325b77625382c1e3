// Verifies an exported approval; needs only Node. See statement.md.
//   node verify-approval.js approval.json
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

const { statement, assertion, public_key: publicKey } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const bytes = (text) => Buffer.from(text, 'base64url');
const sha256 = (data) => createHash('sha256').update(data).digest();

const clientDataJSON = bytes(assertion.response.clientDataJSON);
const authenticatorData = bytes(assertion.response.authenticatorData);
const clientData = JSON.parse(clientDataJSON.toString('utf8'));
const flags = authenticatorData[32];

const steps = {
  'the challenge is the hash of the statement':
    clientData.challenge === sha256(canonical(statement)).toString('base64url'),
  'the statement is an approval': statement.v === 1 && statement.purpose === 'approve',
  'it was signed to approve, on the page of the statement’s host':
    clientData.type === 'webauthn.get' && clientData.origin === statement.host,
  'no page of another site asked for it': !clientData.crossOrigin && clientData.topOrigin === undefined,
  'the authenticator answered for that host': authenticatorData
    .subarray(0, 32)
    .equals(sha256(new URL(statement.host).hostname)),
  'a person was present': (flags & 1) === 1,
  'the signature is of this public key': verify(
    'sha256',
    Buffer.concat([authenticatorData, sha256(clientDataJSON)]),
    keyOf(decode(bytes(publicKey))),
    bytes(assertion.response.signature),
  ),
};

for (const [step, holds] of Object.entries(steps))
  process.stdout.write(`${holds ? 'ok    ' : 'FAILED'} ${step}\n`);
const { user, repo, pr, base, head, iat } = statement;
if (Object.values(steps).every(Boolean)) {
  const how = flags & 4 ? 'verified by fingerprint, face or PIN' : 'present';
  const when = new Date(iat * 1000).toISOString();
  process.stdout.write(`${user.login} (${user.id}), ${how}, approved ${head} of ${repo.name}#${pr}\n`);
  process.stdout.write(`into ${base}, asked at ${when}.\n`);
} else {
  process.exitCode = 1;
}

/** The canonical form of RFC 8785, for the types that a statement uses. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

/** Node's form of a COSE key (RFC 9052), for ES256 and RS256. */
function keyOf(cose) {
  const text = (label) => cose.get(label).toString('base64url');
  const kind = `${cose.get(1)} ${cose.get(3)}`;
  if (kind === '2 -7')
    return createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: text(-2), y: text(-3) } });
  if (kind === '3 -257')
    return createPublicKey({ format: 'jwk', key: { kty: 'RSA', n: text(-1), e: text(-2) } });
  throw new Error(`This key is of a kind (${kind}) that OTP Guard does not register.`);
}

/** Decodes the part of CBOR (RFC 8949) that a COSE key uses: integers, byte strings and maps. */
function decode(data) {
  let at = 0;
  const item = () => {
    const [major, short] = [data[at] >> 5, data[at++] & 31];
    const size = short < 24 ? 0 : 2 ** (short - 24);
    const value = size === 0 ? short : data.readUIntBE(at, size);
    at += size;
    if (major === 0) return value;
    if (major === 1) return -1 - value;
    if (major === 2) {
      at += value;
      return data.subarray(at - value, at);
    }
    if (major === 5) return new Map(Array.from({ length: value }, () => [item(), item()]));
    throw new Error('This is not a COSE key.');
  };
  return item();
}
