import type { DenyStatement } from '../../../../src/contract/statement.ts';
import { findDifference, hashOf, hashOfText, type OnScreen, refusalText } from './check-statement.ts';

/** The facts on the page, and the reason in its field. */
type DenialOnScreen = OnScreen & { base: string; reason: string };

/**
 * Checks that the challenge is the hash of a statement that denies what is on the screen, for this reason. Resolves to a
 * sentence for the person if not, or to null if their authenticator may sign the challenge.
 */
export async function refuseDenial(
  challenge: string,
  statement: DenyStatement,
  screen: DenialOnScreen,
): Promise<string | null> {
  const isReason = statement.reasonSha256 === (await hashOfText(screen.reason));
  const difference =
    findDifference(statement, screen, 'deny') ??
    (statement.base === screen.base ? null : 'base branch') ??
    (isReason ? null : 'reason');
  return refusalText(difference, challenge === (await hashOf(statement)));
}
