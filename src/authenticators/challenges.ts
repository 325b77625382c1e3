import { AppError } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import { parseClientData } from './client-data.ts';
import type { Challenge, Challenges, Purpose } from './ports.ts';

/** A challenge lives a minute, by the server's clock; the grace covers the way back. */
export const CHALLENGE_LIFE_MS = 60_000;
const GRACE_MS = 5_000;

/** Remembers what a challenge was made for, from now on for its life. */
export async function issueChallenge(
  deps: { challenges: Challenges; clock: Clock },
  challenge: Omit<Challenge, 'expires'>,
): Promise<void> {
  const expires = new Date(deps.clock.now().getTime() + CHALLENGE_LIFE_MS);
  await deps.challenges.add({ ...challenge, expires });
}

/**
 * The challenge that this person answers, made for this purpose in this organization.
 *
 * @throws AppError `challengeUnknown` where it was made for anyone or anything else.
 */
export async function findChallenge(
  challenges: Challenges,
  wanted: { clientDataJSON: string; purpose: Purpose; userId: string; orgId: number },
): Promise<Challenge> {
  const data = parseClientData(wanted.clientDataJSON);
  const found = data ? await challenges.find(data.challenge) : null;
  if (
    !found ||
    found.purpose !== wanted.purpose ||
    found.userId !== wanted.userId ||
    found.orgId !== wanted.orgId
  ) {
    throw new AppError('challengeUnknown');
  }
  return found;
}

/**
 * Uses a challenge up. It is used up whatever comes of it, and before anything
 * is verified, so that of many answers at one moment one is looked at.
 *
 * @throws AppError `challengeSpent`, `challengeExpired`.
 */
export async function spendChallenge(
  deps: { challenges: Challenges; clock: Clock },
  challenge: Challenge,
): Promise<void> {
  if (!(await deps.challenges.spend(challenge))) throw new AppError('challengeSpent');
  if (deps.clock.now().getTime() > challenge.expires.getTime() + GRACE_MS)
    throw new AppError('challengeExpired');
}
