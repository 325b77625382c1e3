import { describe, expect, jest, test } from '@jest/globals';
import type { InboxPull } from '../../../src/contract/inbox.ts';
import { problems } from '../../../src/contract/problems.ts';
import { createInboxFeed, followInbox } from '../../../web/src/lib/inbox-feed.ts';
import { dashboard, fireEvent, json, refusal, screen, waitFor } from './dashboard.ts';
import { membership, record } from './fixtures.ts';

const open = dashboard();
const HEAD = '6dcb09b5b57875f334f61aebed695e2e4193db5e';
const ofOrg = { org: { id: 9919, name: 'octo-org', installation: 77 }, repo: 'hello', repoID: 5 };
const since = '2026-05-02T12:00:00Z';
const pull = (pr: number, parts: Partial<InboxPull> = {}): InboxPull => ({
  ...{ ...ofOrg, pr, title: `Change ${pr}`, author: 'mona', base: 'main', head: HEAD, opened: since, since },
  ...{ missing: ['Needs an approval.'], asked: null, url: '', approval: `/collect?pr=${pr}`, ...parts },
});
const answerOf = (...pulls: InboxPull[]) => ({ total: pulls.length, pulls });
const person = { ...record, expand: { org_members_via_user: [membership('member')] } };
const rows = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent ?? '');

test('the feed asks only while somebody looks, on their return and once online, and keeps its answer', async () => {
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
  expect(feed.getState()).toMatchObject({ answer: { total: 1 }, failure: 'No answer.' });
  fails = false;
  expect(await after(window, 'online')).toBe(3);
  expect(feed.getState()).toMatchObject({ answer: { pulls: [{ pr: 3 }] }, failure: null });
  await feed.refresh();
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

describe('the inbox on the home page', () => {
  test('shows the pull requests, why they wait for the person, and the number in the title and in the bar', async () => {
    const asked = pull(1, { asked: 'review', missing: ['Needs 2 approvals.', 'Needs a test.'], author: '' });
    open('/', { person, network: { 'POST /inbox': json({ total: 131, pulls: [asked, pull(2)] }) } });
    await screen.findByText('131 pull requests wait for you. These 2 wait the longest.');
    expect(rows()[0]).toMatch(/Change 1octo-org\/hello #1.*A deleted account, opened /);
    expect(rows()[0]).toMatch(/Your review is requestedNeeds 2 approvals\. Needs a test\.$/);
    expect(screen.getByRole('link', { name: 'Change 1' }).getAttribute('href')).toBe('/collect?pr=1');
    await screen.findByRole('link', { name: '131 pull requests wait for you' });
    await waitFor(() => expect(document.title).toBe('(131) Inbox · OTP Guard'));
    fireEvent.click(screen.getByRole('link', { name: 'My Authenticators' }));
    await waitFor(() => expect(document.title).toBe('(131) My Authenticators · OTP Guard'));
  });

  test('says that the server counts no further', async () => {
    open('/', { person, network: { 'POST /inbox': json({ total: 1000, pulls: [pull(1)] }) } });
    await screen.findByText('1000+ pull requests wait for you. These 1 wait the longest.');
    await waitFor(() => expect(document.title).toBe('(1000+) Inbox · OTP Guard'));
  });

  test('says calmly that nothing waits, or that the list may be old', async () => {
    open('/', { person, network: { 'POST /inbox': json(answerOf()) } });
    await screen.findByText('Nothing waits for you.');
    await waitFor(() => expect(document.title).toBe('Inbox · OTP Guard'));
    open('/', { person, network: { 'POST /inbox': refusal('githubUnavailable') } });
    await screen.findByText(problems.githubUnavailable[1]);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('says how many stay if more are selected than one signature approves', async () => {
    const answer = answerOf(...Array.from({ length: 22 }, (_, index) => pull(index + 1)));
    open('/', { person, network: { 'POST /inbox': () => Response.json(answer) } });
    for (const box of await screen.findAllByRole('checkbox')) fireEvent.click(box);
    expect(screen.queryAllByRole('button', { name: 'Approve 20 together' })).toHaveLength(1);
    screen.getByText('At most 20 at once, the longest waiting first. The other 2 stay here.');
  });

  test('offers several at once where the person has a key; then nothing moves, and a new commit is another', async () => {
    const other = { org: { id: 5, name: 'other-org', installation: 6 }, repo: 'x', repoID: 9 };
    let answer = answerOf(pull(1), pull(2, other), pull(3));
    open('/', { person, network: { 'POST /inbox': () => Response.json(answer) } });
    const box = async (pr: number) => screen.findByRole('checkbox', { name: `Select octo-org/hello #${pr}` });
    fireEvent.click(await box(1));
    screen.getByRole('button', { name: 'Approve this one' });
    fireEvent.click(await box(3));
    screen.getByRole('button', { name: 'Approve 2 together' });
    expect(screen.getAllByRole('checkbox')).toHaveLength(2);

    answer = answerOf(pull(4), pull(3, { head: 'f'.repeat(40) }));
    const later = Date.now() + 20_000;
    const realNow = Date.now;
    Date.now = () => later;
    window.dispatchEvent(new window.Event('focus'));
    Date.now = realNow;
    await screen.findByText('Change 4');
    const gone = expect.stringContaining('No longer waits for you.');
    const places = [gone, gone, expect.stringContaining('Change 3'), expect.stringContaining('Change 4')];
    expect(rows().slice(0, 4)).toEqual(places);
    expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Remove the 2 that no longer wait' }));
    expect(screen.queryByText('Change 1')).toBeNull();
  });
});
