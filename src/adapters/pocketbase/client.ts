import PocketBase, {
  type BatchRequestResult,
  type BatchService,
  ClientResponseError,
  isTokenExpired,
  type SendOptions,
} from 'pocketbase';
import { AppError, STORE_FULL } from '../../shared/app-error.ts';
import { type Clock, systemClock } from '../../shared/clock.ts';
import { upsertSuperuser } from './process/commands.ts';
import type { StoreAddress } from './process/process-marker.ts';
import { readRestoreMarker } from './process/restore-marker.ts';

/** The record store, with our superuser signed in. It signs in again when its token is no longer valid. */
export type StoreClient = {
  url: string;
  /** Gives the times that records hold. */
  clock: Clock;
  /**
   * Calls `work` with the signed-in SDK. It mustn't update a single record: `recordsOf` and `sendBatch` do that safely.
   *
   * @throws AppError `storeUnavailable` if the store doesn't answer or can't write.
   * @throws ClientResponseError for any other error that the store answers with.
   */
  run<T>(work: (records: PocketBase) => Promise<T>): Promise<T>;
};

type StoreClientOptions = { dataDir?: string | undefined; clock?: Clock; answerMs?: number };

/** Longer than a backup stops all writes. */
const ANSWER_MS = 75_000;
/** A sign-in writes nothing, so it shows soon that a store hangs. */
const SIGN_IN_MS = 10_000;
/** The store answers when it has copied everything. */
const BACKUP_MS = 30 * 60_000;

/** A token that expires sooner than this is renewed first. */
const RENEW_BEFORE_S = 10 * 60;

/**
 * Signs in at the first use, not here.
 *
 * @param options.dataDir The folder of an embedded store. A restore can replace that store at any time.
 * @param options.answerMs How long the store may take for one answer.
 */
export function createStoreClient(
  address: StoreAddress,
  { dataDir, clock = systemClock, answerMs = ANSWER_MS }: StoreClientOptions = {},
): StoreClient {
  const records = new PocketBase(address.url);
  records.autoCancellation(false);
  records.beforeSend = (url, options) => {
    const controller = new AbortController();
    const abort = () => controller.abort(new DOMException('The store took too long', 'TimeoutError'));
    // The signal of `AbortSignal.timeout` would stay in memory for that long after each answer.
    const timer = setTimeout(abort, /\/api\/backups/.test(url) ? BACKUP_MS : answerMs).unref();
    return { url, options: { signal: controller.signal, ...options, timer } };
  };
  records.afterSend = (_answer: Response, data: unknown, options?: SendOptions) => {
    clearTimeout(options?.timer);
    return data;
  };
  let signedIn: Promise<unknown> | undefined;
  const readMarker = () => (dataDir === undefined ? null : readRestoreMarker(dataDir));
  let markerSeen = readMarker()?.changedAt;

  // Must be known before a request: with a token that is no longer valid we're a guest, and the store answers a
  // guest with empty lists, not with an error.
  const forgetInvalidSession = () => {
    const marker = readMarker();
    if (marker?.isRestoring) throw new AppError('storeUnavailable');
    const wasRestored = marker?.changedAt !== markerSeen;
    markerSeen = marker?.changedAt;
    const { token } = records.authStore;
    if (wasRestored || (token !== '' && isTokenExpired(token, RENEW_BEFORE_S))) signedIn = undefined;
  };

  const authenticate = () =>
    records.collection('_superusers').authWithPassword(address.email, address.password, {
      signal: AbortSignal.timeout(Math.min(SIGN_IN_MS, answerMs)),
    });
  const signIn = () => {
    signedIn ??= authenticate()
      .catch(async (error) => {
        // The password of our own store was changed.
        if (dataDir === undefined || !(error instanceof ClientResponseError) || error.status !== 400)
          throw error;
        await upsertSuperuser(dataDir, address).catch(() => {
          throw error;
        });
        return authenticate();
      })
      .catch((error) => {
        signedIn = undefined;
        throw error;
      });
    return signedIn;
  };

  return {
    url: address.url,
    clock,
    async run(work) {
      try {
        forgetInvalidSession();
        await signIn();
        try {
          return await work(records);
        } catch (error) {
          if (!isSignedOut(error)) throw error;
          signedIn = undefined;
          await signIn();
          return await work(records);
        }
      } catch (error) {
        // It may be another store when it answers again, to which we're a guest.
        if (isUnreachable(error)) signedIn = undefined;
        if (isUnavailable(error))
          throw new AppError('storeUnavailable', {
            cause: error,
            ...(isFull(error) && { sentence: STORE_FULL }),
          });
        throw error;
      }
    },
  };
}

const isUnreachable = (error: unknown) => error instanceof ClientResponseError && error.status === 0;

