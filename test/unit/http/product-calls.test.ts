import { describe, expect, it, test } from '@jest/globals';
import type { ApprovalCallDeps } from '../../../src/approvals/approve/deps.ts';
import type { ProblemCode } from '../../../src/contract/problems.ts';
import { approvalCalls } from '../../../src/http/calls/approvals.ts';
import { AppError } from '../../../src/shared/app-error.ts';
import { SoftwareAuthenticator } from '../../support/authenticator.ts';
import { aCredential, anInstallation, EMPTY_ASSERTION, HEAD } from '../../support/fakes.ts';
import { endServersAfterEach, PUBLIC_URL, SESSION, startHttpApp } from './http-app.ts';

endServersAfterEach();

const headers = { authorization: SESSION };
const FORM = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
const RECORD = '/api/collections/webauthn/records/aaaaaaaaaaaaaaa';

const target = { installation: 5, owner: 'octo-org', ownerID: 9, repo: 'hello', pr: 7, head: HEAD };
const refusal = (code: ProblemCode) => {
  const { status, message: body } = new AppError(code);
  return { status, body };
};

describe('a deletion of an authenticator', () => {
  it.each([
    ['no GitHub token', {}, refusal('missingAuthToken')],
    ['one that GitHub does not know', { 'x-github-token': 'ghu_x' }, refusal('notAuthorizedWithGitHub')],
    ['one that is too long', { 'x-github-token': 'g'.repeat(4097) }, refusal('malformed')],
  ])('is refused with %s', async (_what, token, refused) => {
    const w = await startHttpApp();
    expect(await w.send('DELETE', RECORD, { headers: { ...headers, ...token } })).toMatchObject(refused);
  });
});

describe('the published list of keys', () => {
  const PATH = '/.well-known/otp-guard.json';

  it('is for anyone to read, of all organizations or of one, and for nobody to write', async () => {
    const w = await startHttpApp();
    for (const [method, query, status] of [
      ['HEAD', '', 200],
      ['GET', '?org=9', 200],
      ['GET', '?org=nine', 400],
      ['GET', '?org=9&org=10', 400],
      ['POST', '', 404],
    ] as const)
      expect([method, query, (await w.send(method, `${PATH}${query}`)).status]).toEqual([
        method,
        query,
        status,
      ]);
    expect(JSON.parse((await w.send('GET', `${PATH}?org=9`)).body).logs).toEqual([
      { org: 9, checkpoint: '' },
    ]);
  });
});

describe('the challenge of a step-up', () => {
  const body = { type: 'delete-authenticator', org: 'octo-org', orgID: 9, authenticatorID: 'a'.repeat(15) };

  it('is bound to the record that it was made for, so that it removes no other', async () => {
    const w = await startHttpApp();
    const org = await w.organizations.save(anInstallation());
    w.credentials.stored.push(aCredential(new SoftwareAuthenticator(PUBLIC_URL), { orgRecordId: org.id }));
    expect((await w.send('POST', '/webauthn-challenge', { headers, body })).status).toBe(200);
    expect(w.challenges.stored).toMatchObject([
      { purpose: 'delete-authenticator', subject: { authenticatorID: body.authenticatorID } },
    ]);
  });
});

describe('a call that needs no GitHub token', () => {
  const PATH = '/github-check-webauthn-params';
  it.each([
    ['one that GitHub does not know', 'ghu_x', 'notAuthorizedWithGitHub'],
    ['another person’s', 'ghu_octocat', 'otherGitHubAccount'],
  ] as const)('is refused with %s all the same', async (_whose, accessToken, code) => {
    const w = await startHttpApp();
    w.tokens.owners.set('ghu_octocat', { id: 12, login: 'octocat' } as never);
    const body = { ...target, type: 'webauthn', accessToken };
    expect(await w.send('POST', PATH, { headers, body })).toMatchObject(refusal(code));
  });
});

describe('an answer of a call', () => {
  it('is stored by no cache, and a logout ends the session', async () => {
    const w = await startHttpApp();
    const answer = await w.send('POST', '/logout', { headers });
    expect(answer).toMatchObject({ status: 200, body: 'ok', headers: { 'cache-control': 'no-store' } });
    expect((await w.send('POST', '/logout', { headers })).status).toBe(401);
  });
});

describe('the body of a call', () => {
  it('may be missing, together with its type and its length', async () => {
    const w = await startHttpApp();
    const chunked = { ...headers, 'transfer-encoding': 'chunked' };
    expect((await w.send('POST', '/logout', { headers: chunked })).status).toBe(200);
  });

  it('has at most 50 form fields, so that nobody can keep the server busy', async () => {
    const w = await startHttpApp();
    const tooMany = await w.send('POST', '/logout', { headers: FORM, body: 'x=1&'.repeat(51) });
    expect(tooMany).toMatchObject(refusal('tooLarge'));
  });

  it('has no nested form fields: a[b]=c is the field “a[b]”, not an object', async () => {
    const w = await startHttpApp();
    const fields = (name: string, value: object): string[] =>
      Object.entries(value).flatMap(([key, part]) =>
        typeof part === 'object' ? fields(`${name}[${key}]`, part) : [`${name}[${key}]=${part}`],
      );
    const nested = [...fields('params', target), ...fields('authResponse', EMPTY_ASSERTION)];
    const body = [...nested, 'authResponse[clientExtensionResults][x]=1'].join('&');
    expect((await w.send('POST', '/github-check-webauthn', { headers: FORM, body })).status).toBe(400);
  });
});

const FROM: [from: string, outcome: 'is let through' | 'is refused', headers: Record<string, string>][] = [
  ['a program without browser headers', 'is let through', {}],
  ['our own page', 'is let through', { origin: PUBLIC_URL, 'sec-fetch-site': 'same-origin' }],
  ['an old browser without fetch metadata', 'is let through', { origin: PUBLIC_URL }],
  ['a bookmark of the person', 'is let through', { 'sec-fetch-site': 'none' }],
  ['another site', 'is refused', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['another site, by its origin alone', 'is refused', { origin: 'https://evil.example' }],
  ['another site, by fetch metadata alone', 'is refused', { 'sec-fetch-site': 'cross-site' }],
  ['a site whose name begins with ours', 'is refused', { origin: `${PUBLIC_URL}.evil.example` }],
  ['a sister site', 'is refused', { 'sec-fetch-site': 'same-site' }],
  ['a page without an origin', 'is refused', { origin: 'null' }],
  ['our host without HTTPS', 'is refused', { origin: PUBLIC_URL.replace('https', 'http') }],
];

// Each product call has the same guard: test/http/refusals.test.ts.
it.each(FROM)('a deletion from %s %s', async (_from, outcome, sent) => {
  const w = await startHttpApp();
  // A request that is let through has no session.
  const code = outcome === 'is refused' ? 'crossSite' : 'missingAuthToken';
  expect(await w.send('DELETE', RECORD, { headers: sent })).toMatchObject(refusal(code));
});

test('webhooks are delayed while a person waits for an approval or its options, and for no other call', () => {
  const calls = approvalCalls({} as ApprovalCallDeps);
  const delaying = calls.filter(({ delaysWebhooks }) => delaysWebhooks).map(({ path }) => path);
  expect(delaying.sort()).toEqual([
    '/approve-batch',
    '/approve-batch-params',
    '/deny',
    '/deny-params',
    '/github-check-webauthn',
    '/github-check-webauthn-params',
    '/github-totp-check',
  ]);
});
