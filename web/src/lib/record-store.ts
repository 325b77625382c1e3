import PocketBase, { ClientResponseError } from 'pocketbase';
import { NO_ANSWER } from './api-client.ts';

export type RecordStore = PocketBase;

/** The record store's client on the dashboard's origin. It keeps its session in local storage, `pocketbase_auth`. */
export function createRecordStore(origin: string): RecordStore {
  const store = new PocketBase(origin);
  // Two components may send equal requests at once; by default the client would cancel the first.
  store.autoCancellation(false);
  store.beforeSend = (url, options) => ({ url, options: { ...options, fetch: keepText } });
  return store;
}

/** The product refuses calls to the store in plain text, which the client would drop: it keeps only JSON. */
async function keepText(url: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.ok || !response.headers.get('Content-Type')?.startsWith('text/plain')) return response;
  const retryAfter = Number(response.headers.get('Retry-After')) || undefined;
  return Response.json({ message: await response.text(), retryAfter }, { status: response.status });
}

/** Seconds until a retry makes sense, if the server limited a call to the record store and said so. */
export const storeRetryAfter = (error: unknown): number | undefined =>
  error instanceof ClientResponseError && error.status === 429 ? error.response.retryAfter : undefined;

/** The sentence for a failed call to the record store. */
export function storeSentence(error: unknown): string {
  if (!(error instanceof ClientResponseError))
    return error instanceof Error ? error.message : `Unknown error: ${error}`;
  if (error.status === 0) return NO_ANSWER;
  return error.response.message || 'Something went wrong while processing your request.';
}

/** The status of a failed call to the record store; 0 if there was no answer. */
export const storeStatus = (error: unknown) => (error instanceof ClientResponseError ? error.status : 0);

/** Whether the record store refused the session, as opposed to not answering. */
export const isSessionOver = (error: unknown) =>
  error instanceof ClientResponseError && [401, 403, 404].includes(error.status);
