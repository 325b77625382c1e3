import type { Contributor } from '../../policies/details.ts';
import type { Pushers } from '../ports.ts';

/** A push that a webhook told: who moved the pull request from one head to another. */
export type Push = { repoId: number; pr: number; before: string; after: string; by: Contributor | null };

/**
 * Notes who pushed a head: GitHub tells only the webhook. If OTP Guard doesn't know how the pull request came to the head
 * before, it missed a push, which may have been to either of the two: then both have an unknown pusher, too.
 */
export async function notePush(
  { pushers }: { pushers: Pushers },
  { before, after, by, ...pull }: Push,
): Promise<void> {
  const isMissed = (await pushers.of(pull.repoId, pull.pr, before)).length === 0;
  // `before` is the last, so that a process that dies leaves it without a pusher for the next try.
  const unknown = isMissed ? [after, before] : [];
  for (const head of unknown) await pushers.add({ ...pull, head, by: null });
  await pushers.add({ ...pull, head: after, by });
}
