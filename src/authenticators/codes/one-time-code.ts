import { totp } from '../../contract/authenticators.ts';
import type { Organization } from '../../organizations/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import { inWords } from '../../shared/limits.ts';
import type { AuthenticatorDeps } from '../deps.ts';
import type { TotpApp } from '../ports.ts';
import { stepOfCode } from './totp.ts';

type Attempt = { userId: string; org: Pick<Organization, 'id' | 'name'>; code: string };

const MOST_CLAIMS = 10;

/**
 * Verifies a one-time code of this person in this organization and uses it up.
 * Each attempt counts as a failure before its code is checked, so that many
 * simultaneous attempts, in any number of processes, can't get around the lock.
 * A right code clears the failures. A right code that was used before takes back its own attempt.
 * Attempts in this process take turns, so that one whose code isn't checked yet locks out no other.
 *
 * @throws AppError `missingAuthenticator` without an app, `tooManyCodes` with
 *   the wait, `wrongCode` with the tries that are left, `usedCode` with the wait for the next code.
 */
export async function consumeOneTimeCode(deps: AuthenticatorDeps, input: Attempt): Promise<TotpApp> {
  const app = await deps.totpApps.find(input.userId, input.org.id);
  if (!app) throw new AppError('missingAuthenticator');
  return deps.codeAttempts.add(`${input.userId} ${input.org.id}`, () => consume(deps, input, app));
}

async function consume(
  deps: AuthenticatorDeps,
  { userId, org, code }: Attempt,
  app: TotpApp,
): Promise<TotpApp> {
  const { failures, attempt } = await claimAttempt(deps, userId, org.id);
  const now = deps.clock.now();
  const step = stepOfCode(app.secret, code.trim(), now);
  if (step === null) {
    // The person gets a notice for every five.
    if (failures % FREE_FAILURES === 0)
      await deps.notices.add({ kind: 'codesLocked', userId, data: { org: org.name } }, now);
    throw wrongCode(failures, now);
  }
  if (!(await deps.totpApps.consume(app, step))) {
    await deps.codeFailures.release(userId, org.id, attempt);
    throw usedCode(step, now);
  }
  await deps.codeFailures.clear(userId, org.id);
  return app;
}

/** Claims the next attempt. @returns Its number, and how many failures there are with it. */
async function claimAttempt(
  deps: AuthenticatorDeps,
  userId: string,
  orgRecordId: string,
): Promise<{ failures: number; attempt: number }> {
  for (let round = 0; round < MOST_CLAIMS; round += 1) {
    const now = deps.clock.now();
    const { count, last, next } = await deps.codeFailures.read(userId, orgRecordId);
    const seconds = secondsLocked(count, last, now);
    if (seconds > 0) throw tooManyCodes(count, seconds);
    if (await deps.codeFailures.claim(userId, orgRecordId, next, now))
      return { failures: count + 1, attempt: next };
  }
  throw tooManyCodes(0, 1);
}

/** Has the tries that are left, and, if this wrong code locks codes, the wait. */
function wrongCode(failures: number, now: Date): AppError {
  const seconds = secondsLocked(failures, now, now);
  return new AppError('wrongCode', {
    triesLeft: Math.max(0, FREE_FAILURES - failures),
    ...(seconds > 0 && { retryAfter: seconds }),
  });
}

/** Has no wait if the app already shows the next code. */
function usedCode(step: number, now: Date): AppError {
  const seconds = Math.ceil((step + 1) * totp.period - now.getTime() / 1000);
  return new AppError('usedCode', seconds > 0 ? { retryAfter: seconds } : {});
}

/**
 * RFC 4226 section 7.3 requires a throttle, and NIST SP 800-63B section 5.2.2
 * allows at most 100 consecutive failed attempts.
 */
const FREE_FAILURES = 5;
const FIRST_LOCK_S = 5 * 60;
const LONGEST_LOCK_S = 24 * 60 * 60;
const MOST_FAILURES = 100;

/**
 * The number of seconds that codes stay locked. Four wrong codes are free. The fifth and
 * each one after it locks codes, for a time that doubles with every five.
 *
 * @param failures Wrong codes since the last right one.
 * @param last The time of the last wrong code.
 */
export function secondsLocked(failures: number, last: Date | null, now: Date): number {
  if (failures < FREE_FAILURES || !last) return 0;
  if (failures >= MOST_FAILURES) return LONGEST_LOCK_S;
  const lock = Math.min(FIRST_LOCK_S * 2 ** (Math.floor(failures / FREE_FAILURES) - 1), LONGEST_LOCK_S);
  return Math.max(0, Math.ceil(lock - (now.getTime() - last.getTime()) / 1000));
}

function tooManyCodes(failures: number, seconds: number): AppError {
  const sentence =
    failures >= MOST_FAILURES
      ? 'Your codes are locked in this organization. Use a passkey or a security key, or ask an owner for help.'
      : `Too many wrong codes. Try again in ${inWords(seconds)}, or use a passkey.`;
  return new AppError('tooManyCodes', { sentence, retryAfter: seconds });
}
