import { describe, expect, it } from '@jest/globals';
import type { ProblemCode } from '../../../src/contract/problems.ts';
import { AppError } from '../../../src/shared/app-error.ts';
import { SoftwareAuthenticator } from '../../support/authenticator.ts';
import { aCredential, anInstallation, HEAD } from '../../support/fakes.ts';
import { endServersAfterEach, PUBLIC_URL, SESSION, startHttpApp } from './http-app.ts';

endServersAfterEach();

const headers = { authorization: SESSION };
const FORM = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
const RECORD = '/api/collections/webauthn/records/aaaaaaaaaaaaaaa';

const target = { installation: 5, owner: 'octo-org', ownerID: 9, repo: 'hello', pr: 7, head: HEAD };
const registration = { label: 'My passkey', type: 'passkey', org: 'octo-org', orgID: 9 };
const assertion = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
  clientExtensionResults: {},
};
const attestation = { ...assertion, response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } };
const totpSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEH';

/** Each call that acts for the person at GitHub, with all but the GitHub token. */
const WITHOUT_TOKEN: [path: string, body: object][] = [
  ['/github-register-authenticator-params', registration],
  ['/github-register-passkey', { params: registration, pkCreds: attestation }],
  ['/github-check-webauthn', { params: target, authResponse: assertion }],
  ['/github-totp-check', { ...target, base: 'main', otp: '123456' }],
  ['/github-register-totp', { totpValue: '123456', totpSecret, org: 'octo-org', orgID: 9 }],
];

const refusal = (code: ProblemCode) => {
  const { status, message: body } = new AppError(code);
  return { status, body };
};

describe('a call that acts for a person', () => {
  it.each(WITHOUT_TOKEN)('is refused without a GitHub token: %s', async (path, body) => {
    const w = await startHttpApp();
    expect(await w.send('POST', path, { headers, body })).toMatchObject(refusal('missingAuthToken'));
  });

  it.each([...WITHOUT_TOKEN, ['/github-check-webauthn-params', target]] as typeof WITHOUT_TOKEN)(
    'is refused with a token that GitHub does not know: %s',
    async (path, body) => {
      const w = await startHttpApp();
      const answer = await w.send('POST', path, { headers, body: { ...body, accessToken: 'ghu_unknown' } });
      expect(answer).toMatchObject(refusal('notAuthorizedWithGitHub'));
    },
  );

  it.each(WITHOUT_TOKEN)(
    'takes a GitHub token of 4,096 characters, and no longer one: %s',
    async (path, body) => {
      const w = await startHttpApp();
      const send = (length: number) =>
        w.send('POST', path, { headers, body: { ...body, accessToken: 'g'.repeat(length) } });
      expect(await send(4096)).toMatchObject(refusal('notAuthorizedWithGitHub'));
      expect((await send(4097)).status).toBe(400);
    },
  );

  it.each([
    ['no GitHub token', {}, refusal('missingAuthToken')],
    ['one that GitHub does not know', { 'x-github-token': 'ghu_x' }, refusal('notAuthorizedWithGitHub')],
    ['one that is too long', { 'x-github-token': 'g'.repeat(4097) }, refusal('malformed')],
  ])('removes no authenticator with %s', async (_what, token, refused) => {
    const w = await startHttpApp();
    expect(await w.send('DELETE', RECORD, { headers: { ...headers, ...token } })).toMatchObject(refused);
  });

  it('is refused without a session', async () => {
    const w = await startHttpApp();
    for (const authorization of ['', 'Bearer ', 'ended'])
      expect(await w.send('POST', '/logout', { headers: { authorization } })).toMatchObject(
        refusal('missingAuthToken'),
      );
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

  it('is refused by name, not as a fault, if OTP Guard does not know the organization', async () => {
    const w = await startHttpApp();
    const answer = await w.send('POST', '/webauthn-challenge', { headers, body });
    expect(answer).toMatchObject(refusal('installationNotFound'));
  });

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

  it('is a form or JSON: any other type could come from a form of another site', async () => {
    const w = await startHttpApp();
    const plain = { ...headers, 'content-type': 'text/plain' };
    const answer = await w.send('POST', '/logout', { headers: plain, body: '{}' });
    expect(answer).toMatchObject(refusal('unsupportedType'));
  });

  it('has at most 64 KiB and 50 form fields, so that nobody can keep the server busy', async () => {
    const w = await startHttpApp();
    const tooLong = await w.send('POST', '/logout', { headers, body: { x: 'x'.repeat(64 * 1024) } });
    const tooMany = await w.send('POST', '/logout', { headers: FORM, body: 'x=1&'.repeat(51) });
    expect([tooLong, tooMany]).toMatchObject([refusal('tooLarge'), refusal('tooLarge')]);
  });

  it('has no nested form fields: a[b]=c is the field “a[b]”, not an object', async () => {
    const w = await startHttpApp();
    const fields = (name: string, value: object): string[] =>
      Object.entries(value).flatMap(([key, part]) =>
        typeof part === 'object' ? fields(`${name}[${key}]`, part) : [`${name}[${key}]=${part}`],
      );
    const nested = [...fields('params', target), ...fields('authResponse', assertion)];
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

describe.each([
  ['POST', '/logout'],
  ['DELETE', RECORD],
])('%s %s', (method, path) => {
  it.each(FROM)('from %s %s', async (_from, outcome, sent) => {
    const w = await startHttpApp();
    // What is let through has no session.
    const code = outcome === 'is refused' ? 'crossSite' : 'missingAuthToken';
    expect(await w.send(method, path, { headers: sent })).toMatchObject(refusal(code));
  });
});
