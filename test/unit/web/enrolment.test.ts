import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import canonicalize from 'canonicalize';
import { comparisonOf, drawnFor } from '../../../src/authenticators/comparison.ts';
import { publicKeySha256 } from '../../../src/authenticators/logged-credential.ts';
import type { EnrolmentAnswer, OwnWaiting } from '../../../src/contract/enrolment.ts';
import { problems } from '../../../src/contract/problems.ts';
import type { VouchStatement } from '../../../src/contract/statement.ts';
import { refusedStep } from '../../../web/src/features/registration/wizard.ts';
import { hashOf } from '../../../web/src/lib/signing/check-statement.ts';
import {
  comparisonDigits,
  refuseVouchStatement,
} from '../../../web/src/lib/signing/check-vouch-statement.ts';
import { alertText, dashboard, fireEvent, json, refusal, screen, waitFor } from './dashboard.ts';
import { plugInPasskey } from './fake-passkey.ts';
import { membership, record } from './fixtures.ts';

const open = dashboard();
const OF = 'owner=octo-org&ownerID=9919';
const SECRET = 's'.repeat(43);
const ID = 'abcdefghijklmno';
const CALL = 'POST /organization-enrolment';

const mona = { id: 7, login: 'mona' };
const pending: OwnWaiting = {
  id: ID,
  keyId: 'a2V5',
  holder: { id: 583231, login: 'octocat' },
  type: 'passkey',
  label: 'My laptop',
  model: '',
  since: '2026-11-21T09:14:03.123Z',
  comparison: '482 109',
  waitsFor: 'vouch',
  page: `/vouch?org=octo-org&orgID=9919&authenticator=${ID}`,
};
const enrolment: EnrolmentAnswer = {
  mode: 'vouched',
  domains: [],
  vouchers: 'owners',
  vouchExistingBy: null,
  active: 0,
  own: [],
  mayVouch: false,
  waiting: [],
};
const answers = (change: Partial<EnrolmentAnswer>) => ({ [CALL]: json({ ...enrolment, ...change }) });
const newcomer = { ...record, authenticators: {} };

describe('refuseVouchStatement', () => {
  const statement: VouchStatement = {
    v: 1,
    purpose: 'vouch',
    host: 'https://guard.example.org',
    org: { id: 9919, login: 'octo-org' },
    user: { id: 583231, login: 'octocat' },
    credential: { id: 'a2V5', publicKeySha256: 'aGFzaA', holder: mona },
    nonce: 'bm9uY2U',
    iat: 1795217206,
  };
  const { host, org, user } = statement;
  const onScreen = { host, org, user: { login: 'OctoCat', githubId: user.id }, holder: mona };
  const challengeOf = (value: unknown) =>
    createHash('sha256')
      .update(canonicalize(value) ?? '')
      .digest('base64url');

  test('lets a person sign what the page shows', async () => {
    expect(await refuseVouchStatement(challengeOf(statement), statement, onScreen)).toBeNull();
  });

  test('refuses a challenge that isn’t the hash of the statement', async () => {
    const other = challengeOf({ ...statement, nonce: 'other' });
    expect(await refuseVouchStatement(other, statement, onScreen)).toMatch(
      "something this page doesn't show",
    );
  });

  test.each([
    ['purpose', { purpose: 'approve' }],
    ['site', { host: 'https://evil.example' }],
    ['person', { user: { id: 583231, login: 'mona' } }],
    ['person', { user: { id: 1, login: 'octocat' } }],
    ['organization', { org: { id: 1, login: 'octo-org' } }],
    ['organization', { org: { id: 9919, login: 'other-org' } }],
    ['holder', { credential: { ...statement.credential, holder: { id: 8, login: 'mona' } } }],
    ['holder', { credential: { ...statement.credential, holder: { id: 7, login: 'thief' } } }],
  ])('refuses a different %s, even with the right hash', async (what, change) => {
    const other = { ...statement, ...change } as VouchStatement;
    const text = await refuseVouchStatement(challengeOf(other), other, onScreen);
    expect(text).toMatch(`a different ${what} than this page shows`);
  });
});

test('a refused registration goes back to the address or the code, by the server’s code', () => {
  for (const code of ['emailCodeUnknown', 'wrongEmailCode', 'tooManyEmailCodes'] as const)
    expect(refusedStep(code)).toBe('code');
  for (const code of ['addressTaken', 'emailCodeRequired', 'otherDomain'] as const)
    expect(refusedStep(code)).toBe('address');
  for (const code of ['notAccepted', 'alreadyRegistered', 'notMember', null] as const)
    expect(refusedStep(code)).toBeNull();
});

