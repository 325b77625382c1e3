import { expect, test } from '@jest/globals';
import type {
  BatchItem,
  BatchParamsAnswer,
  FileMark,
  LeftOut,
  ShownFiles,
} from '../../../src/contract/approvals.ts';
import type { BatchStatement, Statement } from '../../../src/contract/statement.ts';
import { type ApproveDeps, approveBatch, fetchBatch } from '../../../web/src/features/batch/batch-request.ts';
import { approveText, reasonToLook } from '../../../web/src/features/batch/batch-texts.ts';
import { batchKey } from '../../../web/src/lib/signing/batch-choice.ts';
import { refuseBatch } from '../../../web/src/lib/signing/check-batch.ts';
import { hashOf } from '../../../web/src/lib/signing/check-statement.ts';
import { StatementRefused } from '../../../web/src/lib/signing/sign-shown.ts';
import { screen as onScreen, present, pull, statement, story } from './approval-fixture.ts';
import { alertText, dashboard, fireEvent, json, type Network, refusal, screen, within } from './dashboard.ts';
import { plugInPasskey } from './fake-passkey.ts';
import { ASSERTED, fakeApi } from './fixtures.ts';

const { host, user } = onScreen;
const items = [7, 8, 9].map((pr) => ({ ...present, pr }));
const choice = { org: { id: 9919, name: 'octo-org' }, items };
const seen = { host, user, orgId: 9919, pulls: items };
const left: LeftOut = { repo: 'hello', pr: 9, why: 'This pull request was merged.' };
const size = { files: 1, additions: 3, deletions: 2 };

/** The files of a pull request, with these marks. */
const aList = (marks: FileMark[] = [], change: Partial<ShownFiles> = {}): ShownFiles => ({
  listed: [
    {
      ...{
        path: 'src/app.ts',
        previousPath: null,
        status: 'modified',
        sha: null,
        additions: 3,
        deletions: 2,
      },
      ...{
        kind: 'text',
        rules: [],
        patch: { text: '+on: push', isCut: false, isHiding: false },
        marks,
        anchor: 'f1',
      },
    },
  ],
  ...{ total: 1, isComplete: true, ...change },
});

const itemOf = (pr: number, parts: Partial<Statement> = {}, title = `Change ${pr}`): BatchItem => ({
  statement: { ...statement, pr, nonce: `nonce-${pr}`, ...parts },
  pull: { ...pull, title, size },
  target: { ...present, pr, repo: parts.repo?.name === 'octo-org/renamed' ? 'renamed' : 'hello' },
  story,
  files: aList(),
  rules: [{ name: 'Two', enforced: true, met: false, approvals: 2, by: [], missing: 'Needs 2 approvals.' }],
});
const both = () => [itemOf(7), itemOf(8), left];

/** An answer whose hashes fit, with a batch statement that differs in `parts`. */
async function answerOf(items: (BatchItem | LeftOut)[], parts: object = {}): Promise<BatchParamsAnswer> {
  const statements = items.flatMap((item) => ('statement' in item ? [item.statement] : []));
  const approvals = await Promise.all(statements.map(hashOf));
  const batch = { v: 1, purpose: 'approve-batch', host, user: statement.user, org: statement.org, approvals };
  const signed = { ...batch, nonce: 'nonce', iat: 1, ...parts } as BatchStatement;
  const challenge = await hashOf(signed);
  return { challenge, options: { challenge }, statement: signed, items };
}

const renamed = { repo: { id: 1296269, name: 'octo-org/renamed' } };
const head = 'f'.repeat(40);
test.each<[string, () => Promise<BatchParamsAnswer>]>([
  ['null', () => answerOf(both())],
  ['null', () => answerOf([itemOf(7, renamed)])],
  ['different purpose', () => answerOf(both(), { purpose: 'approve' })],
  ['different site', () => answerOf(both(), { host: 'https://evil.example' })],
  ['different person', () => answerOf(both(), { user: { id: 1, login: 'octocat' } })],
  ['different person', () => answerOf([itemOf(7, { user: { id: 583231, login: 'mona' } })])],
  ['different organization', () => answerOf(both(), { org: { id: 1, login: 'octo-org' } })],
  ['different organization', () => answerOf([itemOf(7, { org: { id: 1, login: 'octo-org' } })])],
  ['different pull request', () => answerOf([itemOf(7), itemOf(6)])],
  ['different pull request', () => answerOf([itemOf(7, { head })])],
  ['different pull request', () => answerOf([itemOf(7, { repo: { id: 1, name: 'octo-org/hello' } })])],
  ['different repository', () => answerOf([itemOf(7, { repo: { id: 1296269, name: 'octo-org/vault' } })])],
  ["doesn't show", async () => ({ ...(await answerOf(both())), items: [itemOf(8), itemOf(7)] })],
  ["doesn't show", async () => ({ ...(await answerOf(both())), items: [itemOf(7)] })],
  ["doesn't show", () => answerOf([itemOf(7), itemOf(7)])],
  ["doesn't show", async () => ({ ...(await answerOf(both())), options: { challenge: 'AAAA' } })],
])('the check before a batch is signed ends with %s', async (text, answer) => {
  expect(String(await refuseBatch(await answer(), seen))).toMatch(text);
});

