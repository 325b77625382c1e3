import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { PublishedKey, SigningKey, SigningKeys } from '../../../audit/ports.ts';
import type { Sealer } from '../../../authenticators/seal.ts';
import { AppError, StartError } from '../../../shared/app-error.ts';
import { createRecordMac, type SecretKeys, sha256 } from '../../../shared/crypto.ts';
import { ignoreMissing, type StoreClient } from '../client.ts';
import type { RecordOf } from '../collections.ts';
import { createRecordSeals, type RecordSeals, type Row, sealContext } from '../records/record-seals.ts';
import { newRecordId, recordsOf } from '../records/records-of.ts';

/** `secret` is the PKCS #8 form, sealed. */
type KeyRecord = RecordOf<'signing_keys'>;

/** The server's signing keys. The private ones are sealed under a key derived from `SECRET_KEY`. */
export function createSigningKeys(client: StoreClient, sealer: Sealer, seals: RecordSeals): SigningKeys {
  const stored = recordsOf(client, 'signing_keys');
  const newest = () => stored.first(['number > 0'], { sort: '-number' });

  const create = async (number: number): Promise<void> => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const id = newRecordId();
    const secret = privateKey.export({ format: 'der', type: 'pkcs8' });
    const fields = {
      id,
      number,
      public_key: String(publicKey.export({ format: 'jwk' }).x),
      secret: sealer.seal(secret, sealContext('signing_keys', id, 'secret')),
    };
    // If two processes create this number, the second uses the first one's key.
    await stored.createIfNew(seals.signed('signing_keys', fields));
  };

  const open = (record: KeyRecord): SigningKey => {
    // Never signs with an older key instead: that may be the stolen one.
    if (!seals.isOurs('signing_keys', record)) throw new AppError('logChanged');
    const secret = sealer.open(record.secret, sealContext('signing_keys', record.id, 'secret'));
    const key = createPrivateKey({ key: Buffer.from(secret), format: 'der', type: 'pkcs8' });
    return toSigningKey(record.public_key, key);
  };

  return {
    async current() {
      const found = await newest();
      if (!found) await create(1);
      const record = found ?? (await newest());
      if (!record) throw new AppError('storeUnavailable');
      return open(record);
    },

    async published() {
      const found = await stored.all({}, { sort: '-number' });
      return toPublished(found.filter((record) => seals.isOurs('signing_keys', record)));
    },

    async rotate() {
      await create(((await newest())?.number ?? 0) + 1);
      const [current] = await this.published();
      if (!current) throw new AppError('storeUnavailable');
      return current;
    },
  };
}

const OTHER_KEY =
  'SECRET_KEY is not the key that the records were sealed with. Put that key behind the new one (new,old), then run otp-guard rotate-key. If the key is lost: docs/keys.md, "Changing SECRET_KEY".';

/**
 * The signing keys of the store, if OTP Guard wrote them. The first start makes one, and `rotate-key` seals them last:
 * so they show which `SECRET_KEY` the records have.
 *
 * @throws StartError if there are some, and none was sealed with a key in `SECRET_KEY`. A key that was changed, but
 *   that names a known key, is only left out.
 */
export async function readSigningKeys(client: StoreClient, keys: SecretKeys): Promise<Row[]> {
  // An empty store has none.
  const found = (await recordsOf(client, 'signing_keys').all({}).catch(ignoreMissing)) ?? [];
  const mac = createRecordMac(keys);
  if (found.length > 0 && !found.some((row) => mac.isOfKnownKey(row.mac))) throw new StartError(OTHER_KEY);
  const seals = createRecordSeals(mac, () => undefined);
  return found.filter((row) => seals.isOurs('signing_keys', row));
}

/** @param publicKey The 32 bytes, base64url. */
const signingKeyId = (publicKey: string): string =>
  Buffer.from(sha256(Buffer.from(publicKey, 'base64url')))
    .toString('hex')
    .slice(0, 16);

const toSigningKey = (publicKey: string, key: KeyObject): SigningKey => ({
  id: signingKeyId(publicKey),
  publicKey,
  sign: (message) => new Uint8Array(sign(null, message, key)),
});

/** @param records Newest first. */
function toPublished(records: KeyRecord[]): PublishedKey[] {
  return records.map(({ public_key: publicKey, created }, at) => {
    const next = records[at - 1];
    return {
      id: signingKeyId(publicKey),
      type: 'ed25519',
      publicKey,
      created: new Date(created),
      retired: next ? new Date(next.created) : null,
    };
  });
}
