import { describe, expect, jest, test } from '@jest/globals';
import type { InboxAnswer, InboxPull, InboxQuestion } from '../../../src/contract/inbox.ts';
import { problems } from '../../../src/contract/problems.ts';
import { createInboxFeed, followInbox } from '../../../web/src/lib/react/inbox-feed.ts';
import { dashboard, fireEvent, json, refusal, screen, waitFor } from './dashboard.ts';
import { emptyInbox, membership, record } from './fixtures.ts';

const open = dashboard();
const HEAD = '6dcb09b5b57875f334f61aebed695e2e4193db5e';
const ofOrg = { org: { id: 9919, name: 'octo-org', installation: 77 }, repo: 'hello', repoID: 5 };
const since = '2026-05-02T12:00:00Z';
const pull = (pr: number, parts: Partial<InboxPull> = {}): InboxPull => ({
  ...{ ...ofOrg, pr, title: `Change ${pr}`, author: 'mona', base: 'main', head: HEAD, opened: since, since },
  ...{ missing: ['Needs an approval.'], asked: null, url: '', approval: `/collect?pr=${pr}`, ...parts },
});
const answerOf = (...pulls: InboxPull[]): InboxAnswer => ({
  ...emptyInbox,
  ...{ forYou: pulls.length, total: pulls.length, pulls },
});
const person = { ...record, expand: { org_members_via_user: [membership('member')] } };
const rows = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent ?? '');

test('the feed asks only while somebody looks, on their return, after an approval and once online, and keeps its answer', async () => {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const window = Object.assign(new EventTarget(), { document: page }) as unknown as Window;
  let now = 0;
  let asked = 0;
  let fails = false;
  const load = async () => {
    asked += 1;
    if (fails) throw new Error('No answer.');
    return answerOf(pull(asked));
  };
  const feed = createInboxFeed({ load, window, now: () => now });
  /** How often it asked, after what an event of the page or the window led to. */
  const after = async (target: EventTarget, event: string) => {
    target.dispatchEvent(new Event(event));
    await new Promise((done) => setImmediate(done));
    return asked;
  };
  const end = feed.subscribe(() => undefined);
  expect(await after(window, 'focus')).toBe(1);
  expect(await after(page, 'visibilitychange')).toBe(1);
  now += 10_000;
  page.visibilityState = 'hidden';
  expect(await after(window, 'online')).toBe(1);
  page.visibilityState = 'visible';
  fails = true;
  expect(await after(page, 'visibilitychange')).toBe(2);
  expect(feed.getState()).toMatchObject({ answer: { forYou: 1 }, failure: 'No answer.' });
  fails = false;
  expect(await after(window, 'online')).toBe(3);
  expect(feed.getState()).toMatchObject({ answer: { pulls: [{ pr: 3 }] }, failure: null });
  expect(await after(window, 'approved')).toBe(4);
  end();
  now += 60_000;
  expect(await after(window, 'focus')).toBe(4);
});

test('a page with waiting pull requests is read again after the inbox changed, at most every two minutes', async () => {
  jest.useFakeTimers();
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const window = Object.assign(new EventTarget(), { document: page }) as unknown as Window;
  const now = () => Date.now();
  let waiting = 5;
  const feed = createInboxFeed({ load: async () => answerOf(...[pull(waiting)]), window, now });
  let read = 0;
  const end = followInbox(feed, { read: () => (read += 1), now });
  await jest.advanceTimersByTimeAsync(10 * 60_000);
  expect(read).toBe(0);
  for (waiting = 115; waiting < 125; waiting += 1) await jest.advanceTimersByTimeAsync(30_000);
  expect(read).toBe(3);
  await jest.advanceTimersByTimeAsync(10 * 60_000);
  expect(read).toBe(4);
  waiting = 126;
  end();
  await jest.advanceTimersByTimeAsync(10 * 60_000);
  expect(read).toBe(4);
  jest.useRealTimers();
});

test('the feed drops no question: the last one is answered, also if it comes while another is asked', async () => {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const window = Object.assign(new EventTarget(), { document: page }) as unknown as Window;
  const asked: [InboxQuestion, answer: () => void][] = [];
  const load = (question: InboxQuestion) =>
    new Promise<InboxAnswer>((resolve) =>
      asked.push([question, () => resolve(answerOf(pull(asked.length)))]),
    );
  const feed = createInboxFeed({ load, window, now: () => 0 });
  const end = feed.subscribe(() => undefined);
  for (const search of ['a', 'ab', 'abc', 'abc']) feed.ask({ search });
  for (let turn = 0; turn < 4; turn += 1) {
    asked.at(-1)?.[1]();
    await new Promise((done) => setImmediate(done));
  }
  end();
  expect(asked.map(([question]) => question)).toEqual([{}, { search: 'abc' }]);
  expect(feed.getState()).toMatchObject({ question: { search: 'abc' }, answer: { pulls: [{ pr: 2 }] } });
});

