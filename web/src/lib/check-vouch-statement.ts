import type { VouchStatement } from '../../../src/contract/statement.ts';
import { hashOf, NOTHING_SIGNED, type OnScreen, sameName } from './check-statement.ts';

type Account = { id: number; login: string };

/** The page's content for a person who is about to vouch. */
export type VouchOnScreen = Pick<OnScreen, 'host' | 'user'> & {
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
  if (difference) {
    return `The server requested a signature for a different ${difference} than this page shows. ${NOTHING_SIGNED}`;
  }
  if (challenge === (await hashOf(statement))) return null;
  return `The server requested a signature for something this page doesn't show. ${NOTHING_SIGNED}`;
}

/**
 * The six digits of the key in a statement, as `src/authenticators/vouch/comparison.ts` makes them for its holder: the number
 * of the first six bytes of SHA-256(hash of the key, what the server drew), without its millions.
 */
export async function comparisonDigits(
  { credential }: Pick<VouchStatement, 'credential'>,
  drawn: string,
): Promise<string> {
  const hash = atob(credential.publicKeySha256.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = [...Array.from(hash, (one) => one.charCodeAt(0)), ...new TextEncoder().encode(drawn)];
  const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(bytes));
  const number = new Uint8Array(digest).slice(0, 6).reduce((sum, byte) => sum * 256 + byte, 0);
  return String(number % 1_000_000).padStart(6, '0');
}

function findDifference(statement: VouchStatement, { host, user, org, holder }: VouchOnScreen) {
  if (statement.v !== 1 || statement.purpose !== 'vouch') return 'purpose';
  if (statement.host !== host) return 'site';
  if (!sameName(statement.user.login, user.login)) return 'person';
  if (statement.user.id !== user.githubId) return 'person';
  if (!isSame(statement.org, org)) return 'organization';
  return isSame(statement.credential.holder, holder) ? null : 'holder';
}

const isSame = (one: Account, other: Account) => one.id === other.id && sameName(one.login, other.login);
