import { parseClientData } from '../../proofs/client-data.ts';
import { AppError } from '../../shared/app-error.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Challenge, Challenges, Purpose } from '../ports.ts';

/** How long a challenge is valid by the server's clock; the grace is for the answer's way to us. */
export const CHALLENGE_LIFE_MS = 60_000;
const GRACE_MS = 5_000;

/** Stores a challenge and what it was made for, until it expires. */
export async function issueChallenge(
  deps: { challenges: Challenges; clock: Clock },
  challenge: Omit<Challenge, 'expires'>,
): Promise<void> {
  const expires = new Date(deps.clock.now().getTime() + CHALLENGE_LIFE_MS);
  await deps.challenges.add({ ...challenge, expires });
}

/**
 * Finds the challenge that the client data answers.
 *
 * @param wanted.orgId Undefined if only GitHub knows the organization yet: the
 *   caller then has to compare it.
 * @throws AppError `challengeUnknown` if there is none, or if it was made for
 *   another purpose, person or organization.
 */
export async function findChallenge(
  challenges: Challenges,
  wanted: { clientDataJSON: string; purpose: Purpose; userId: string; orgId: number | undefined },
): Promise<Challenge> {
  const data = parseClientData(wanted.clientDataJSON);
  const challenge = data ? await challenges.find(data.challenge) : null;
  if (
    !challenge ||
    challenge.purpose !== wanted.purpose ||
    challenge.userId !== wanted.userId ||
    (wanted.orgId !== undefined && challenge.orgId !== wanted.orgId)
  ) {
    throw new AppError('challengeUnknown');
  }
  return challenge;
}

/**
 * Uses a challenge up. Do this before you verify its answer, so that of several
 * simultaneous answers only one is verified.
 *
 * @throws AppError `challengeUsed`, `challengeExpired`.
 */
export async function consumeChallenge(
  deps: { challenges: Challenges; clock: Clock },
  challenge: Challenge,
): Promise<void> {
  if (!(await deps.challenges.consume(challenge))) throw new AppError('challengeUsed');
  if (deps.clock.now().getTime() > challenge.expires.getTime() + GRACE_MS)
    throw new AppError('challengeExpired');
}
