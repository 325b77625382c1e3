import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { makeStatement, statementChallenge } from '../../../src/approvals/approve/make-statement.ts';
import { statement as schema } from '../../../src/contract/statement.ts';
import type { Random } from '../../../src/shared/clock.ts';
import { hashOf as inBrowser } from '../../../web/src/lib/signing/check-statement.ts';
import { aPull, HEAD } from '../../support/fakes.ts';

type Input = Parameters<typeof makeStatement>[1];

const newStatement = ({ random, ...change }: Partial<Input & { random: Random }> = {}) =>
  makeStatement(
    {
      origins: { publicUrl: 'https://guard.example.org' },
      clock: { now: () => new Date('2026-11-20T22:00:06.999Z') },
      random: random ?? ((bytes) => new Uint8Array(bytes).fill(0xfb)),
    },
    {
      person: { githubId: 583231, login: 'octocat' },
      org: { orgId: 9919, name: 'octo-org' },
      pull: aPull(),
      ...change,
    },
  );

describe('the statement of an approval', () => {
  it('names the person, the organization, the pull request, its base and its head', () => {
    expect(newStatement()).toEqual({
      v: 1,
      purpose: 'approve',
      host: 'https://guard.example.org',
      user: { id: 583231, login: 'octocat' },
      org: { id: 9919, login: 'octo-org' },
      repo: { id: 42, name: 'octo-org/hello' },
      pr: 7,
      base: 'main',
      head: HEAD,
      nonce: '-_v7-_v7-_v7-_v7-_v7-w',
      iat: 1795212006,
    });
    expect(schema.parse(newStatement())).toEqual(newStatement());
  });
});

describe('the challenge of a statement', () => {
  it('is the SHA-256 of the statement’s canonical form', () => {
    const canonical =
      `{"base":"main","head":"${HEAD}","host":"https://guard.example.org","iat":1795212006,` +
      '"nonce":"-_v7-_v7-_v7-_v7-_v7-w","org":{"id":9919,"login":"octo-org"},"pr":7,"purpose":"approve",' +
      '"repo":{"id":42,"name":"octo-org/hello"},"user":{"id":583231,"login":"octocat"},"v":1}';
    expect(statementChallenge(newStatement())).toBe(
      createHash('sha256').update(canonical, 'utf8').digest('base64url'),
    );
  });

  it.each([
    ['plain names', {}],
    ['a base outside ASCII', { pull: aPull({ base: 'größe/✓-😀-\u0080\ufb33' }) }],
    ['a base of JSON’s own signs', { pull: aPull({ base: '"\\\u2028/\u001f' }) }],
    ['the largest ids', { person: { githubId: Number.MAX_SAFE_INTEGER, login: 'x' } }],
  ])('is the same in the browser and on the server, for %s', async (_what, change) => {
    const one = newStatement(change);
    expect(await inBrowser(JSON.parse(JSON.stringify(one)))).toBe(statementChallenge(one));
  });
});
