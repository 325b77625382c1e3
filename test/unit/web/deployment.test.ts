import { expect, test } from '@jest/globals';
import type {
  DeployParamsAnswer,
  ShownDecision,
  ShownDeployment,
} from '../../../src/contract/deployments.ts';
import { decide, deployDeps } from '../../../web/src/features/deployment/deploy-request.ts';
import { hashOf, hashOfText } from '../../../web/src/lib/signing/check-statement.ts';
import { StatementRefused, signDeps } from '../../../web/src/lib/signing/sign-shown.ts';
import { statement as approval } from './approval-fixture.ts';
import { dashboard, fireEvent, json, type Network, refusal, screen } from './dashboard.ts';
import { plugInPasskey } from './fake-passkey.ts';
import { fakeApi, record } from './fixtures.ts';

const { pr: _pr, base: _base, ...signed } = approval;
const statement = {
  ...signed,
  ...{ purpose: 'deploy', environment: 'release', run: 21, attempt: 1 },
  ...{ ref: 'main', event: 'push', workflow: '.github/workflows/release.yml' },
} as const;
const target = {
  ...{ installation: '42', owner: 'octo-org', ownerID: '9919', repo: 'hello' },
  ...{ run: '21', environment: 'release' },
};
const RUN = 'https://github.com/octo-org/hello/actions/runs/21';
const REASON = 'not on a Friday';
const deployment: ShownDeployment = {
  ...{ state: 'waiting', url: RUN, commitUrl: `https://github.com/octo-org/hello/commit/${signed.head}` },
  ...{ title: 'Release', startedBy: { login: 'mona', avatarUrl: '' }, since: '2026-11-21T08:00:00Z' },
  ...{ pull: null, changesUrl: null, decisions: [] },
};
const own: ShownDecision = {
  ...{ decision: 'approve', login: 'octocat', method: 'passkey', reason: '', isYours: true },
  at: '2026-11-21T09:00:00Z',
};

type Parts = { statement?: object; deployment?: Partial<ShownDeployment> } & Partial<
  Omit<DeployParamsAnswer, 'statement' | 'deployment'>
>;

async function answerOf({ statement: signs, deployment: shows, ...change }: Parts = {}) {
  const all = { ...statement, ...signs };
  const challenge = await hashOf(all);
  return {
    ...{ challenge, options: { challenge }, statement: all, deployment: { ...deployment, ...shows } },
    ...{ rules: [], passed: false, needs: '1 more approval needed', refusal: null },
    ...change,
  } as unknown as DeployParamsAnswer;
}

const rejects = async (parts: object = {}) => ({
  statement: { purpose: 'reject', reasonSha256: await hashOfText(REASON), ...parts },
});

test.each<[string, () => Promise<Parts>]>([
  ['different purpose', async () => ({ statement: { purpose: 'deploy' } })],
  ['different site', () => rejects({ host: 'https://evil.example' })],
  ['different person', () => rejects({ user: { id: 1, login: 'octocat' } })],
  ['different organization', () => rejects({ org: { id: 1, login: 'octo-org' } })],
  ['different workflow run', () => rejects({ run: 22 })],
  ['different environment', () => rejects({ environment: 'staging' })],
  ['different reason', async () => rejects({ reasonSha256: await hashOfText('looks good') })],
  ["doesn't show", async () => ({ ...(await rejects()), options: { challenge: 'AAAA' } as never })],
])('a rejection of something with a %s isn’t signed', async (text, parts) => {
  const { decided, sent } = await reject(parts);
  await expect(decided).rejects.toThrow(StatementRefused);
  await expect(decided).rejects.toThrow(text);
  expect(sent.map(({ path }) => path)).toEqual(['/deploy-params']);
});

test.each<[string, Parts]>([
  ['attempt', { statement: { attempt: 2 } }],
  ['commit', { statement: { head: 'f'.repeat(40) } }],
  ['branch', { statement: { ref: 'other' } }],
  ['repository', { statement: { repo: { id: 1, name: 'octo-org/hello' } } }],
  ['comparison', { deployment: { changesUrl: RUN } }],
])('a rejection of another %s than the page shows isn’t signed', async (_what, parts) => {
  const { decided, sent } = await reject(async () => ({ ...parts, ...(await rejects(parts.statement)) }));
  expect((await decided).kind).toBe('changed');
  expect(sent.map(({ path }) => path)).toEqual(['/deploy-params']);
});

async function reject(parts: () => Promise<Parts>) {
  const { api, sent } = fakeApi({ '/deploy-params': async () => answerOf(await parts()) });
  const client = { api, session: { accessToken: () => 'ghu_token' }, config: { origin: signed.host } };
  const user = { username: 'octocat', githubId: 583231 };
  const deps = deployDeps(signDeps(client as never, user), target, 'webauthn');
  const shown = { ...(await answerOf()), requestedAt: 0 };
  const sign = () => Promise.reject(new Error('It was signed.'));
  const decided = decide({ ...deps, sign }, shown, { reason: REASON, code: '' });
  decided.catch(() => undefined);
  return { decided, sent };
}

const open = dashboard();

/** Opens the page. `answers` are those about the deployment, in their order; the last one stays. */
async function show(answers: Parts[], network: Network = {}, { query = {}, person = record as object } = {}) {
  const all = await Promise.all(answers.map(answerOf));
  let at = 0;
  const params = () => Response.json(all[Math.min(at++, all.length - 1)]);
  return open(`/deploy?${new URLSearchParams({ ...target, ...query })}`, {
    person,
    network: { 'POST /deploy-params': params, ...network },
  });
}