describe('the inbox on the home page', () => {
  test('shows the pull requests, why they wait for the person, and the number in the title and in the bar', async () => {
    const asked = pull(1, { asked: 'review', missing: ['Needs 2 approvals.', 'Needs a test.'], author: '' });
    const answer = {
      ...answerOf(asked, pull(2, { asked: 'earlier' })),
      forYou: 131,
      mayApprove: 7,
      total: 131,
    };
    open('/', { person, network: { 'POST /inbox': json(answer) } });
    await screen.findByText('131 pull requests wait for you.');
    expect(rows()[0]).toMatch(
      /Change 1Your review is requested\. octo-org\/hello #1, waiting since .*, by a deleted account\. Needs 2 approvals\. Needs a test\.$/,
    );
    expect(rows()[1]).toMatch(
      /^.*Change 2You approved an earlier commit\. octo-org\/hello #2, .* by mona\. /,
    );
    // The line may be cut where the requirements stand.
    expect(screen.getByTitle('octo-org/hello #1. Needs 2 approvals. Needs a test.').tagName).toBe('P');
    expect(screen.getByRole('link', { name: 'Change 1' }).getAttribute('href')).toBe('/collect?pr=1');
    expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('For you 131');
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
  });

  test('says calmly that nothing waits, what else there is, or that the list may be old', async () => {
    const all = { ...emptyInbox, mayApprove: 2 };
    const ofTab = { ...all, total: 2, pulls: [pull(1), pull(2)] };
    const network = {
      'POST /inbox': (body: unknown) =>
        Response.json((body as InboxQuestion).tab === 'may-approve' ? ofTab : all),
    };
    open('/', { person, network });
    await screen.findByText("You're all caught up.");
    await waitFor(() => expect(document.title).toBe('Inbox · OTP Guard'));
    fireEvent.click(screen.getByRole('link', { name: 'Show them' }));
    await screen.findByText('You may approve 2 pull requests. So may others.');
    expect(screen.getByRole('link', { current: 'page' }).textContent).toBe('You may approve 2');
    expect(window.location.search).toBe('?tab=may-approve');
    expect(screen.queryByText("You're all caught up.")).toBeNull();
    open('/', { person, network: { 'POST /inbox': refusal('githubUnavailable') } });
    await screen.findByText(problems.githubUnavailable[1]);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('asks the server for a search, a repository, a rule, an order and a page, and keeps them in the address', async () => {
    const page = Array.from({ length: 25 }, (_, index) => pull(index + 1));
    const choices = { repositories: ['octo-org/hello', 'octo-org/world'], rules: ['owners', 'two people'] };
    const answer = { ...answerOf(...page), ...choices, forYou: 60, total: 60, next: '1:5:25' };
    const { requests } = open('/', { person, network: { 'POST /inbox': json(answer) } });
    const last = () => requests.findLast(({ call }) => call === 'POST /inbox')?.body;
    const choose = async (label: string, value: string) =>
      fireEvent.change(await screen.findByLabelText(label), { target: { value } });
    await choose('Repository', 'octo-org/world');
    await choose('Rule', 'two people');
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
    };
    await waitFor(() => expect(last()).toEqual({ ...question, accessToken: 'ghu_token' }));
    expect(window.location.search).toBe('?in=octo-org%2Fworld&rule=two+people&order=newest&find=fix');
    await screen.findByText('60 of 60 pull requests');
    fireEvent.click(screen.getByRole('button', { name: 'Next' }));
    await waitFor(() => expect(last()).toMatchObject({ ...question, after: '1:5:25' }));
    await screen.findByText('26–50 of 60');
    await choose('Rule', '');
    await waitFor(() => expect(last()).toEqual({ ...question, rule: '', accessToken: 'ghu_token' }));
    await screen.findByText('1–25 of 60');
    fireEvent.click(screen.getByRole('link', { name: /^You may approve/ }));
    await waitFor(() => expect(last()).toMatchObject({ tab: 'may-approve', search: '', repository: '' }));
  });

  test('selects the first 20 of a page at once, and says how many stay if more are selected', async () => {
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

  test('offers several at once where the person has a key, and a new commit has to be selected again', async () => {
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