test('signs the batch on the screen once, and a renewed challenge only if nothing else changed', async () => {
  let now = 1000;
  let found = both();
  const signed: string[] = [];
  const { api, sent } = fakeApi({
    '/approve-batch': () => ({ approved: [], left: [] }),
    '/approve-batch-params': () => answerOf(found, { nonce: `nonce-${sent.length}` }),
  });
  const sign: ApproveDeps['sign'] = async ({ challenge }) => {
    signed.push(challenge);
    return ASSERTED;
  };
  const deps: ApproveDeps = {
    ...{ screen: seen, now: () => now, accessToken: () => 'ghu_token', sign, api },
  };
  const shown = await fetchBatch(deps, choice);
  expect(await approveBatch(deps, choice, shown)).toMatchObject({ kind: 'approved' });
  expect(signed).toEqual([shown.options.challenge]);
  const org = { org: 'octo-org', orgID: 9919, accessToken: 'ghu_token' };
  expect(sent).toEqual([
    { path: '/approve-batch-params', body: { ...org, items } },
    { path: '/approve-batch', body: { ...org, authResponse: ASSERTED } },
  ]);

  now += 45_000;
  expect(await approveBatch(deps, choice, shown)).toMatchObject({ kind: 'approved' });
  expect(signed).toEqual([shown.options.challenge, expect.not.stringContaining(shown.options.challenge)]);
  for (const changed of [itemOf(8, { base: 'release' }), itemOf(8, {}, 'Add a back door'), left]) {
    found = [itemOf(7), changed, left];
    expect(await approveBatch(deps, choice, shown)).toMatchObject({ kind: 'changed' });
  }
  found = [itemOf(7, { head }), itemOf(8), left];
  await expect(approveBatch(deps, choice, shown)).rejects.toBeInstanceOf(StatementRefused);
  expect(signed).toHaveLength(2);
});

const open = dashboard();
const ADDRESS = '/approve-batch?owner=octo-org&ownerID=9919';
const tab = { [batchKey('user00000000001', 9919)]: JSON.stringify(choice) };
const PARAMS = 'POST /approve-batch-params';

test('the page shows each pull request with its facts, those left out with the reason, and one button', async () => {
  const shown = [itemOf(7), itemOf(8, { base: 'main\u200B' }), left];
  open(ADDRESS, { tab, network: { [PARAMS]: json(await answerOf(shown)) } });
  await screen.findByRole('button', { name: 'Approve 2 pull requests with passkey' });
  const row = screen.getByText('octo-org/hello #8').closest('li')?.textContent;
  expect(row).toMatch(
    /Change 8.*A deleted account.*6dcb09b5.*into mainU\+200BTwo: Needs 2 approvals\.1 changed file$/,
  );
  const out = screen.getByRole('region', { name: 'Left out' });
  expect(out.textContent).toMatch('octo-org/hello #9This pull request was merged.');
  expect(within(out).getByRole('link').getAttribute('href')).toMatch(/^\/collect\?.*pr=9&head=6dcb09b5/);
});

const MESSAGE = json({ message: 'Build it', isCut: false, sameFilesAs: null });
const workflow = aList([{ name: 'Workflow', isStrong: true }]);
const button = (name: string | RegExp) => screen.findByRole('button', { name });

