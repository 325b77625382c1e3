import PocketBase, { type ClientResponseError } from 'pocketbase';
import { ACCEPT, ApiError, inTime } from '../api/api-client.ts';
import type { Client } from '../session/client.ts';
import { useClient } from './use-client.ts';

export type RecordStore = PocketBase;

const stores = new WeakMap<Client, RecordStore>();

/**
 * The record store's client: one for each of ours, made when the first page needs it. The approval page needs none, so
 * nothing that belongs to the entry may import this.
 */
export function recordStoreOf(client: Client): RecordStore {
  const store = stores.get(client) ?? createRecordStore(client.config.origin);
  stores.set(client, store);
  return store;
}

export const useRecordStore = (): RecordStore => recordStoreOf(useClient());

/**
 * The record store's client on the dashboard's origin. It reads the session where `session.ts` keeps it, and rejects
 * with an `ApiError`.
 */
export function createRecordStore(origin: string): RecordStore {
  const store = new PocketBase(origin);
  // Two components may send equal requests simultaneously; by default the client would cancel the first.
  store.autoCancellation(false);
  store.beforeSend = (url, options) => ({
    url,
    options: {
      ...options,
      headers: { ...options.headers, Accept: ACCEPT },
      fetch: (input: RequestInfo | URL, init?: RequestInit) => fetch(input, inTime(init)),
    },
  });
  const send = store.send.bind(store);
  store.send = (path, options) => send(path, options).catch(throwApiError);
  return store;
}

/** The record store's own refusals have a message and no code; its 404 is the product's. */
function throwApiError(error: ClientResponseError): never {
  if (error.isAbort || error.status === 0) throw error.isAbort ? error : new ApiError();
  const { message, ...problem } = error.response;
  const detail = message || 'Something went wrong while processing your request.';
  const code = error.status === 404 ? { code: 'notFound' as const } : {};
  throw new ApiError({ status: error.status, detail, ...code, ...problem });
}
