import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { refuseStatement, sameApproval, statementChallenge } from '../../../web/src/lib/check-statement.ts';
import { screen, statement } from './approval-fixture.ts';

describe('statementChallenge', () => {
  test('is the SHA-256 of the statement’s RFC 8785 form, for any order of its members', async () => {
    const canonical =
      '{"base":"main","head":"6dcb09b5b57875f334f61aebed695e2e4193db5e","host":"https://guard.example.org",' +
      '"iat":1795217206,"nonce":"bm9uY2Utbm9uY2Utbm9uYw","org":{"id":9919,"login":"octo-org"},"pr":7,' +
      '"purpose":"approve","repo":{"id":1296269,"name":"octo-org/hello"},' +
      '"user":{"id":583231,"login":"octocat"},"v":1}';
    const expected = createHash('sha256').update(canonical).digest('base64url');
    expect(await statementChallenge(statement)).toBe(expected);
    const reversed = Object.fromEntries(Object.entries(statement).reverse()) as typeof statement;
    expect(await statementChallenge(reversed)).toBe(expected);
  });
});

describe('refuseStatement', () => {
  test('accepts a statement that matches the screen', async () => {
    expect(await refuseStatement(await statementChallenge(statement), statement, screen)).toBeNull();
  });

  test('ignores the case of GitHub names', async () => {
    const shouted = { ...screen, repo: 'Octo-Org/Hello', user: { login: 'OctoCat', githubId: 583231 } };
    expect(await refuseStatement(await statementChallenge(statement), statement, shouted)).toBeNull();
  });

  test('refuses a challenge that isn’t the hash of the statement', async () => {
    const challenge = await statementChallenge({ ...statement, nonce: 'other' });
    expect(await refuseStatement(challenge, statement, screen)).toMatch("something this page doesn't show");
  });

  test.each([
    ['purpose', { v: 2 }],
    ['purpose', { purpose: 'delete' }],
    ['site', { host: 'https://evil.example' }],
    ['person', { user: { id: 583231, login: 'mona' } }],
    ['person', { user: { id: 1, login: 'octocat' } }],
    ['organization', { org: { id: 1, login: 'octo-org' } }],
    ['repository', { repo: { id: 1296269, name: 'octo-org/other' } }],
    ['repository', { repo: { id: 1, name: 'octo-org/hello' } }],
    ['pull request', { pr: 8 }],
    ['commit', { head: '7dcb09b5b57875f334f61aebed695e2e4193db5e' }],
  ])('refuses a different %s, even with the right hash', async (what, change) => {
    const other = { ...statement, ...change } as typeof statement;
    const refusal = await refuseStatement(await statementChallenge(other), other, screen);
    expect(refusal).toMatch(`a different ${what} than this page shows`);
    expect(refusal).toMatch('Nothing was signed');
  });
});

describe('sameApproval', () => {
  test('is true if only the nonce and the time differ', () => {
    expect(sameApproval(statement, { ...statement, nonce: 'later', iat: statement.iat + 50 })).toBe(true);
  });

  test.each([{ base: 'release' }, { head: 'a'.repeat(40) }, { user: { id: 1, login: 'mona' } }])(
    'is false for %j',
    (change) => {
      expect(sameApproval(statement, { ...statement, ...change })).toBe(false);
    },
  );
});