test('of three with a workflow, nothing is signed before the workflow was on the screen', async () => {
  const answer = await answerOf([{ ...itemOf(8), files: workflow }, itemOf(7), itemOf(9)]);
  const network: Network = {
    [PARAMS]: json(answer),
    'POST /pull-changes': MESSAGE,
    'POST /approve-batch': json({ approved: [], left: [] }),
  };
  const { requests } = open(ADDRESS, { tab, network });
  const { touch, unplug } = plugInPasskey();
  touch();
  const first = await button('Look at octo-org/hello #8 first');
  expect(first.getAttribute('aria-disabled')).toBeNull();
  const row = within(screen.getByText('octo-org/hello #8').closest('li') as HTMLElement);
  const summary = row.getByText(/^1 changed file, 1 to look at closely/);
  expect([summary.textContent, row.queryByText('+on: push')]).toEqual([
    expect.stringMatching('Workflow'),
    null,
  ]);
  fireEvent.click(first);
  const approve = await button('Approve 3 (1 with a workflow)');
  expect(document.activeElement).toBe(summary);
  row.getByText('app.ts');
  row.getByText('+on: push');
  await row.findByText('Build it');
  expect(requests.map(({ call }) => call)).not.toContain('POST /approve-batch');
  expect(requests.find(({ call }) => call === PARAMS)?.body).toMatchObject({ files: 'soon' });
  fireEvent.click(approve);
  await screen.findByRole('heading', { name: 'Nothing was approved' });
  expect(requests.filter(({ call }) => call === 'POST /approve-batch')).toHaveLength(1);
  unplug();
});

test.each([
  ['a list that has nothing special', aList(), 'Approve 2 pull requests with passkey'],
  ['a list with a workflow', workflow, 'Approve 2 (1 with a workflow)'],
  ['no list', null, 'Approve 2 (1 with unlisted files)'],
])('a row whose files didn’t come is opened first, and asks for all of them: %s', async (_, files, name) => {
  const network: Network = {
    [PARAMS]: json(await answerOf([{ ...itemOf(7), files: null }, itemOf(8)])),
    'POST /pull-changes': MESSAGE,
    'POST /github-check-webauthn-params': (body) =>
      Response.json((body as { files: string }).files === 'all' && { files }),
  };
  open(ADDRESS, { tab, network });
  const look = await button('Look at octo-org/hello #7 first');
  screen.getByText(/^1 changed file, not all listed/);
  fireEvent.click(look);
  await button(name);
  expect(screen.queryAllByText('GitHub is slow to list the files.')).toHaveLength(files ? 0 : 1);
});

test('a pull request that is taken out isn’t signed, and the others are in the order of the page', async () => {
  const network: Network = {
    [PARAMS]: async (body) => {
      const { items, files } = body as { items: { pr: number }[]; files?: string };
      const wanted = files ? [9, 7, 8] : items.map(({ pr }) => pr);
      return Response.json(await answerOf(wanted.map((pr) => itemOf(pr))));
    },
    'POST /approve-batch': json({ approved: [], left: [] }),
  };
  const { requests } = open(ADDRESS, { tab, network });
  const { touch, unplug } = plugInPasskey();
  touch();
  fireEvent.click(await button('Take out octo-org/hello #7'));
  const approve = await button('Approve 2 pull requests with passkey');
  expect(document.activeElement).toBe(screen.getByRole('list', { name: '2 pull requests' }));
  const kept = JSON.parse(window.sessionStorage.getItem(batchKey('user00000000001', 9919)) ?? '');
  expect(kept.items.map(({ pr }: { pr: number }) => pr)).toEqual([9, 8]);
  fireEvent.click(approve);
  await screen.findByRole('heading', { name: 'Nothing was approved' });
  const asked = requests.filter(({ call }) => call === PARAMS).map(({ body }) => body);
  expect(asked).toHaveLength(2);
  expect(asked[1]).toMatchObject({ items: [{ pr: 9 }, { pr: 8 }] });
  expect(asked[1]).not.toHaveProperty('files');
  unplug();
});

test('the page names the person who approved an earlier commit, unless they took that back', async () => {
  const earlier = {
    id: 'a1',
    head: 'be'.repeat(20),
    base: 'main',
    avatarUrl: '',
    at: '2026-05-04T09:00:00Z',
  };
  const approval = { ...earlier, method: 'passkey', withdrawn: null } as const;
  const approvals = [
    { ...approval, login: 'mona' },
    { ...approval, login: 'hubot', withdrawn: '2026-05-04T10:00:00Z' },
  ];
  const approvedBefore = { ...itemOf(7).pull, approvedBefore: earlier.head };
  const item = { ...itemOf(7), pull: approvedBefore, story: { ...story, approvals } };
  open(ADDRESS, { tab, network: { [PARAMS]: json(await answerOf([item, itemOf(8)])) } });
  const [sentence, ...others] = await screen.findAllByText(/approved an earlier commit/);
  expect(sentence?.textContent).toBe('mona approved an earlier commit, bebebebe. This one is new.');
  expect(others).toEqual([]);
});

