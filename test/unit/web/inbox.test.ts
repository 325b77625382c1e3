import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { createElement } from 'react';
import type { InboxAnswer, InboxDeployment, InboxPull, InboxQuestion } from '../../../src/contract/inbox.ts';
import { problems } from '../../../src/contract/problems.ts';
import { dashboard, fireEvent, json, refusal, render, screen, waitFor } from './dashboard.ts';
import { emptyInbox, fakeLocal, membership, record } from './fixtures.ts';

const open = dashboard();
const HEAD = '6dcb09b5b57875f334f61aebed695e2e4193db5e';
const ofOrg = { org: { id: 9919, name: 'octo-org', installation: 77 }, repo: 'hello', repoID: 5 };
const since = '2026-05-02T12:00:00Z';
const lack = (rule: string, approved = 0, ...by: string[]) => ({
  ...{ rule, missing: 'Needs more.', approved, needed: approved + 1 },
  by: by.map((login) => ({ login, avatarUrl: `https://faces.example/${login}` })),
});
const pull = (pr: number, parts: Partial<InboxPull> = {}): InboxPull => ({
  ...{ ...ofOrg, pr, title: `Change ${pr}`, author: 'mona', base: 'main', head: HEAD, opened: since, since },
  ...{
    missing: ['Needs an approval.'],
    asked: null,
    progress: [lack('')],
    url: '',
    denied: null,
    agents: null,
    ...parts,
  },
  approval: `/collect?pr=${pr}`,
});
const answerOf = (...pulls: InboxPull[]): InboxAnswer => ({
  ...emptyInbox,
  ...{ forYou: pulls.length, total: pulls.length, pulls },
});
const person = { ...record, expand: { org_members_via_user: [membership('member')] } };
const rows = () =>
  Array.from(screen.getByRole('list', { name: 'Pull requests' }).children, (row) => row.textContent ?? '');

/** Shows the live inbox in the bar and on a page, with a clock that stands still until `pass`. */
async function showInbox(answer: (turn: number) => InboxAnswer | Promise<InboxAnswer>) {
  // React and the library read at their start whether there's a document.
  const { ClientContext } = await import('../../../web/src/lib/react/use-client.ts');
  const { useFollowInbox, useInbox } = await import('../../../web/src/lib/react/use-inbox.ts');
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
  const asked: InboxQuestion[] = [];
  const shown = { inbox: {} as ReturnType<typeof useInbox>, read: 0 };
  const post = async (_path: string, { accessToken: _, ...question }: Record<string, string>) => {
    asked.push(question);
    return answer(asked.length);
  };
  const state = { status: 'signed-in', user: { id: 'abc' } };
  const session = { subscribe: () => () => undefined, getState: () => state };
  const local = fakeLocal({ gh_accessToken: 'ghu_token', gh_accessTokenExpiry: '9e15' });
  const client = { api: { post }, session, local, now: () => Date.now() } as never;
  // biome-ignore lint/correctness/noComponentHookFactories: the hooks can only be imported here.
  const Bar = () => {
    useInbox();
    return null;
  };
  // biome-ignore lint/correctness/noComponentHookFactories: the hooks can only be imported here.
  const Page = ({ question }: { question: InboxQuestion | undefined }) => {
    shown.inbox = useInbox(question);
    useFollowInbox(() => (shown.read += 1));
    return null;
  };
  const withQuestion = (question?: InboxQuestion) =>
    createElement(ClientContext, { value: client }, createElement(Bar), createElement(Page, { question }));
  const { rerender, unmount } = render(withQuestion());
  const pass = async (ms = 0) => {
    await jest.advanceTimersByTimeAsync(ms);
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  };
  await pass();
  const ask = (question: InboxQuestion) => rerender(withQuestion(question));
  return { asked, shown, ask, pass, unmount };
}

/** Hides or shows the page. */
function setVisibility(state: 'visible' | 'hidden'): void {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
  document.dispatchEvent(new window.Event('visibilitychange', { bubbles: true }));
}

afterEach(() => {
  jest.useRealTimers();
  setVisibility('visible');
});

test('the inbox is requested only while a person looks, on their return, after an approval and once online, and keeps its answer', async () => {
  let fails = false;
  const { asked, shown, pass, unmount } = await showInbox(async (turn) => {
    if (fails) throw new Error('No answer.');
    return answerOf(pull(turn));
  });
  /** How often it was asked for, after an event of the window. */
  const after = async (event: string) => {
    window.dispatchEvent(new window.Event(event));
    await pass();
    return asked.length;
  };
  // The bar and the page ask together.
  expect(await after('focus')).toBe(1);
  await pass(30_000);
  expect(asked).toHaveLength(2);
  setVisibility('hidden');
  await pass(60_000);
  expect(await after('online')).toBe(2);
  fails = true;
  setVisibility('visible');
  await pass();
  expect(asked).toHaveLength(3);
  expect(shown.inbox).toMatchObject({ answer: { pulls: [{ pr: 2 }] }, failure: 'No answer.' });
  fails = false;
  expect(await after('online')).toBe(4);
  expect(shown.inbox).toMatchObject({ answer: { pulls: [{ pr: 4 }] }, failure: null });
  expect(await after('approved')).toBe(5);
  unmount();
  await pass(60_000);
  expect(await after('focus')).toBe(5);
});

