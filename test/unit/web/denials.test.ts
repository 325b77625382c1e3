import { expect, test } from '@jest/globals';
import type { ApprovalParamsAnswer } from '../../../src/contract/approvals.ts';
import type { DenyStatement } from '../../../src/contract/statement.ts';
import { denyByKey } from '../../../web/src/features/approval/deny.ts';
import { hashOf, hashOfText } from '../../../web/src/lib/signing/check-statement.ts';
import { StatementRefused } from '../../../web/src/lib/signing/sign-shown.ts';
import { aDenial, anAnswer, screen as onScreen, statement, target } from './approval-fixture.ts';
import { dashboard, fireEvent, json, type Network, refusal, screen, waitFor, within } from './dashboard.ts';
import { plugInPasskey } from './fake-passkey.ts';
import { fakeApi, record } from './fixtures.ts';

const REASON = 'drops a table';
const REDIRECT = 'https://github.com/octo-org/hello/pull/7';

/** The statement that denies the commit on the screen for this reason, unless `parts` differ. */
async function denyStatementOf(parts: object = {}): Promise<DenyStatement> {
  const reasonSha256 = await hashOfText(REASON);
  return { ...statement, purpose: 'deny', reasonSha256, ...parts } as DenyStatement;
}

async function challengeOf(parts: object = {}) {
  const denies = await denyStatementOf(parts);
  const challenge = await hashOf(denies);
  return { challenge, options: { challenge }, statement: denies };
}

test.each<[string, () => ReturnType<typeof challengeOf>]>([
  ['different purpose', () => challengeOf({ purpose: 'approve' })],
  ['different site', () => challengeOf({ host: 'https://evil.example' })],
  ['different person', () => challengeOf({ user: { id: 1, login: 'octocat' } })],
  ['different organization', () => challengeOf({ org: { id: 1, login: 'octo-org' } })],
  ['different repository', () => challengeOf({ repo: { id: 1, name: 'octo-org/hello' } })],
  ['different pull request', () => challengeOf({ pr: 8 })],
  ['different commit', () => challengeOf({ head: 'f'.repeat(40) })],
  ['different base branch', () => challengeOf({ base: 'release' })],
  ['different reason', async () => challengeOf({ reasonSha256: await hashOfText('looks good') })],
  ["doesn't show", async () => ({ ...(await challengeOf()), options: { challenge: 'AAAA' } })],
])('a denial of something with a %s isn’t signed', async (text, answer) => {
  const { api, sent } = fakeApi({ '/deny-params': answer });
  const sign = () => Promise.reject(new Error('It was signed.'));
  const deps = { api, sign, screen: onScreen, accessToken: () => 'ghu_token', now: () => 0 };
  const shown = { ...(await anAnswer()), requestedAt: 0, asked: undefined };
  const denied = denyByKey({ ...deps, type: 'webauthn' }, target, shown, REASON);
  await expect(denied).rejects.toThrow(StatementRefused);
  await expect(denied).rejects.toThrow(text);
  expect(sent.map(({ path }) => path)).toEqual(['/deny-params']);
});

const open = dashboard();
const own = { ...aDenial, id: 'own', login: 'octocat', reason: REASON, isYours: true };
const PARAMS = 'POST /github-check-webauthn-params';
const LIVE = {
  'GET /repos/octo-org/hello/pulls/7': json({ head: { sha: statement.head }, state: 'open' }),
};

/** Opens the approval page. `answers` are those about the pull request, in their order; the last one stays. */
async function show(
  answers: Partial<ApprovalParamsAnswer>[],
  network: Network = {},
  { query = {}, page = '/collect-passkey', person = record as object } = {},
) {
  const all = await Promise.all(answers.map((change) => anAnswer(change)));
  let at = -1;
  const params = (body: unknown) => {
    // The rest of the files belongs to the answer before.
    if (!(body as { files?: string }).files) at = Math.min(at + 1, all.length - 1);
    return Response.json(all[at]);
  };
  return open(`${page}?${new URLSearchParams({ ...target, repoID: '1296269', ...query })}`, {
    person,
    network: { [PARAMS]: params, ...network },
  });
}

const banner = async (text: string) =>
  (await screen.findByText(text)).closest<HTMLElement>('[role="status"]') as HTMLElement;