test('the secret of a device link leaves the address before the sign-in, and is not kept if it is malformed', async () => {
  const { client, requests } = open(`/second-device#org=octo-org&orgID=9919&secret=${SECRET}`, {
    person: null,
  });
  await screen.findByRole('button', { name: 'Authenticate with GitHub' });
  await waitFor(() => expect(window.location.hash).toBe(''));
  expect(window.location.search).toBe(`?${OF}`);
  expect(JSON.parse(client.tab.getItem('device-link') ?? '')).toEqual({ orgID: '9919', secret: SECRET });
  expect(requests).toEqual([]);

  open(`/second-device#org=octo-org&orgID=9919&secret=short`);
  expect(await alertText()).toMatch('This link was used already, or is incomplete.');
});

describe('a registration', () => {
  test('asks for a company address if the organization does so only since the page was opened', async () => {
    const modes = ['open', 'email'] as const;
    let asked = 0;
    open(`/register-totp?${OF}`, {
      person: newcomer,
      network: {
        [CALL]: () => json({ ...enrolment, mode: modes[asked++], domains: ['example.org'] })(),
        'POST /github-register-totp': refusal('emailCodeRequired'),
      },
    });
    const secret = (await screen.findByText(/^[A-Z2-7]{4} /)).textContent?.replace(/\s/g, '') ?? '';
    const { CodeApp } = await import('../../support/authenticator.ts');
    const { Secret } = await import('otpauth');
    const value = new CodeApp(Secret.fromBase32(secret).bytes).codeAt(Date.now());
    fireEvent.change(screen.getByLabelText('Code from the app'), { target: { value } });
    expect(await alertText()).toBe(problems.emailCodeRequired[1]);
    await screen.findByLabelText('Company address');
  });

  test('of an app is not offered as a first authenticator that needs a vouch', async () => {
    open(`/register-totp?${OF}`, { person: newcomer, network: answers({}) });
    await screen.findByText(/^Register a passkey or security key first\./);
    expect(screen.queryByLabelText('Code from the app')).toBeNull();
  });
});

