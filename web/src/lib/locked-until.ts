import type { ApiError } from './api-client.ts';

/**
 * When the server accepts codes again, in milliseconds since 1970: after too many wrong ones, or once the app shows the
 * code after a used one. Null if it accepts them now.
 */
export const lockedUntil = ({ status, retryAfter }: ApiError, now: number): number | null =>
  status === 429 || (status === 403 && retryAfter !== undefined) ? now + (retryAfter ?? 60) * 1000 : null;