test('a denied commit says who denied it and why, as plain text, and can still be approved', async () => {
  await show([{ denials: [aDenial] }]);
  const notice = await banner('mona denied this commit.');
  expect(within(notice).getByText('<b>drops</b> a table').tagName).toBe('BDI');
  within(notice).getByText(
    /^It can't pass until mona withdraws the denial, or until there is a new commit\. You/,
  );
  screen.getByRole('button', { name: 'Approve with passkey' });
});

test('a denial is on the page when the person comes back, and gone once it ended', async () => {
  const denied = { denials: [aDenial], needs: 'mona denied this commit' };
  await show([{}, denied, {}], LIVE);
  const onReturn = (check: () => void) =>
    waitFor(() => {
      window.dispatchEvent(new window.Event('focus'));
      check();
    });
  await screen.findByRole('button', { name: 'Approve with passkey' });
  await onReturn(() => screen.getByText('mona denied this commit.'));
  await onReturn(() => expect(screen.queryByText('mona denied this commit.')).toBeNull());
});

test('a person can withdraw their own denial', async () => {
  const withdraw = json({ reported: false });
  await show([{ denials: [own, aDenial] }, {}], { 'POST /github-withdraw-approval': withdraw });
  await banner('You denied this commit.');
  expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull();
  fireEvent.click(await screen.findByRole('button', { name: 'Withdraw denial' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Withdraw my denial' }));
  await screen.findByText(/^Your denial is withdrawn\. GitHub may still show the check as denied/);
  expect(screen.queryByText('You denied this commit.')).toBeNull();
  screen.getByText('mona denied this commit.');
  fireEvent.click(screen.getByRole('button', { name: 'Look at it again' }));
  await screen.findByRole('button', { name: 'Approve with passkey' });
});

const write = (text: string) => fireEvent.change(screen.getByLabelText('Why?'), { target: { value: text } });

test('a person denies with a reason that they and the server can read, and their key signs it', async () => {
  const { touch, unplug } = plugInPasskey();
  const params = await challengeOf();
  const deny = {
    'POST /deny-params': json(params),
    'POST /deny': json({ redirect: REDIRECT, reported: true }),
  };
  const { requests } = await show([{}, { denials: [own] }], deny as Network);
  const sent = () => requests.filter(({ call }) => call.startsWith('POST /deny')).map(({ body }) => body);
  fireEvent.click(await screen.findByRole('link', { name: 'Deny' }));
  const button = await screen.findByRole('button', { name: 'Deny with passkey' });
  screen.getByRole('heading', { name: 'Deny pull request' });
  expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull();
  fireEvent.click(button);
  await screen.findByText('Say why, in 1 to 500 characters.');
  write('drops\u202E a table');
  await screen.findByText(/^Write the reason without line breaks/);
  fireEvent.click(button);
  expect(sent()).toEqual([]);
  write(' drops\r\na table ');
  fireEvent.click(button);
  touch();
  await banner('You denied this commit.');
  const body = { reason: REASON, accessToken: 'ghu_token' };
  expect(sent()).toMatchObject([
    { ...target, ...body, type: 'webauthn' },
    { ...body, params: target, authResponse: { id: 'key' } },
  ]);
  expect(new URLSearchParams(window.location.search).get('form')).toBeNull();
  unplug();
});

test('a denial that GitHub doesn’t show yet isn’t shown as done', async () => {
  const person = { ...record, authenticators: { 9919: { totp: true, webauthn: [] } } };
  const answers = [refusal('wrongCode', { triesLeft: 4 }), json({ redirect: REDIRECT, reported: false })];
  const network: Network = { 'POST /deny': () => (answers.shift() as () => Response)() };
  const query = { form: 'deny' };
  const { requests } = await show([{}, { denials: [own] }], network, {
    query,
    page: '/collect-totp',
    person,
  });
  const sent = () => requests.filter(({ call }) => call === 'POST /deny').map(({ body }) => body);
  const enter = (otp: string) =>
    fireEvent.change(screen.getByLabelText('One-time code'), { target: { value: otp } });
  await screen.findByLabelText('Why?');
  enter('123456');
  await screen.findByText('Say why, in 1 to 500 characters.');
  expect(sent()).toEqual([]);
  write(REASON);
  fireEvent.click(screen.getByRole('button', { name: 'Deny with code' }));
  await screen.findByText(/^That code isn't right/);
  enter('654321');
  await screen.findByText(/^Your denial is safe\. GitHub hasn't accepted the check yet/);
  expect(sent()).toMatchObject([{ otp: '123456' }, { otp: '654321', reason: REASON, params: target }]);
  fireEvent.click(screen.getByRole('button', { name: 'Show the denial' }));
  await banner('You denied this commit.');
});

test('a closed prompt denies nothing and keeps the reason, and a denial whose answer was lost is shown', async () => {
  const { cancel, unplug } = plugInPasskey();
  const answers = [json(await challengeOf()), refusal('alreadyDenied')];
  const deny: Network = { 'POST /deny-params': () => (answers.shift() as () => Response)() };
  await show([{}, { denials: [own] }], deny, { query: { form: 'deny' } });
  await screen.findByLabelText('Why?');
  write(REASON);
  fireEvent.click(screen.getByRole('button', { name: 'Deny with passkey' }));
  cancel();
  await screen.findByText(/Nothing was denied\.$/);
  expect(screen.getByLabelText<HTMLTextAreaElement>('Why?').value).toBe(REASON);
  fireEvent.click(screen.getByRole('button', { name: 'Deny with passkey' }));
  await banner('You denied this commit.');
  unplug();
});

test('nobody is led to a denial that would count for nothing', async () => {
  await show([{ refusal: 'You opened it.' }], {}, { query: { form: 'deny' } });
  await screen.findByText('You opened it.');
  expect(screen.queryByLabelText('Why?')).toBeNull();
  expect(screen.queryByRole('link', { name: 'Deny' })).toBeNull();
});

test('an owner sets a denial aside with a reason of their own, which a step-up confirms', async () => {
  const { touch, unplug } = plugInPasskey();
  const options = { challenge: 'AAAA' };
  const calls: Network = {
    'POST /webauthn-challenge': json({ ...options, options }),
    'POST /set-aside-denial': json({ reported: true }),
  };
  const denials = [own, aDenial];
  const { requests } = await show([{ denials, maySetAside: true }, { denials: [own] }], calls);
  const bodyOf = (path: string) => requests.find(({ call }) => call === `POST ${path}`)?.body;
  // Nobody sets their own aside.
  fireEvent.click(await screen.findByRole('button', { name: 'Set aside the denial of mona' }));
  const next = await screen.findByRole('button', { name: 'Continue' });
  fireEvent.click(next);
  await screen.findByText('Say why, in 1 to 500 characters.');
  const reason = { target: { value: ' mona left ' } };
  fireEvent.change(screen.getByLabelText("Why do you set mona's denial aside?"), reason);
  fireEvent.click(next);
  fireEvent.click(await screen.findByRole('button', { name: 'Confirm with passkey' }));
  touch();
  await waitFor(() => expect(screen.queryByText('mona denied this commit.')).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('main'));
  const about = { org: 'octo-org', orgID: '9919' };
  expect(bodyOf('/webauthn-challenge')).toMatchObject({ type: 'set-aside-denial', denialID: 'd', ...about });
  expect(bodyOf('/set-aside-denial')).toMatchObject({
    ...{ ...about, denial: 'd', reason: 'mona left' },
    stepUp: { type: 'set-aside-denial', denialID: 'd', webauthn: { id: 'key' } },
  });
  unplug();
});

test('a denial that is set aside but still shown by GitHub isn’t gone without a word, and members set none aside', async () => {
  const person = { ...record, authenticators: { 9919: { totp: true, webauthn: [] } } };
  const calls: Network = { 'POST /set-aside-denial': json({ reported: false }) };
  await show([{ denials: [aDenial], maySetAside: true }, { denials: [aDenial] }], calls, {
    page: '/collect-totp',
    person,
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Set aside the denial of mona' }));
  fireEvent.change(await screen.findByLabelText(/^Why do you/), { target: { value: 'mona left' } });
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
  await screen.findByText(/confirm that it's you/);
  // The page has one field for a code, so that nobody approves by mistake.
  fireEvent.change(screen.getByLabelText('One-time code'), { target: { value: '123456' } });
  await screen.findByText(/^The denial is set aside\. GitHub may still show it/);
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  await screen.findByText('mona denied this commit.');
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Set aside/ })).toBeNull());
  await screen.findByRole('button', { name: 'Approve with code' });
});
