import PocketBase, { ClientResponseError, isTokenExpired } from 'pocketbase';
import { AppError } from '../app-error.ts';
import type { StoreAddress } from './process.ts';
import { restoreState } from './running.ts';

/** A superuser of the record store, signed in anew whenever its token no longer serves. */
export type StoreClient = {
  url: string;
  /**
   * Runs one piece of work over the signed-in SDK.
   *
   * @throws AppError `storeUnavailable` where the store does not answer; any
   *   other answer of the store reaches the caller as `ClientResponseError`.
   */
  run<T>(work: (records: PocketBase) => Promise<T>): Promise<T>;
};

/** Before that much of its life is left, a token is not used any more. */
const SPARE_S = 10 * 60;

/**
 * Signs in at the first use, not here.
 *
 * @param dataDir The folder of an embedded store, which a restore can replace under our feet.
 */
export function createStoreClient(address: StoreAddress, dataDir?: string): StoreClient {
  const records = new PocketBase(address.url);
  records.autoCancellation(false);
  let signedIn: Promise<unknown> | undefined;
  let restoredAt = dataDir === undefined ? 0 : restoreState(dataDir).at;

  // A token that serves no more is no error everywhere: the store shows a guest empty lists, and an empty list is
  // an answer. So it must be known before.
  const requireSession = () => {
    const state = dataDir === undefined ? null : restoreState(dataDir);
    if (state?.isUnderWay) throw new AppError('storeUnavailable');
    const isReplaced = state !== null && state.at !== restoredAt;
    if (state) restoredAt = state.at;
    const { token } = records.authStore;
    if (isReplaced || (token !== '' && isTokenExpired(token, SPARE_S))) signedIn = undefined;
  };

  const signIn = () => {
    signedIn ??= records
      .collection('_superusers')
      .authWithPassword(address.email, address.password)
      .catch((error) => {
        signedIn = undefined;
        throw error;
      });
    return signedIn;
  };

  return {
    url: address.url,
    async run(work) {
      try {
        requireSession();
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
        if (isBroken(error)) {
          throw new AppError('storeUnavailable', { cause: error });
        }
        throw error;
      }
    },
  };
}

/**
 * The store does not answer, or cannot write: a full disk is a 400 that names no
 * field, alone or in a batch.
 */
function isBroken(error: unknown): boolean {
  if (!(error instanceof ClientResponseError)) return false;
  if (error.status === 0 || error.status >= 500) return true;
  const answer = JSON.stringify(error.response);
  return (
    error.status === 400 && /"data":\{\},"message":"Failed to (create|update|delete|upsert)/.test(answer)
  );
}

/** A token that serves no more makes us a guest: 401 from some of the store's routes, 403 from others. */
function isSignedOut(error: unknown): boolean {
  return error instanceof ClientResponseError && (error.status === 401 || error.status === 403);
}

/** True where a create failed because a record with the same unique fields is there already. */
export function isDuplicate(error: unknown): boolean {
  if (!(error instanceof ClientResponseError) || error.status !== 400) return false;
  // A batch nests the answer of the request that failed.
  return JSON.stringify(error.response.data ?? {}).includes('"validation_not_unique"');
}

/** True where the record that was asked for is not there. */
export function isMissing(error: unknown): boolean {
  return error instanceof ClientResponseError && error.status === 404;
}

/** For `catch`: lets an error pass where the record that was to go is gone already. */
export function ignoreMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

/** The first record that `filter` finds, or null. `values` are escaped into `filter`'s `{:name}` places. */
export async function first<T>(
  records: PocketBase,
  collection: string,
  filter: string,
  values: Record<string, unknown>,
  options: { sort?: string; expand?: string } = {},
): Promise<T | null> {
  const page = await records.collection(collection).getList<T>(1, 1, {
    filter: records.filter(filter, values),
    skipTotal: true,
    ...options,
  });
  return page.items[0] ?? null;
}