test.each<[ShownDeployment['state'], string]>([
  ['approved', 'Deployment approved'],
  ['rejected', 'Deployment rejected'],
  ['bypassed', 'Deployed without an approval'],
  ['refused', 'Deployment refused'],
  ['ended', 'The run no longer waits'],
  ['expired', 'Deployment expired'],
])('a deployment that is %s says so, and asks for nothing', async (state, title) => {
  await show([{ deployment: { state }, refusal: 'This deployment no longer waits for a decision.' }]);
  await screen.findByRole('heading', { name: title });
  expect(screen.queryByRole('button', { name: /^(Approve|Reject)/ })).toBeNull();
  screen.getByRole('link', { name: 'Back to the run' });
});

test('an approval that waits for another one says whose it waits for', async () => {
  await show([{ deployment: { decisions: [own] }, needs: '1 more approval needed, from mona' }]);
  await screen.findByRole('heading', { name: 'The deployment still waits' });
  screen.getByText('Your approval counts. 1 more approval needed, from mona');
  expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull();
});

test.each<[ShownDecision['decision'], Parts]>([
  ['approve', { passed: true, needs: null }],
  ['reject', { needs: 'octocat rejected this deployment: no' }],
])(
  'a decision to %s that GitHub hasn’t accepted is safe, also for a person who comes back',
  async (decision, parts) => {
    await show([{ deployment: { decisions: [{ ...own, decision }] }, ...parts }]);
    await screen.findByRole('heading', { name: 'The deployment still waits' });
    screen.getByText(/^Your decision is safe/);
    expect(screen.queryByText(/^Your approval counts/)).toBeNull();
  },
);

test('the page says why a person’s approval would count for nothing', async () => {
  await show([{ refusal: 'You started the run.' }]);
  await screen.findByText('You started the run.');
  expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Reject' })).toBeNull();
});

test('a person whom GitHub shows nothing can use another account', async () => {
  await show([], { 'POST /deploy-params': refusal('deploymentNotFound') });
  await screen.findByText("This deployment doesn't exist, or OTP Guard can't see it.");
  expect(screen.getByRole('button', { name: 'Use another account' })).toBeTruthy();
});

test('a person without an authenticator sees the deployment before they register', async () => {
  const { requests } = await show([{}], {}, { person: { ...record, authenticators: {} } });
  const register = await screen.findByRole('link', { name: 'Register an authenticator' });
  const query = new URL(String(register.getAttribute('href')), 'http://x').searchParams;
  expect(query.get('redirectURL')).toBe(window.location.pathname + window.location.search);
  const asked = requests.filter(({ call }) => call === 'POST /deploy-params');
  expect(asked.map(({ body }) => body)).toMatchObject([{ type: 'show-code' }]);
});

test('a code decides only about the attempt on the screen, and a new one has to be looked at', async () => {
  const person = { ...record, authenticators: { 9919: { totp: true, webauthn: [] } } };
  const { requests } = await show(
    [{}, { statement: { attempt: 2 } }],
    { 'POST /deploy-check': refusal('runMoved') },
    { person },
  );
  await screen.findByText('1 more approval needed');
  fireEvent.change(screen.getByLabelText('One-time code'), { target: { value: '123456' } });
  const again = await screen.findByRole('button', { name: 'Look at it again' });
  const [sent] = requests.filter(({ call }) => call === 'POST /deploy-check');
  expect(sent?.body).toMatchObject({ otp: '123456', params: { ...target, attempt: 1 } });
  fireEvent.click(again);
  await screen.findByText(/^2: it was started again/);
});

test('a decision without an answer is not lost, and can be sent again', async () => {
  const person = { ...record, authenticators: { 9919: { totp: true, webauthn: [] } } };
  await show([{}], {}, { person });
  await screen.findByText('1 more approval needed');
  fireEvent.change(screen.getByLabelText('One-time code'), { target: { value: '123456' } });
  await screen.findByText(/Nothing is lost: check your connection/);
  const again = screen.getByRole('button', { name: 'Approve with code' });
  expect(again.getAttribute('aria-disabled')).toBeNull();
});

test('a rejection is signed with its reason, and shown as plain text', async () => {
  const { touch, unplug } = plugInPasskey();
  const rejected: ShownDecision = { ...own, decision: 'reject', reason: '<b>no</b>' };
  const { requests } = await show(
    [{}, await rejects(), { deployment: { state: 'rejected', decisions: [rejected] } }],
    { 'POST /deploy-check': json({ redirect: RUN, reported: true, passed: false, needs: null }) },
  );
  fireEvent.click(await screen.findByRole('link', { name: 'Reject' }));
  fireEvent.change(await screen.findByLabelText('Why?'), { target: { value: REASON } });
  fireEvent.click(screen.getByRole('button', { name: 'Reject with passkey' }));
  touch();
  await screen.findByRole('heading', { name: 'Deployment rejected' });
  expect(screen.getByText('<b>no</b>').tagName).toBe('BDI');
  const [sent] = requests.filter(({ call }) => call === 'POST /deploy-check');
  const body = { decision: 'reject', reason: REASON, authResponse: { id: 'key' } };
  expect(sent?.body).toMatchObject({ ...body, params: { ...target, attempt: 1 } });
  unplug();
});

test('what changed while the page was open isn’t signed', async () => {
  const { unplug } = plugInPasskey();
  const moved = { ...(await rejects()), deployment: { changesUrl: RUN } };
  const { requests } = await show([{}, moved, {}], {}, { query: { form: 'reject' } });
  fireEvent.change(await screen.findByLabelText('Why?'), { target: { value: REASON } });
  fireEvent.click(screen.getByRole('button', { name: 'Reject with passkey' }));
  await screen.findByText(/^Something about this deployment changed/);
  expect(requests.map(({ call }) => call)).not.toContain('POST /deploy-check');
  unplug();
});