test('a page with waiting pull requests is read again after the inbox changed, at most every two minutes', async () => {
  let waiting = 5;
  const { shown, pass, unmount } = await showInbox(() => answerOf(pull(waiting)));
  const passMinutes = async (minutes: number) => {
    for (let turn = 0; turn < minutes * 2; turn += 1) await pass(30_000);
  };
  await passMinutes(10);
  expect(shown.read).toBe(0);
  for (waiting = 115; waiting < 125; waiting += 1) await pass(30_000);
  expect(shown.read).toBe(3);
  await passMinutes(10);
  expect(shown.read).toBe(4);
  waiting = 126;
  unmount();
  await passMinutes(10);
  expect(shown.read).toBe(4);
});

test('the last question is answered, also if it comes while another is asked', async () => {
  const answers: (() => void)[] = [];
  const { asked, shown, ask, pass, unmount } = await showInbox(
    (turn) => new Promise((resolve) => answers.push(() => resolve(answerOf(pull(turn))))),
  );
  for (const search of ['a', 'ab', 'ab']) ask({ search });
  await pass();
  // The first answer comes last.
  for (const answer of answers.reverse()) answer();
  await pass();
  expect(asked).toEqual([{}, { search: 'a' }, { search: 'ab' }]);
  expect(shown.inbox).toMatchObject({ question: { search: 'ab' }, answer: { pulls: [{ pr: 3 }] } });
  unmount();
});

