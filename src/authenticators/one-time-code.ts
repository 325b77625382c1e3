import type { Notices, Organization } from '../accounts/ports.ts';
import { AppError } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import type { CodeFailures, TotpApp, TotpApps } from './ports.ts';
import { stepOfCode } from './totp.ts';

export type CodeDeps = {
  totpApps: TotpApps;
  codeFailures: CodeFailures;
  notices: Pick<Notices, 'add'>;
  clock: Clock;
};

/** RFC 4226 section 7.3 asks for a throttle, NIST SP 800-63B section 5.2.2 for at most 100 wrong tries in a row. */
const FREE_FAILURES = 5;
const FIRST_LOCK_S = 5 * 60;
const LONGEST_LOCK_S = 24 * 60 * 60;
const MOST_FAILURES = 100;
const MOST_CLAIMS = 10;

/**
 * Uses a one-time code of this person in this organization up.
 *
 * Each try takes its place in the row of wrong ones before it is looked at, so
 * that however many come at once, in however many processes, no more are looked
 * at than the throttle allows. A right code clears the row.
 *
 * @throws AppError `missingAuthenticator` without an app, `tooManyCodes` with
 *   the wait, `wrongCode`, `usedCode`.
 */
export async function spendOneTimeCode(
  deps: CodeDeps,
  input: { userId: string; org: Pick<Organization, 'id' | 'name'>; code: string },
): Promise<TotpApp> {
  const { userId, org } = input;
  const app = await deps.totpApps.of(userId, org.id);
  if (!app) throw new AppError('missingAuthenticator');
  const place = await claimTry(deps, userId, org.id);
  const now = deps.clock.now();
  const step = stepOfCode(app.secret, input.code.trim(), now);
  if (step === null) {
    if (place % FREE_FAILURES === 0)
      await deps.notices.add({ kind: 'codesLocked', userId, data: { org: org.name } }, now);
    throw new AppError('wrongCode');
  }
  if (!(await deps.totpApps.spend(app, step))) throw new AppError('usedCode');
  await deps.codeFailures.clear(userId, org.id);
  return app;
}

/** Which one in the row of wrong ones this try is, should it be wrong. */
async function claimTry(deps: CodeDeps, userId: string, orgRecordId: string): Promise<number> {
  for (let round = 0; round < MOST_CLAIMS; round += 1) {
    const now = deps.clock.now();
    const { count, last, next } = await deps.codeFailures.of(userId, orgRecordId);
    const wait = secondsLeft(count, last, now);
    if (wait > 0) throw tooManyCodes(count, wait);
    if (await deps.codeFailures.claim(userId, orgRecordId, next, now)) return count + 1;
  }
  throw tooManyCodes(0, 1);
}

/** Five wrong codes are free; from then on each one locks, for a time that doubles with every five. */
export function secondsLeft(count: number, last: Date | null, now: Date): number {
  if (count < FREE_FAILURES || !last) return 0;
  if (count >= MOST_FAILURES) return LONGEST_LOCK_S;
  const lock = Math.min(FIRST_LOCK_S * 2 ** (Math.floor(count / FREE_FAILURES) - 1), LONGEST_LOCK_S);
  return Math.max(0, Math.ceil(lock - (now.getTime() - last.getTime()) / 1000));
}

function tooManyCodes(count: number, wait: number): AppError {
  if (count >= MOST_FAILURES) {
    const sentence =
      'Codes are locked for you here. Use a passkey or a security key, or ask an owner for help.';
    return new AppError('tooManyCodes', { sentence, retryAfter: wait });
  }
  const sentence = `Too many wrong codes. Try again in ${inWords(wait)}, or use a passkey.`;
  return new AppError('tooManyCodes', { sentence, retryAfter: wait });
}

function inWords(seconds: number): string {
  if (seconds < 60) return 'a minute';
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 120) return `${minutes} minutes`;
  return `${Math.ceil(minutes / 60)} hours`;
}
