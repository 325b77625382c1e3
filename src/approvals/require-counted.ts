import { AppError } from '../app-error.ts';
import type { AssuredAuthenticator } from '../policies/assurance.ts';
import { NO_FACTS } from '../policies/facts.ts';
import { whyNotCounted } from '../policies/why-not-counted.ts';
import type { AuthorizedTarget } from './authorize-approver.ts';
import type { Grounds } from './judge.ts';
import { type GroundsDeps, readGrounds } from './read-grounds.ts';
import type { SomePerson } from './read-person.ts';

/** One use of an authenticator. */
export type Use = AssuredAuthenticator & { userVerified: boolean };

/**
 * Requires that an approval would count for something: call it before anything
 * is used up.
 *
 * @throws AppError `wouldNotCount` with the reason, `githubUnavailable`, `storeUnavailable`.
 */
export async function requireCounted(
  deps: GroundsDeps,
  { person, authorized, use }: { person: SomePerson; authorized: AuthorizedTarget; use: Use },
): Promise<void> {
  const { repo, pull } = authorized;
  const grounds = await readGrounds(deps, { repo, pulls: [pull], approvals: [], about: person });
  const sentence = refusalOf(grounds, { person, authorized, uses: [use] });
  if (sentence) throw new AppError('wouldNotCount', { sentence });
}

/** Why none of these uses would count, by the reason of the first; null if one would, or if there are none. */
export function refusalOf(
  { policy, facts, hasRoots }: Grounds,
  { person, authorized, uses }: { person: SomePerson; authorized: AuthorizedTarget; uses: Use[] },
): string | null {
  const { pull, fromOutside } = authorized;
  const about = { policy, facts: facts.get(pull.number) ?? NO_FACTS, hasRoots };
  const { githubId } = person;
  const reasons = uses.map((use) => whyNotCounted({ ...use, githubId, fromOutside }, pull, about));
  return reasons.includes(null) ? null : (reasons[0] ?? null);
}