test('the only pull request can’t be taken out, and a person can leave or be somebody else', async () => {
  open(ADDRESS, { tab, network: { [PARAMS]: json(await answerOf([itemOf(7)])) } });
  await button('Approve 1 pull request with passkey');
  expect(screen.queryByRole('button', { name: /^Take out/ })).toBeNull();
  expect(screen.getByRole('link', { name: 'Decide later' }).getAttribute('href')).toBe('/');
  screen.getByRole('button', { name: 'Not octocat?' });
});

const mark = (name: string, isStrong = true): FileMark => ({ name, isStrong });
test.each<[(ShownFiles | null)[], string]>([
  [[aList([mark('Lock file', false)])], 'Approve 1 pull request with passkey'],
  [
    [aList([mark('Rule: CI')]), aList([mark('Rule: CI'), mark('Workflow')])],
    'Approve 2 (1 with a workflow, 1 with other marks)',
  ],
  [[null, aList([], { isComplete: false }), aList()], 'Approve 3 (2 with unlisted files)'],
  [[aList([mark('Workflow')], { isComplete: false })], 'Approve 1 (1 with a workflow)'],
])('the button says what is special about the files', (lists, text) => {
  expect(approveText(lists.map(reasonToLook))).toBe(text);
});

test('the page says of each pull request whether its check passes, and approved only of those', async () => {
  const answer = { redirect: 'https://github.com/octo-org/hello/pull/7', repo: 'hello', reported: true };
  const needs = '1 more approval needed, from a member; octocat approved so far.';
  const passed = { ...answer, pr: 7, passed: true, needs: null };
  const waits = { ...answer, pr: 8, passed: false, needs };
  const done = async (
    approved: object[],
    left: object[],
    title: string,
    asked: (BatchItem | LeftOut)[] = [itemOf(7), itemOf(8)],
  ) => {
    const answers = {
      [PARAMS]: json(await answerOf(asked)),
      'POST /approve-batch': json({ approved, left }),
    };
    open(ADDRESS, { tab, network: answers });
    const { touch, unplug } = plugInPasskey();
    touch();
    let told = 0;
    window.addEventListener('approved', () => (told += 1), { once: true });
    fireEvent.click(await screen.findByRole('button', { name: 'Approve 2 pull requests with passkey' }));
    await screen.findByRole('heading', { name: title });
    // The number in the bar goes down.
    expect(told).toBe(1);
    unplug();
    const list = screen.getByRole('list', { name: 'Your approvals' });
    return [...list.children].map((one) => [one.textContent, one.querySelector('svg') !== null]);
  };
  const first = ['octo-org/hello #7 Change 7', true];
  const second = [`octo-org/hello #8 Change 8You approved. ${needs}`, false];
  expect(await done([passed, waits], [], 'Approved 1 of 2')).toEqual([first, second]);
  screen.getByText('You approved 2 pull requests with one signature. One check still waits.');
  expect(await done([waits], [left], 'The check still waits')).toEqual([second]);
  screen.getByText(
    "You approved 1 pull request with one signature. One check still waits. One isn't approved.",
  );
  expect(await done([passed], [], 'Approved')).toEqual([first]);
  // Pull request 9 was left out before the signature.
  expect(await done([passed, waits], [], 'Approved 1 of 3', both())).toEqual([first, second]);
  expect(screen.getByRole('region', { name: 'Left out' }).textContent).toMatch('hello #9');
  await done([{ ...passed, reported: false }, waits], [], 'The checks still wait');
});

const other = async () => Response.json(await answerOf([itemOf(6)]));
test.each([
  ['Try again', other, 'different pull request'],
  ['Register an authenticator', refusal('missingAuthenticator'), 'You have no authenticator'],
  ['Back to the inbox', refusal('nothingToApprove'), 'None of these pull requests'],
])('the page offers “%s” instead, if that helps', async (action, answer, text) => {
  open(ADDRESS, { tab, network: { [PARAMS]: answer } });
  expect(await alertText()).toMatch(text);
  screen.getByText(action);
  expect(screen.queryByRole('button', { name: /with passkey/ })).toBeNull();
});

test('the page asks for a selection if there is none for this organization', async () => {
  open(ADDRESS.replace('9919', '5'), { tab });
  const text = 'Nothing is selected. Select pull requests in your inbox first.';
  expect(await screen.findAllByText(text)).toHaveLength(1);
});
