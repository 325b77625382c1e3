import canonicalize from 'canonicalize';
import type { DeployStatement, RejectStatement } from '../../../../src/contract/statement.ts';
import { findSignerDifference, hashOf, hashOfText, type OnScreen, refusalText } from './check-statement.ts';

type AnyStatement = DeployStatement | RejectStatement;

/** The address of the page, and the person and the site on it. */
export type DeploymentOnScreen = Pick<OnScreen, 'host' | 'user' | 'orgId'> & {
  run: number;
  environment: string;
};

/**
 * Checks that the challenge is the hash of a statement that approves a deployment to this environment, or with `reason` one
 * that rejects it for that. Resolves to a sentence for the person if not, or to null.
 */
export async function refuseDeployment(
  challenge: string,
  statement: AnyStatement,
  screen: DeploymentOnScreen,
  reason?: string,
): Promise<string | null> {
  const signedReason = 'reasonSha256' in statement ? statement.reasonSha256 : undefined;
  const givenReason = reason === undefined ? undefined : await hashOfText(reason);
  const difference =
    findSignerDifference(statement, reason === undefined ? 'deploy' : 'reject', screen) ??
    findTargetDifference(statement, screen) ??
    (signedReason === givenReason ? null : 'reason');
  return refusalText(difference, challenge === (await hashOf(statement)));
}

function findTargetDifference({ run, environment }: AnyStatement, screen: DeploymentOnScreen): string | null {
  if (run !== screen.run) return 'workflow run';
  return environment === screen.environment ? null : 'environment';
}

/** Tells whether both statements are about the same deployment, whatever they decide and when. */
export function isSameDeployment(one: AnyStatement, other: AnyStatement): boolean {
  const about = (statement: AnyStatement) =>
    canonicalize({ ...statement, purpose: '', reasonSha256: '', nonce: '', iat: 0 });
  return about(one) === about(other);
}
