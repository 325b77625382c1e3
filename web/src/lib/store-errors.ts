import type { ClientResponseError } from 'pocketbase';
import { NO_ANSWER } from './api-client.ts';

/** By its name, because the class would load the record store's client. The name ends in the status. */
const isStoreError = (error: unknown): error is ClientResponseError =>
  error instanceof Error && error.name.startsWith('ClientResponseError');

/** Seconds until a retry makes sense, if the server limited a call to the record store and said so. */
export const storeRetryAfter = (error: unknown): number | undefined =>
  isStoreError(error) && error.status === 429 ? error.response.retryAfter : undefined;

/** The sentence for a failed call to the record store. */
export function storeSentence(error: unknown): string {
  if (!isStoreError(error)) return error instanceof Error ? error.message : `Unknown error: ${error}`;
  if (error.status === 0) return NO_ANSWER;
  return error.response.message || 'Something went wrong while processing your request.';
}

/** The status of a failed call to the record store; 0 if there was no answer. */
export const storeStatus = (error: unknown) => (isStoreError(error) ? error.status : 0);
