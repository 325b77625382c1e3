import type {
  AcknowledgeStatement,
  PolicyStatement,
  VouchStatement,
} from '../../../../src/contract/statement.ts';
import { findSignerDifference, hashOf, type OnScreen, refusalText } from './check-statement.ts';

/** The policy that an owner is about to put in force. */
type PolicyOnScreen = Pick<OnScreen, 'host' | 'user' | 'orgId'> & { policy: unknown };

/** The statement for which the server requests a signature. */
export type Requested = {
  options: { challenge: string };
  statement?: PolicyStatement | AcknowledgeStatement | VouchStatement;
};

/**
 * Checks that the challenge is the hash of a statement about exactly this policy, person and organization. Resolves to
 * a sentence for the person if not, or to null if their authenticator may sign the challenge.
 */
export async function refusePolicyStatement(
  { options, statement }: Requested,
  screen: PolicyOnScreen,
): Promise<string | null> {
  const difference = statement ? await findDifference(statement, screen) : 'purpose';
  return refusalText(difference, options.challenge === (await hashOf(statement)));
}

async function findDifference(
  statement: NonNullable<Requested['statement']>,
  screen: PolicyOnScreen,
): Promise<string | null> {
  const difference = findSignerDifference(statement, 'policy', screen);
  if (difference || statement.purpose !== 'policy') return difference;
  if (statement.policySha256 !== (await hashOf(screen.policy))) return 'policy';
  return null;
}