describe('the inbox on the home page', () => {
  test('shows the pull requests, why they wait for the person, and the number in the title and in the bar', async () => {
    const asked = pull(1, {
      ...{ asked: 'review', missing: ['Needs 2 approvals.', 'Needs a test.'], author: '' },
      progress: [lack('release', 1, 'hubot'), lack(''), ...['a', 'b', 'c'].map((rule) => lack(rule))],
    });
    const answer = {
      ...answerOf(asked, pull(2, { asked: 'earlier', agents: 'Claude wrote 3 of 5 commits' })),
      forYou: 131,
      mayApprove: 7,
      total: 131,
    };
    open('/', { person, network: { 'POST /inbox': json(answer) } });
    await screen.findByText('131 pull requests wait for you.');
    expect(rows()[0]).toMatch(
      /Change 1octo-org\/hello #1, by a deleted account, waiting since .*Your review is requestedhubot +1 of 2 approved, release 0 of 1 approved, a 0 of 1 approved, b1 more$/,
    );
    expect(rows()[1]).toMatch(
      /^.*Change 2octo-org\/hello #2, by mona, .*Claude wrote 3 of 5 commitsYou approved an earlier commit$/,
    );
    expect(screen.getByTitle('octo-org/hello #1. Needs 2 approvals. Needs a test.').tagName).toBe('P');
    expect(screen.getByRole('link', { name: 'Change 1' }).getAttribute('href')).toBe('/collect?pr=1');
    expect(document.querySelector('li img')?.getAttribute('src')).toBe(
      'https://github.com/hubot.png?size=48',
    );
    expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('Asked of you 131');
    await screen.findByRole('link', { name: '131 pull requests wait for you' });
    await waitFor(() => expect(document.title).toBe('(131) Inbox · OTP Guard'));
    fireEvent.click(screen.getByRole('link', { name: 'My Authenticators' }));
    await waitFor(() => expect(document.title).toBe('(131) My Authenticators · OTP Guard'));
  });

  test('says that the server counts no further', async () => {
    const answer = { ...answerOf(pull(1)), forYou: 1000, total: 1000 };
    open('/', { person, network: { 'POST /inbox': json(answer) } });
    await screen.findByText('1,000+ pull requests wait for you.');
    await waitFor(() => expect(document.title).toBe('(1,000+) Inbox · OTP Guard'));
    fireEvent.click(screen.getByRole('link', { name: 'E-mail' }));
    await waitFor(() => expect(document.title).toBe('(1,000+) E-mail · OTP Guard'));
  });

  const currentTab = () => screen.getByRole('link', { current: 'page' }).textContent;
  const tick = () => document.querySelector('.success > svg');

  test('opens what is open to anyone if nobody is asked, and then stays there while it has rows', async () => {
    let state: Partial<InboxAnswer> = { forYou: 0, mayApprove: 4, opens: 'may-approve' };
    const asked: InboxQuestion[] = [];
    const answer = (body: unknown) => {
      const { tab } = body as InboxQuestion;
      asked.push(body as InboxQuestion);
      const pulls = (tab === 'auto' ? state.opens : tab) === 'may-approve' ? [pull(1)] : [];
      return Response.json({ ...emptyInbox, ...state, total: pulls.length, pulls });
    };
    const network = { 'POST /inbox': answer };
    open('/', { person, network });
    const line = 'Nobody is asked by name. 4 pull requests are waiting for any member.';
    expect((await screen.findByText(line)).className).toBe('muted');
    await screen.findByText('Change 1');
    expect([currentTab(), tick(), window.location.search]).toEqual(['Open to anyone 4', null, '']);
    await screen.findByRole('link', { name: '4 pull requests wait for any member' });
    await waitFor(() => expect(document.title).toBe('• Inbox · OTP Guard'));
    // The tab was not known before, and the answer is about it: no second request.
    expect(asked.map(({ tab }) => tab)).toEqual(['auto']);

    state = { forYou: 1, mayApprove: 4, opens: 'for-you' };
    window.dispatchEvent(new window.Event('approved'));
    await screen.findByText('4 pull requests that any member can approve.');
    expect([currentTab(), asked.at(-1)?.tab]).toEqual(['Open to anyone 4', 'may-approve']);

    fireEvent.click(screen.getByRole('link', { name: 'Asked of you 1' }));
    await screen.findByText('1 pull request waits for you.');
    state = { forYou: 0, mayApprove: 1, opens: 'may-approve', asksOthers: true };
    window.dispatchEvent(new window.Event('approved'));
    await screen.findByText("You aren't asked by name. 1 pull request is waiting for any member.");
    expect([currentTab(), tick()]).toEqual(['Asked of you 0', null]);
    screen.getByText(/^A pull request is asked of you if a rule names you/);
  });

  const deployment = (run: number, change: Partial<InboxDeployment> = {}): InboxDeployment => ({
    ...{ org: 'octo-org', repo: 'hello', environment: 'release', run, ref: 'v1.2.0', head: HEAD, since },
    ...{
      missing: ['Needs an approval.'],
      denied: null,
      asked: null,
      approval: `/deploy?run=${run}`,
      ...change,
    },
  });
  const deployments = () =>
    Array.from(screen.getByRole('list', { name: 'Deployments' }).children, (row) => row.textContent ?? '');

  test('shows deployments next to pull requests, and counts both', async () => {
    const asked = [deployment(7, { asked: 'named' }), deployment(8, { asked: 'last' })];
    const deploymentsIn = { 'for-you': 2, 'may-approve': 1 };
    const answer = { ...answerOf(pull(1, { asked: 'review' })), deployments: asked, deploymentsIn };
    open('/', { person, network: { 'POST /inbox': json(answer) } });
    await screen.findByText('1 pull request and 2 deployments wait for you.');
    expect(deployments()[0]).toMatch(
      /^Deploy hello to releaseocto-org\/hello, v1\.2\.0 at 6dcb09b.*, run 7, waiting since .*A rule names you or your team$/,
    );
    expect(deployments()[1]).toMatch(/Nobody else is left to approve it$/);
    expect([currentTab(), rows().length]).toEqual(['Asked of you 3', 1]);
    screen.getByRole('link', { name: 'Open to anyone 1' });
    await screen.findByRole('link', { name: '1 pull request and 2 deployments wait for you' });
    await waitFor(() => expect(document.title).toBe('(3) Inbox · OTP Guard'));
  });

  test('has a dot, and no tick, if any member may approve a deployment', async () => {
    const deploymentsIn = { 'for-you': 0, 'may-approve': 1 };
    const answer = { ...emptyInbox, opens: 'may-approve', deployments: [deployment(7)], deploymentsIn };
    open('/', { person, network: { 'POST /inbox': json(answer) } });
    await screen.findByText('Nobody is asked by name. 1 deployment is waiting for any member.');
    await screen.findByRole('link', { name: '1 deployment waits for any member' });
    expect([tick(), deployments().length]).toEqual([null, 1]);
    await waitFor(() => expect(document.title).toBe('• Inbox · OTP Guard'));
  });

  test('has a green tick only if both tabs are empty, and says that the list may be old', async () => {
    open('/', { person, network: { 'POST /inbox': json(emptyInbox) } });
    await screen.findByText("You're all caught up.");
    expect([currentTab(), tick()?.tagName]).toEqual(['Asked of you 0', 'svg']);
    expect(document.title).toBe('Inbox · OTP Guard');
    fireEvent.click(screen.getByRole('link', { name: 'Open to anyone 0' }));
    await screen.findByText("You're all caught up.");
    const others = { ...emptyInbox, forYou: 3 };
    open('/?tab=may-approve', { person, network: { 'POST /inbox': json(others) } });
    await screen.findByText('Nothing else needs an approval.');
    expect(tick()).toBeNull();
    open('/', { person, network: { 'POST /inbox': refusal('githubUnavailable') } });
    await screen.findByText(problems.githubUnavailable[1]);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('asks the server for a search, a repository, a rule, agents, an order and a page, and keeps them in the address', async () => {
    const page = Array.from({ length: 25 }, (_, index) => pull(index + 1));
    const choices = {
      repositories: ['octo-org/hello', 'octo-org/world'],
      rules: ['owners', 'two people'],
      hasAgents: true,
    };
    const answer = { ...answerOf(...page), ...choices, forYou: 60, total: 60, next: '1:5:25' };
    const { requests } = open('/', { person, network: { 'POST /inbox': json(answer) } });
    const last = () => requests.findLast(({ call }) => call === 'POST /inbox')?.body;
    const choose = async (label: string, value: string) =>
      fireEvent.change(await screen.findByLabelText(label), { target: { value } });
    await choose('Repository', 'octo-org/world');
    await choose('Rule', 'two people');
    await choose('Agents', 'only');
    await choose('Order', 'newest');
    const search = screen.getByLabelText('Search titles, repositories, authors');
    fireEvent.change(search, { target: { value: ' fix ' } });
    fireEvent.blur(search);
    const question = {
      tab: 'for-you',
      order: 'newest',
      search: 'fix',
      repository: 'octo-org/world',
      rule: 'two people',
      agents: true,
    };
    await waitFor(() => expect(last()).toEqual({ ...question, accessToken: 'ghu_token' }));
    expect(window.location.search).toBe(
      '?in=octo-org%2Fworld&rule=two+people&agents=only&order=newest&find=fix',
    );
    await screen.findByText('60 of 60 pull requests');
    fireEvent.click(screen.getByRole('button', { name: 'Next' }));
    await waitFor(() => expect(last()).toMatchObject({ ...question, after: '1:5:25' }));
    await screen.findByText('26–50 of 60');
    await choose('Rule', '');
    await waitFor(() => expect(last()).toEqual({ ...question, rule: '', accessToken: 'ghu_token' }));
    await screen.findByText('1–25 of 60');
    fireEvent.click(screen.getByRole('link', { name: /^Open to anyone/ }));
    await waitFor(() => expect(last()).toMatchObject({ tab: 'may-approve', search: '', repository: '' }));
  });

  test('selects the first 20 of a page together, and says how many stay if more are selected', async () => {
    const answer = answerOf(...Array.from({ length: 22 }, (_, index) => pull(index + 1)));
    open('/', { person, network: { 'POST /inbox': () => Response.json(answer) } });
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Select 20 of 22 on this page' }));
    expect(screen.queryAllByRole('button', { name: 'Approve 20 together' })).toHaveLength(1);
    expect(screen.queryByText(/^At most 20/)).toBeNull();
    for (const pr of [21, 22])
      fireEvent.click(screen.getByRole('checkbox', { name: `Select octo-org/hello #${pr}` }));
    screen.getByText('At most 20 at once, from the top of the list. The other 2 stay here.');
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select 20 of 22 on this page' }));
    expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull();
  });

  test('offers several together where the person has a key, and a new commit has to be selected again', async () => {
    const other = { org: { id: 5, name: 'other-org', installation: 6 }, repo: 'x', repoID: 9 };
    let answer = answerOf(pull(1), pull(2, other), pull(3));
    open('/', { person, network: { 'POST /inbox': () => Response.json(answer) } });
    const box = async (pr: number) => screen.findByRole('checkbox', { name: `Select octo-org/hello #${pr}` });
    // Rows that can't be selected aren't counted.
    await screen.findByRole('checkbox', { name: 'Select 2 of 3 on this page' });
    fireEvent.click(await box(1));
    screen.getByRole('button', { name: 'Approve this one' });
    fireEvent.click(await box(3));
    screen.getByRole('button', { name: 'Approve 2 together' });
    expect(screen.getAllByRole('checkbox', { name: /^Select octo-org/ })).toHaveLength(2);

    const realNow = Date.now;
    Date.now = () => realNow() + 20_000;
    answer = answerOf(pull(4), pull(3, { head: 'f'.repeat(40) }));
    window.dispatchEvent(new window.Event('focus'));
    Date.now = realNow;
    await screen.findByText('Change 4');
    const order = rows().flatMap((row) => /Change (\d)/.exec(row)?.[1] ?? []);
    expect(order).toEqual(['4', '3']);
    expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull();
  });
});
