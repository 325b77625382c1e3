import { base64URLStringToBuffer } from '@simplewebauthn/browser';
import type { VouchStatement } from '../../../../src/contract/statement.ts';
import { findSignerDifference, hashOf, type OnScreen, refusalText, sameName } from './check-statement.ts';

type Account = { id: number; login: string };

/** The page's content for a person who is about to vouch. */
type VouchOnScreen = Pick<OnScreen, 'host' | 'user'> & {
  org: Account;
  holder: Account;
};

/**
 * Checks that the challenge is the hash of a statement about this holder, person and organization. Resolves to a
 * sentence for the person if not, or to null if their authenticator may sign the challenge.
 */
export async function refuseVouchStatement(
  challenge: string,
  statement: VouchStatement,
  screen: VouchOnScreen,
): Promise<string | null> {
  const difference = findDifference(statement, screen);
  return refusalText(difference, challenge === (await hashOf(statement)));
}

/**
 * The six digits of the key in a statement, as `src/authenticators/vouch/comparison.ts` makes them for its holder: the number
 * of the first six bytes of SHA-256(hash of the key, what the server drew), without its millions.
 */
export async function comparisonDigits(
  { credential }: Pick<VouchStatement, 'credential'>,
  drawn: string,
): Promise<string> {
  const hash = new Uint8Array(base64URLStringToBuffer(credential.publicKeySha256));
  const bytes = [...hash, ...new TextEncoder().encode(drawn)];
  const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(bytes));
  const number = new Uint8Array(digest).slice(0, 6).reduce((sum, byte) => sum * 256 + byte, 0);
  return String(number % 1_000_000).padStart(6, '0');
}

function findDifference(statement: VouchStatement, screen: VouchOnScreen) {
  const difference = findSignerDifference(statement, 'vouch', { ...screen, orgId: screen.org.id });
  if (difference) return difference;
  if (!isSame(statement.org, screen.org)) return 'organization';
  return isSame(statement.credential.holder, screen.holder) ? null : 'holder';
}

const isSame = (one: Account, other: Account) => one.id === other.id && sameName(one.login, other.login);
