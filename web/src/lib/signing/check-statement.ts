import { bufferToBase64URLString } from '@simplewebauthn/browser';
import canonicalize from 'canonicalize';
import type { ShownFiles } from '../../../../src/contract/approvals.ts';
import { signedFiles } from '../../../../src/contract/signed-files.ts';
import type { DenyStatement, Statement } from '../../../../src/contract/statement.ts';

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

const NOTHING_SIGNED =
  'Nothing was signed. Reload the page. If this happens again, contact an owner of the organization.';

/** base64url(SHA-256(JCS(value))), which is the challenge of a statement. JCS is RFC 8785. */
export function hashOf(value: unknown): Promise<string> {
  return hashOfText(canonicalize(value) ?? '');
}

/** base64url(SHA-256(text)), of its UTF-8. */
export async function hashOfText(text: string): Promise<string> {
  return bufferToBase64URLString(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}

/**
 * Checks that the challenge is the hash of the statement and that the statement describes what is on the screen.
 * Resolves to a sentence for the person if not, or to null if their authenticator may sign the challenge.
 */
export async function refuseStatement(
  challenge: string,
  statement: Statement,
  screen: OnScreen,
  files: ShownFiles | null,
): Promise<string | null> {
  const shown = files?.isComplete ? await hashOf(signedFiles(files.listed)) : undefined;
  const difference =
    findDifference(statement, screen) ?? (statement.files === shown ? null : 'list of changed files');
  return refusalText(difference, challenge === (await hashOf(statement)));
}

/** The sentence for the person; null if the screen shows no difference and what is signed is the statement. */
export function refusalText(difference: string | null, isStatement: boolean): string | null {
  if (difference === null && isStatement) return null;
  const shown = difference
    ? `a different ${difference} than this page shows`
    : "something this page doesn't show";
  return `The server requested a signature for ${shown}. ${NOTHING_SIGNED}`;
}

/** The names in each statement: its purpose, the site, the person who signs and the organization. */
type Signed = Pick<Statement, 'host' | 'user' | 'org'> & { v: number; purpose: string };

/** The first of these that isn't the screen's; null if there is none. */
export function findSignerDifference(
  { v, purpose, host, user, org }: Signed,
  expected: string,
  screen: Pick<OnScreen, 'host' | 'user' | 'orgId'>,
): string | null {
  if (v !== 1 || purpose !== expected) return 'purpose';
  if (host !== screen.host) return 'site';
  if (!sameName(user.login, screen.user.login) || user.id !== screen.user.githubId) return 'person';
  return org.id === screen.orgId ? null : 'organization';
}

/** The first part of a statement that the screen shows differently, in words; null if there is none. */
export function findDifference(
  statement: Statement | DenyStatement,
  screen: OnScreen,
  purpose: 'approve' | 'deny' = 'approve',
): string | null {
  const difference = findSignerDifference(statement, purpose, screen);
  if (difference) return difference;
  if (!sameName(statement.repo.name, screen.repo)) return 'repository';
  if (screen.repoId !== null && statement.repo.id !== screen.repoId) return 'repository';
  if (statement.pr !== screen.pr) return 'pull request';
  if (statement.head !== screen.head) return 'commit';
  return null;
}

/** GitHub's names are case-insensitive. */
export const sameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Tells whether two statements approve the same thing: only their `nonce` and `iat` may differ. */
export function sameApproval(a: Statement, b: Statement): boolean {
  const withoutMoment = (statement: Statement) => canonicalize({ ...statement, nonce: '', iat: 0 });
  return withoutMoment(a) === withoutMoment(b);
}
