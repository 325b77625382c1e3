import canonicalize from 'canonicalize';
import type { Random } from '../clock.ts';
import type { Statement } from '../contract/statement.ts';
import { sha256Base64url } from '../sha256.ts';
import type { PullRequest } from './ports.ts';

/** What this person is about to sign about this pull request as it stands now. */
export function makeStatement(input: {
  host: string;
  user: { id: number; login: string };
  org: { id: number; login: string };
  pull: PullRequest;
  now: Date;
  random: Random;
}): Statement {
  const { host, user, org, pull, now, random } = input;
  return {
    v: 1,
    purpose: 'approve',
    host,
    user: { id: user.id, login: user.login },
    org: { id: org.id, login: org.login },
    repo: { id: pull.repo.id, name: `${pull.repo.owner}/${pull.repo.name}` },
    pr: pull.number,
    base: pull.base,
    head: pull.head,
    nonce: Buffer.from(random(16)).toString('base64url'),
    iat: Math.floor(now.getTime() / 1000),
  };
}

/** The WebAuthn challenge of a statement, base64url: SHA-256 over its RFC 8785 form. */
export function statementChallenge(statement: Statement): string {
  const canonical = canonicalize(statement);
  if (canonical === undefined) throw new Error('the statement has no canonical form');
  return sha256Base64url(canonical);
}
