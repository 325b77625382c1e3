import PocketBase, { ClientResponseError } from 'pocketbase';
import { NO_ANSWER } from './api-client.ts';

export type RecordStore = PocketBase;

/** The record store's client on the dashboard's own origin; its session is kept under `pocketbase_auth`. */
export function createRecordStore(origin: string): RecordStore {
  const store = new PocketBase(origin);
  // Two pages may ask for the same thing at once; neither cancels the other.
  store.autoCancellation(false);
  store.beforeSend = (url, options) => ({ url, options: { ...options, fetch: keepText } });
  return store;
}

/** The product answers for the store in plain text where it refuses; the client only keeps JSON. */
async function keepText(url: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.ok || !response.headers.get('Content-Type')?.startsWith('text/plain')) return response;
  return Response.json({ message: await response.text() }, { status: response.status });
}

/** The sentence for a failed call to the record store. */
export function storeSentence(error: unknown): string {
  if (!(error instanceof ClientResponseError))
    return error instanceof Error ? error.message : `Unknown error: ${error}`;
  if (error.status === 0) return NO_ANSWER;
  return error.response.message || 'Something went wrong while processing your request.';
}

/** The status of a failed call to the record store; 0 where no answer came. */
export const storeStatus = (error: unknown) => (error instanceof ClientResponseError ? error.status : 0);

/** Whether the record store knows the session no more, as opposed to not answering. */
export const isSessionOver = (error: unknown) =>
  error instanceof ClientResponseError && [401, 403, 404].includes(error.status);