/**
 * The store doesn't answer, or can't write. If the disk is full, it answers 400
 * without naming a field, for a single request, inside a batch, and for a batch as a whole.
 */
function isUnavailable(error: unknown): boolean {
  if (!(error instanceof ClientResponseError)) return false;
  if (error.status === 0 || error.status >= 500) return true;
  const answer = JSON.stringify(error.response);
  return (
    error.status === 400 &&
    /database or disk is full|"data":\{\},"message":"(Failed to (create|update|delete|upsert|import)|An error occurred while saving|Batch transaction failed)/.test(
      answer,
    )
  );
}

/** The store answers, and can't write. */
const isFull = (error: unknown) => error instanceof ClientResponseError && error.status === 400;

/** The status that the store answered with, for a batch that of the request that failed. Null for any other error. */
function statusOf(error: unknown): number | null {
  if (!(error instanceof ClientResponseError)) return null;
  const [, inBatch] = /"status":(\d+)/.exec(JSON.stringify(error.response.data ?? {})) ?? [];
  return inBatch === undefined ? error.status : Number(inBatch);
}

/** With an invalid token we're a guest: some of the store's routes then answer 401, others 403. */
const isSignedOut = (error: unknown): boolean => [401, 403].includes(statusOf(error) ?? 0);

/** True if a create failed because a record with the same unique fields already exists. */
export function isDuplicate(error: unknown): boolean {
  if (!(error instanceof ClientResponseError) || error.status !== 400) return false;
  // A batch nests the error of the request that failed.
  return JSON.stringify(error.response.data ?? {}).includes('"validation_not_unique"');
}

/**
 * True if the store answered that there is no such record or collection, or that a batch needs a record that doesn't
 * exist.
 */
export const isMissing = (error: unknown): boolean => statusOf(error) === 404;

const isTooLarge = (error: unknown): boolean =>
  error instanceof ClientResponseError &&
  JSON.stringify(error.response).includes('"validation_json_size_limit"');

/** For `catch`: null instead of an error of this kind. */
const nullIf =
  (isExpected: (error: unknown) => boolean) =>
  (error: unknown): null => {
    if (isExpected(error)) return null;
    throw error;
  };

/** For `catch`: null if there is no such record or collection. */
export const ignoreMissing = nullIf(isMissing);

/** Runs a create or a batch of creates. Null if a record with the same unique fields already exists. */
export const createIfNew = <T>(create: () => Promise<T>): Promise<T | null> =>
  create().catch(nullIf(isDuplicate));

/** Runs a change. False if the store already has such a record, or lacks a record that the change needs. */
export async function tryToStore(change: () => Promise<unknown>): Promise<boolean> {
  const isRefused = (error: unknown) => isDuplicate(error) || isMissing(error);
  return (await change().then(() => true, nullIf(isRefused))) ?? false;
}

/** Runs a change. False if the store refused it because a JSON value is longer than `MOST_JSON_BYTES`. */
export const storeUnlessTooLarge = async (change: () => Promise<unknown>): Promise<boolean> =>
  (await change().then(() => true, nullIf(isTooLarge))) ?? false;

/** The most changes that a batch can have: `migrate` sets this limit in the record store. */
export const MOST_IN_A_BATCH = 50;

/** Makes several changes: all of them, or none. */
export const sendBatch = (
  client: StoreClient,
  add: (batch: BatchService) => void,
): Promise<BatchRequestResult[]> =>
  client.run((records) => {
    const batch = records.createBatch();
    add(batch);
    return batch.send();
  });

/** Makes a change for each item, in as few batches as possible. */
export async function sendBatches<T>(
  client: StoreClient,
  items: T[],
  add: (batch: BatchService, item: T) => void,
): Promise<void> {
  for (let start = 0; start < items.length; start += MOST_IN_A_BATCH)
    await sendBatch(client, (batch) => {
      for (const item of items.slice(start, start + MOST_IN_A_BATCH)) add(batch, item);
    });
}

/**
 * Gathers what is asked for while a batch is under way, and sends it as the next one: many small changes at the same
 * moment cost the store's disk a few transactions.
 *
 * @param send Sends a batch; all that is in it succeeds or fails together.
 */
export function gatherBatches<T, R>(send: (items: T[]) => Promise<R[]>): (item: T) => Promise<R> {
  const waiting: { item: T; resolve(result: R): void; reject(error: unknown): void }[] = [];
  let isSending = false;
  const sendAll = async () => {
    if (isSending) return;
    isSending = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MOST_IN_A_BATCH);
      try {
        const results = await send(batch.map(({ item }) => item));
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as R);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isSending = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      void sendAll();
    });
}

/** A time as the record store writes it, for filters and for fields that are compared. */
export const storeTime = (date: Date): string => date.toISOString().replace('T', ' ');
