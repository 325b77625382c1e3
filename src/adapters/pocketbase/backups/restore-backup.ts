import { openAsBlob } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '../../../shared/app-error.ts';
import { ignoreMissing, type StoreClient } from '../client.ts';
import { DEFINITIONS, type RecordOf } from '../collections.ts';
import { endLeases } from '../records/leases.ts';
import { consumeKey } from '../records/one-time-keys.ts';
import type { Row } from '../records/record-seals.ts';
import { recordsOf } from '../records/records-of.ts';

const NOT_REPLACED = 'The record store did not replace its records. Start OTP Guard again.';

/** The store copies and unpacks the backup after its answer. */
const REPLACE_MS = 5 * 60_000;
const POLL_EVERY_MS = 250;

/**
 * Replaces everything in the record store with a prepared archive: all of it, or nothing.
 *
 * @param input.id The restore for which the archive was marked.
 * @param input.begin Called immediately before the store is asked to replace its records.
 * @param input.undo Called if the store refuses that.
 * @throws Error if the store refuses the backup; nothing has changed then.
 * @throws StartError if the store doesn't replace its records.
 */
export async function restoreBackup(
  client: StoreClient,
  input: { id: string; name: string; path: string; begin(): void; undo(): void },
): Promise<void> {
  const { name } = input;
  await client.run(async (records) => {
    const file = new File([await openAsBlob(input.path)], name, { type: 'application/zip' });
    await records.backups.upload({ file });
    input.begin();
    await records.backups.restore(name).catch((error: unknown) => {
      // The store restarts in the middle of its answer.
      if ((error as { status?: number }).status === 0) return;
      input.undo();
      throw error;
    });
  });
  const deadline = performance.now() + REPLACE_MS;
  while (!(await isRestored(client, input.id).catch(() => false))) {
    if (performance.now() > deadline) throw new StartError(NOT_REPLACED);
    await delay(POLL_EVERY_MS);
  }
  await client.run((records) => records.backups.delete(name).catch(ignoreMissing));
}

const keyOf = (id: string) => `restored:${id}`;

/** Marks the store over an archive as what this restore leads to. The mark expires after an hour. */
export const markAsRestored = (client: StoreClient, id: string, now: Date) =>
  consumeKey(client, keyOf(id), now);

/** Tells whether the store's records are those of this restore. */
export const isRestored = async (client: StoreClient, id: string): Promise<boolean> =>
  Boolean(
    await recordsOf(client, 'one_time_keys')
      .first({ key: keyOf(id) })
      .catch(ignoreMissing),
  );

/** RFC 6238's default time step. */
const STEP_S = 30;
/** The current code and those of the next two steps are refused, as one of them may already have been used. */
const REFUSED_STEPS = 2;

/**
 * After a restore, what was used up since the backup looks unused. So this ends
 * everything people had begun, and refuses each one-time code that may already
 * have been used. Every session ended when the archive was opened.
 */
export async function invalidateRestoredState(client: StoreClient, now: Date): Promise<void> {
  for (const [collection, { restored }] of DEFINITIONS)
    if (restored === 'emptied') await client.run((records) => records.collections.truncate(collection));
  await endLeases(client, now);
  await refuseUsedCodes(client, now);
}

/** Refuses each one-time code that may have been used until now. */
export async function refuseUsedCodes(client: StoreClient, now: Date): Promise<void> {
  const step = Math.floor(now.getTime() / 1000 / STEP_S) + REFUSED_STEPS;
  const steps = recordsOf(client, 'totp_steps');
  for (const { id: totp } of await recordsOf(client, 'totps').all({}, { fields: 'id' }))
    await steps.createIfNew({ totp, step });
}

/**
 * Adds the signing keys that the restored store doesn't have. Without them, nobody could verify what they signed since
 * the backup, such as the checkpoints on GitHub. The newest of all continues to sign.
 */
export async function putBackSigningKeys(client: StoreClient, keys: Row[]): Promise<void> {
  const stored = recordsOf(client, 'signing_keys');
  for (const { id, number, public_key, secret, mac } of keys)
    await stored.createIfNew({ id, number, public_key, secret, mac } as RecordOf<'signing_keys'>);
}
