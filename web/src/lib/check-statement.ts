import canonicalize from 'canonicalize';
import type { Statement } from '../../../src/contract/statement.ts';

/** The facts on the page. */
export type OnScreen = {
  /** The dashboard's origin. */
  host: string;
  user: { login: string; githubId: number };
  orgId: number;
  /** `owner/repository` */
  repo: string;
  /** Null if the address doesn't have it. */
  repoId: number | null;
  pr: number;
  head: string;
};

export const NOTHING_SIGNED =
  'Nothing was signed. Reload the page. If this happens again, contact an owner of the organization.';

/** base64url(SHA-256(JCS(statement))): the challenge of an approval. */
export const statementChallenge = (statement: Statement): Promise<string> => hashOf(statement);

/** base64url(SHA-256(JCS(value))). JCS is RFC 8785. */
export async function hashOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalize(value));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return btoa(String.fromCharCode(...digest))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/**
 * Checks that the challenge is the hash of the statement and that the statement describes what is on the screen.
 * Resolves to a sentence for the person if not, or to null if their authenticator may sign the challenge.
 */
export async function refuseStatement(
  challenge: string,
  statement: Statement,
  screen: OnScreen,
): Promise<string | null> {
  const difference = findDifference(statement, screen);
  if (difference) {
    return `The server requested a signature for a different ${difference} than this page shows. ${NOTHING_SIGNED}`;
  }
  if (challenge !== (await statementChallenge(statement))) {
    return `The server requested a signature for something this page doesn't show. ${NOTHING_SIGNED}`;
  }
  return null;
}

/** The first part of a statement that the screen shows differently, in words; null if there is none. */
export function findDifference(statement: Statement, screen: OnScreen): string | null {
  if (statement.v !== 1 || statement.purpose !== 'approve') return 'purpose';
  if (statement.host !== screen.host) return 'site';
  if (!sameName(statement.user.login, screen.user.login)) return 'person';
  if (statement.user.id !== screen.user.githubId) return 'person';
  if (statement.org.id !== screen.orgId) return 'organization';
  if (!sameName(statement.repo.name, screen.repo)) return 'repository';
  if (screen.repoId !== null && statement.repo.id !== screen.repoId) return 'repository';
  if (statement.pr !== screen.pr) return 'pull request';
  if (statement.head !== screen.head) return 'commit';
  return null;
}

/** GitHub's names are case-insensitive. */
export const sameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Whether two statements approve the same thing: only their `nonce` and `iat` may differ. */
export function sameApproval(a: Statement, b: Statement): boolean {
  const withoutMoment = (statement: Statement) => canonicalize({ ...statement, nonce: '', iat: 0 });
  return withoutMoment(a) === withoutMoment(b);
}
