import type { PolicyStatement } from '../../../src/contract/statement.ts';
import { hashOf, NOTHING_SIGNED, type OnScreen, sameName } from './check-statement.ts';

/** The policy that an owner is about to put in force. */
type PolicyOnScreen = Pick<OnScreen, 'host' | 'user' | 'orgId'> & { policy: unknown };

/** The statement for which the server requests a signature. */
type Requested = { options: { challenge: string }; statement?: PolicyStatement };

/**
 * Checks that the challenge is the hash of a statement about exactly this policy, person and organization. Resolves to
 * a sentence for the person if not, or to null if their authenticator may sign the challenge.
 */
export async function refusePolicyStatement(
  { options, statement }: Requested,
  screen: PolicyOnScreen,
): Promise<string | null> {
  const difference = statement ? await findDifference(statement, screen) : 'purpose';
  if (difference) {
    return `The server requested a signature for a different ${difference} than this page shows. ${NOTHING_SIGNED}`;
  }
  if (options.challenge === (await hashOf(statement))) return null;
  return `The server requested a signature for something this page doesn't show. ${NOTHING_SIGNED}`;
}

async function findDifference(statement: PolicyStatement, screen: PolicyOnScreen): Promise<string | null> {
  const { user } = screen;
  if (statement.v !== 1 || statement.purpose !== 'policy') return 'purpose';
  if (statement.host !== screen.host) return 'site';
  if (!sameName(statement.user.login, user.login)) return 'person';
  if (statement.user.id !== user.githubId) return 'person';
  if (statement.org.id !== screen.orgId) return 'organization';
  if (statement.policySha256 !== (await hashOf(screen.policy))) return 'policy';
  return null;
}