describe('what waits', () => {
  const vouchWith = (digits: string) => {
    const field = screen.getByLabelText('The code that mona tells you');
    fireEvent.change(field, { target: { value: digits } });
    fireEvent.click(screen.getByRole('button', { name: 'Vouch for mona' }));
  };
  const stored = { [`pending:${record.id}:9919`]: ID };

  test('shows its code and link in the browser that registered it, and sends a newcomer there', async () => {
    open(`/register?${OF}`, { person: newcomer, network: answers({ own: [pending] }), local: stored });
    await screen.findByText('482 109');
    screen.getByText(window.location.origin + pending.page);
    expect(window.location.pathname).toBe('/waiting');
  });

  test.each([
    ['that this browser did not register', {}, /waits for a vouch\. Touch it/],
    ['that took the place of another', { [`pending:${record.id}:9919`]: 'another' }, /replaced yours/],
  ])('shows no code of one %s', async (_, local, text) => {
    open(`/waiting?${OF}`, { person: newcomer, network: answers({ own: [pending] }), local });
    await screen.findByText(text);
    expect(screen.queryByText('482 109')).toBeNull();
  });

  test('shows no code of one from before either, but the day until which it counts', async () => {
    const own: OwnWaiting[] = [{ ...pending, waitsFor: 'existing' }];
    open(`/waiting?${OF}`, { network: answers({ own, active: 1, vouchExistingBy: '2999-01-31' }) });
    await screen.findByText(/count only until 2999-01-31/);
    expect(screen.queryByText('482 109')).toBeNull();
  });

  test.each([
    [
      'another holder than the page',
      { id: 8, login: 'thief' },
      null,
      'a different holder than this page shows',
    ],
    ['a challenge that isn’t its statement', mona, 'c', "something this page doesn't show"],
  ])('is not signed for if the server names %s', async (_what, holder, challenge, text) => {
    const waiting: OwnWaiting[] = [{ ...pending, holder: mona, waitsFor: 'existing' }];
    const credential = { id: 'a2V5', publicKeySha256: 'aGFzaA', holder };
    const user = { id: 583231, login: 'octocat' };
    const base = { v: 1, purpose: 'vouch', host: window.location.origin, user, credential } as const;
    const statement = { ...base, org: { id: 9919, login: 'octo-org' }, nonce: '', iat: 0 };
    const options = { challenge: challenge ?? (await hashOf(statement)) };
    const { requests } = open(`/vouch?${OF}&authenticator=${ID}`, {
      network: {
        ...answers({ mayVouch: true, waiting, vouchExistingBy: '2001-01-31' }),
        'POST /webauthn-challenge': json({ options, statement, drawn: 'drawn' }),
      },
    });
    await screen.findByText(/hasn't counted since 2001-01-31/);
    const { touch, unplug } = plugInPasskey();
    touch();
    vouchWith(await comparisonDigits(statement, 'drawn'));
    expect(await alertText()).toMatch(text);
    unplug();
    expect(requests.map(({ call }) => call)).not.toContain('POST /github-vouch');
  });

  test.each(['https://evil.example', 'https://evil.example/%s', 'javascript:alert(1)', '//evil.example'])(
    'leads home once it counts if its address says %s',
    async (redirectURL) => {
      const person = { ...record, authenticators: { 9919: { totp: false, webauthn: [{ id: 'a2V5' }] } } };
      const network = answers({ active: 1 });
      open(`/waiting?${OF}&redirectURL=${encodeURIComponent(redirectURL)}`, { person, network });
      await waitFor(() => expect(window.location.pathname).toBe('/'));
      expect(window.location.search).toBe('');
    },
  );

  test('is vouched for only with the digits that its holder read out, which the page doesn’t show', async () => {
    const publicKey = Buffer.from('a key').toString('base64url');
    const key = { publicKey, nonce: 'drawn', id: ID };
    const comparison = comparisonOf(key);
    const waiting: OwnWaiting[] = [{ ...pending, holder: mona, comparison }];
    const credential = { id: 'a2V5', publicKeySha256: publicKeySha256(publicKey), holder: mona };
    const user = { id: 583231, login: 'octocat' };
    const base = { v: 1, purpose: 'vouch', host: window.location.origin, user, credential };
    const statement = { ...base, org: { id: 9919, login: 'octo-org' }, nonce: '', iat: 0 } as VouchStatement;
    const options = { challenge: await hashOf(statement) };
    const { requests } = open(`/vouch?${OF}&authenticator=${ID}`, {
      network: {
        ...answers({ mayVouch: true, waiting }),
        'POST /webauthn-challenge': json({ options, statement, drawn: 'drawn' }),
        'POST /github-vouch': () => new Response('ok', { headers: { 'Content-Type': 'text/plain' } }),
      },
    });
    await screen.findByRole('heading', { name: 'Vouch for mona' });
    expect(document.body.textContent).not.toMatch(/\d{3} ?\d{3}/);
    const { touch, unplug } = plugInPasskey();
    touch();
    const other = comparison.startsWith('482') ? '109482' : '482109';
    vouchWith(other);
    expect(await alertText()).toMatch(/^That isn't the code of this authenticator, so nothing was signed\./);
    expect(document.activeElement).toBe(screen.getByLabelText('The code that mona tells you'));
    expect(requests.map(({ call }) => call)).not.toContain('POST /github-vouch');
    vouchWith(comparison);
    await screen.findByText('You vouched for mona. mona can approve now.');
    // The session knows which authenticators count.
    const refreshed = () => requests.filter(({ call }) => call.endsWith('/auth-refresh'));
    await waitFor(() => expect(refreshed()).toHaveLength(2));
    unplug();
  });

  test.each(['', 'drawn', 'ü'])('has the digits of its holder’s page: %j', async (nonce) => {
    for (let round = 0; round < 50; round += 1) {
      const key = { publicKey: randomBytes(40).toString('base64url'), nonce, id: ID };
      const statement = { credential: { publicKeySha256: publicKeySha256(key.publicKey) } as never };
      const digits = await comparisonDigits(statement, drawnFor(key));
      expect(`${digits.slice(0, 3)} ${digits.slice(3)}`).toBe(comparisonOf(key));
    }
  });

  test('is vouched for only by those who may, with a key of their own', async () => {
    const link = `/vouch?org=octo-org&orgID=9919&authenticator=${ID}`;
    const as = (role: 'admin' | 'member') => ({
      ...record,
      expand: { org_members_via_user: [membership(role)] },
    });
    open(link, { person: as('member'), network: answers({}) });
    await screen.findByText(/only owners vouch/);
    expect(window.location.search).toBe(`?${OF}&authenticator=${ID}`);
    screen.getByText(window.location.href);
    open(link, { person: as('admin'), network: answers({}) });
    await screen.findByText(/with a passkey or security key of your own/);
    open(link, { person: as('admin'), network: answers({ mayVouch: true }) });
    expect(await alertText()).toMatch('confirmed, replaced or deleted in the meantime');
  });
});
