import PocketBase from 'pocketbase';
import type { Client } from './client.ts';
import { inTime } from './in-time.ts';
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

/** The record store's client on the dashboard's origin. It reads the session where `auth-store.ts` keeps it. */
export function createRecordStore(origin: string): RecordStore {
  const store = new PocketBase(origin);
  // Two components may send equal requests at once; by default the client would cancel the first.
  store.autoCancellation(false);
  store.beforeSend = (url, options) => ({ url, options: { ...options, fetch: keepText } });
  return store;
}

/** The product refuses calls to the store in plain text, which the client would drop: it keeps only JSON. */
async function keepText(url: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, inTime(init));
  if (response.ok || !response.headers.get('Content-Type')?.startsWith('text/plain')) return response;
  const retryAfter = Number(response.headers.get('Retry-After')) || undefined;
  return Response.json({ message: await response.text(), retryAfter }, { status: response.status });
}
