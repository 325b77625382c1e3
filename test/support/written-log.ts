import { generateKeyPairSync, sign } from 'node:crypto';
import { nextEntry } from '../../src/adapters/pocketbase/audit/activity-log.ts';
import { createLogReader } from '../../src/adapters/pocketbase/audit/log-reader.ts';
import type { StoreClient } from '../../src/adapters/pocketbase/client.ts';
import { checkEntry } from '../../src/audit/check-log.ts';
import type { RecordedEntry, SigningKey } from '../../src/audit/ports.ts';
import { credentialSubject } from '../../src/audit/subjects.ts';
import { EMPTY } from '../../src/proofs/merkle.ts';
import { sha256Base64url } from '../../src/shared/crypto.ts';
import { signingKeysOf } from './stores.ts';

/** The entries of a stored log. Throws if one isn't as it was written. */
export async function verifiedEntries(client: StoreClient, org: { id: string; orgId: number }) {
  const entries = await createLogReader(client, signingKeysOf(client)).after(org.id, 0, 1000);
  const stored = await client.run((records) => records.collection('signing_keys').getFullList());
  const keys = stored.map(({ public_key: publicKey }) => ({ publicKey }));
  let before = EMPTY;
  for (const entry of entries) {
    const next = checkEntry(entry, { before, orgId: org.orgId, keys });
    if (!next) throw new Error(`entry ${entry.number} is wrong: ${JSON.stringify(entry)}`);
    before = next;
  }
  return entries;
}

export function aSigningKey(): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = String(publicKey.export({ format: 'jwk' }).x);
  return { id: '', publicKey: raw, sign: (message) => new Uint8Array(sign(null, message, privateKey)) };
}

/** The stored entries of a log that OTP Guard wrote: registrations by GitHub's user 11. */
export function writtenLog(size: number, key = aSigningKey(), origin = 'guard.example.org/log/9') {
  const frontiers = [EMPTY];
  const entries = Array.from({ length: size }, (_, at): RecordedEntry => {
    const before = frontiers.at(-1) ?? EMPTY;
    const idSha256 = sha256Base64url(`key-${at}`);
    const mona = { id: 11, login: 'mona' };
    const activity = {
      activity: 'webauthnRegister' as const,
      userId: 'user00000000011',
      orgRecordId: 'org000000000009',
      data: { login: 'mona', user: 'mona', label: `Key ${at}`, type: 'passkey' as const, org: 'octo-org' },
      subject: credentialSubject(`key-${at}`),
      facts: { aaguid: 'a-model' },
      personFacts: { by: mona, holder: mona, credential: { idSha256, publicKeySha256: idSha256 } },
    };
    const { fields, frontier, checkpoint } = nextEntry(activity, {
      origin,
      frontier: before,
      now: new Date(1_780_000_000_000 + at),
      key,
    });
    frontiers.push(frontier);
    return { ...fields, id: `entry-${at}`, number: fields.entry_number, userGithubId: 11, at: checkpoint.at };
  });
  return { key, entries, frontiers };
}
