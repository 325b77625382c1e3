import { openAsBlob } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '../../../shared/app-error.ts';
import { ignoreMissing, type StoreClient } from '../client.ts';
import { isHealthy } from '../process/process-marker.ts';
import { endLeases } from '../records/leases.ts';
import type { Row } from '../records/record-seals.ts';
import { recordsOf } from '../records/records-of.ts';
import { DEFINITIONS, type RecordOf } from '../schema/collections.ts';
import { backupName } from './backup-folder.ts';

const NOT_REPLACED = 'The record store did not replace its records. Start OTP Guard again.';
const NOT_BACK = 'The record store did not come back after the restore. Start OTP Guard again.';

const RESTART_MS = 20_000;
/** The store unpacks the backup after its answer. */
const REPLACE_MS = 5 * 60_000;
const POLL_EVERY_MS = 250;
/** A store that is about to restart has gone by then: this many polls take a second and a half. */
const HEALTHY_POLLS = 7;

/**
 * Replaces everything in the record store with a backup's archive.
 *
 * @param input.path An archive that was opened before.
 * @param input.begin Called immediately before the store is asked to replace its records.
 * @param input.undo Called if the store refuses that.
 * @param input.hasReplaced Whether the store has replaced its records, if that can be seen from outside.
 * @param input.upsertSuperuser Lets our superuser in again, as the backup brings its own.
 * @throws Error if the store refuses the backup; nothing has changed then.
 * @throws StartError if the store doesn't replace its records, or doesn't come back.
 */
export async function restoreBackup(
  client: StoreClient,
  input: {
    path: string;
    now: Date;
    begin(): void;
    undo(): void;
    hasReplaced(): boolean;
    upsertSuperuser(): Promise<void>;
  },
): Promise<void> {
  const name = backupName(input.now);
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
  await until(input.hasReplaced, REPLACE_MS, 1, NOT_REPLACED);
  await until(() => isHealthy(client.url), RESTART_MS, HEALTHY_POLLS, NOT_BACK);
  await input.upsertSuperuser();
  await client.run((records) => records.backups.delete(name).catch(ignoreMissing));
}

/** Waits until the condition is met this many times in a row. */
async function until(isMet: () => boolean | Promise<boolean>, ms: number, times: number, failure: string) {
  const deadline = performance.now() + ms;
  for (let met = 0; met < times; ) {
    met = (await isMet()) ? met + 1 : 0;
    if (performance.now() > deadline) throw new StartError(failure);
    if (met < times) await delay(POLL_EVERY_MS);
  }
}

/** RFC 6238's default time step. */
const STEP_S = 30;
/** The current code and those of the next two steps are refused, as one of them may already have been used. */
const REFUSED_STEPS = 2;

/**
 * After a restore, what was used up since the backup looks unused. So this ends
 * everything people had begun, and refuses each one-time code that may already
 * have been used. Every session ended when the archive was packed.
 */
export async function invalidateRestoredState(client: StoreClient, now: Date): Promise<void> {
  for (const [collection, { restored }] of DEFINITIONS)
    if (restored === 'emptied') await client.run((records) => records.collections.truncate(collection));
  await endLeases(client, now);
  const step = Math.floor(now.getTime() / 1000 / STEP_S) + REFUSED_STEPS;
  const steps = recordsOf(client, 'totp_steps');
  for (const { id: totp } of await recordsOf(client, 'totps').all({}, { fields: 'id' }))
    await steps.createIfNew({ totp, step });
}

/**
 * Adds the signing keys that the restored store doesn't have. Without them, nobody could verify what they signed since
 * the backup, such as the checkpoints on GitHub. The newest of all goes on signing.
 */
export async function putBackSigningKeys(client: StoreClient, keys: Row[]): Promise<void> {
  const stored = recordsOf(client, 'signing_keys');
  for (const { id, number, public_key, secret, mac } of keys)
    await stored.createIfNew({ id, number, public_key, secret, mac } as RecordOf<'signing_keys'>);
}
