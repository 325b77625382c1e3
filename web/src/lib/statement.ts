import canonicalize from 'canonicalize';
import type { Statement } from '../../../src/contract/statement.ts';

/** What the page in front of the person is about. */
export type OnScreen = {
  /** The dashboard's origin. */
  host: string;
  user: { login: string; githubId: number | null };
  orgId: number;
  /** `owner/repository` */
  repo: string;
  pr: number;
  head: string;
};

const NOTHING_SIGNED =
  'Nothing was signed. Reload the page; if it happens again, tell the owner of the organization.';

/** base64url(SHA-256(JCS(statement))): the challenge of an approval. JCS is RFC 8785. */
export async function statementChallenge(statement: Statement): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalize(statement));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return btoa(String.fromCharCode(...digest))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/**
 * Refuses, with a sentence, a challenge that is not the hash of its statement, and a statement that is not about
 * what is on the screen. Null means: the person's key may sign this.
 */
export async function refuseStatement(
  challenge: string,
  statement: Statement,
  screen: OnScreen,
): Promise<string | null> {
  const odd = mismatch(statement, screen);
  if (odd)
    return `The server asked to sign an approval with another ${odd} than this page shows. ${NOTHING_SIGNED}`;
  if (challenge !== (await statementChallenge(statement))) {
    return `The server asked to sign something else than this page shows. ${NOTHING_SIGNED}`;
  }
  return null;
}

function mismatch(statement: Statement, screen: OnScreen): string | null {
  if (statement.v !== 1 || statement.purpose !== 'approve') return 'purpose';
  if (statement.host !== screen.host) return 'site';
  if (!sameName(statement.user.login, screen.user.login)) return 'person';
  if (screen.user.githubId !== null && statement.user.id !== screen.user.githubId) return 'person';
  if (statement.org.id !== screen.orgId) return 'organization';
  if (!sameName(statement.repo.name, screen.repo)) return 'repository';
  if (statement.pr !== screen.pr) return 'pull request';
  if (statement.head !== screen.head) return 'commit';
  return null;
}

/** GitHub's names do not differ by case. */
const sameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Whether two statements approve the same thing: everything but the moment (`nonce`, `iat`) is equal. */
export function sameApproval(a: Statement, b: Statement): boolean {
  const lasting = (statement: Statement) => canonicalize({ ...statement, nonce: '', iat: 0 });
  return lasting(a) === lasting(b);
}
