import { randomBytes } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { createExpiringMap } from '../../expiring-map.ts';
import { sha256Base64url } from '../../sha256.ts';

/** GitHub's code, and with it the whole registration, expires after an hour. */
const LIFE_MS = 60 * 60_000;

/** 256 bits that nobody can guess, for an address or a cookie. */
export const randomToken = (): string => randomBytes(32).toString('base64url');

export type OneTimeStates = ReturnType<typeof createOneTimeStates>;

/** The `state` values that went to GitHub: each brings one browser back once. Kept as hashes, so that no comparison tells how much of a guess was right. */
export function createOneTimeStates(clock: Clock) {
  const open = createExpiringMap<true>(clock);
  return {
    create(): string {
      const state = randomToken();
      open.set(sha256Base64url(state), true, LIFE_MS);
      return state;
    },

    /** Uses up the state. False if it isn't ours, was used before or has expired. */
    take(state: string): boolean {
      const key = sha256Base64url(state);
      const isOpen = open.get(key) === true;
      open.delete(key);
      return isOpen;
    },

    /** For a state that was taken, if GitHub then didn't answer: a reload tries the same code again. */
    putBack(state: string): void {
      open.set(sha256Base64url(state), true, LIFE_MS);
    },
  };
}
