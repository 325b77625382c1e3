import { describe, expect, jest, test } from '@jest/globals';
import type { OrganizationMember } from '../../../src/contract/organization.ts';
import type { Bypass, Weakening } from '../../../src/contract/protection.ts';
import { repositoryFindings, SUSPENDED } from '../../../src/protection/findings.ts';
import { hashOf } from '../../../web/src/lib/signing/check-statement.ts';
import {
  alertText,
  dashboard,
  fireEvent,
  json,
  type Network,
  refusal,
  screen,
  waitFor,
  within,
} from './dashboard.ts';
import { countsOf, emptyInbox, healthOf, membership, record } from './fixtures.ts';

const open = dashboard();
const OF = 'owner=octo-org&ownerID=9919&installation=77';
const counts = countsOf(60, { protected: 57, notEnforced: 3 });
const organization = json({
  ...{ name: 'octo-org', role: 'admin', installation: { repositorySelection: 'all', settingsUrl: '' } },
  members: {
    ...{ total: 120, enrolled: 118, one: 0, pending: 0, asOf: '2026-05-04T12:00:00Z' },
    ...{ reachable: 1, unreachable: 1, sendsMail: true },
  },
});
const member = (id: number): OrganizationMember => ({
  ...{ id, login: `member-${id}`, role: 'member', enrolled: false, signedIn: true, address: '' },
  ...{ authenticators: 0, kinds: { passkey: 0, securityKey: 0, totp: 0 }, pending: false },
  ...{ lastApproval: null, hasAddress: id % 2 === 0, reminded: null },
});

/** A page of the members that the request asks for: 120 of them, or those with the searched number. */
function members(body: unknown) {
  const { search, after } = body as { search: string; after?: string };
  const first = after ? Number(after) + 1 : 1;
  if (search) return Response.json({ total: 1, members: [member(Number(search))], next: null });
  const page = Array.from({ length: Math.min(50, 121 - first) }, (_, index) => member(first + index));
  return Response.json({ total: 120, members: page, next: first < 101 ? String(first + 49) : null });
}
const network = { 'POST /organization': organization, 'POST /organization-members': members };

test('the navigation of an organization marks the page, and leaves a page’s search behind', async () => {
  open(`/org/members?${OF}&search=7&state=one`, { network });
  const navigation = within(await screen.findByRole('navigation', { name: 'Organization' }));
  const current = navigation.getByRole('link', { current: 'page' });
  expect(current.textContent).toBe('Members');
  for (const link of navigation.getAllByRole('link')) expect(link.getAttribute('href')).toMatch(`?${OF}`);
  expect(navigation.queryByRole('link', { name: /search/ })).toBeNull();
  fireEvent.click(current);
  await waitFor(() => expect(window.location.search).toBe(`?${OF}`));
  expect((screen.getByLabelText('Search members') as HTMLInputElement).value).toBe('');
});

test('each page of the navigation has its entry as its title', async () => {
  open(`/org?${OF}`, { network });
  const navigation = await screen.findByRole('navigation', { name: 'Organization' });
  const entries = within(navigation).getAllByRole('link').slice(0, -1);
  expect(entries.map(({ textContent }) => textContent)).toContain('Exports');
  for (const entry of entries) {
    fireEvent.click(entry);
    // Some titles have another case.
    await screen.findByRole('heading', { level: 1, name: new RegExp(`^${entry.textContent}$`, 'i') });
  }
});

const person = (id: number) => ({
  ...{ id, login: `member-${id}`, opened: 1, asked: 0, pending: false, reminded: null },
  hasAddress: id % 2 === 0,
});
const outlook = (stuck: number | null) => ({
  ...{ id: 'rollOut', status: 'failing', action: null },
  about: { waiting: 9, isComplete: true, unblocked: 7, stuck },
});
const rollOut = {
  finding: outlook(2),
  repositories: [
    { name: 'web', required: 'no', waiting: 7, stuck: 2 },
    { name: 'hello', required: 'thisApp', waiting: 2, stuck: 0 },
  ],
  rules: [
    { name: 'Two people', waiting: 6 },
    { name: '', waiting: 3 },
  ],
  people: Array.from({ length: 22 }, (_, index) => person(index + 1)),
};

test('the roll-out says who would be blocked, what to send them, and has the ruleset for all repositories', async () => {
  const health = { rulesets: { repository: {}, organization: { ruleset: {}, url: '' } } };
  const { requests } = open(`/org/roll-out?${OF}`, {
    network: {
      'POST /organization-roll-out': json(rollOut),
      'POST /organization-health': json(health),
      'POST /remind-members': json({ sent: 1, withoutAddress: 0, already: 0 }),
    },
  });
  await screen.findByText(
    'If every repository required the check today, 7 open pull requests would have to wait for approval.',
  );
  expect(screen.getByText(/^2 of them couldn't be approved/)).toBeTruthy();
  const show = screen.getByRole('link', { name: 'Pull requests of web' });
  expect(show.getAttribute('href')).toBe(`/org/pulls?${OF}&repository=web`);
  await screen.findByRole('link', { name: /^Download the ruleset for all repositories/ });
  expect(screen.getByRole('button', { name: 'Copy message' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Remind member-1' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Remind member-2' }));
  await screen.findByText("We're sending an e-mail.");
  expect(requests.find(({ call }) => call === 'POST /remind-members')?.body).toMatchObject({ memberID: 2 });
  expect(screen.queryByRole('link', { name: 'member-22' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Show all 22 members' }));
  await screen.findByRole('link', { name: 'member-22' });
});

test('without a list of members, the roll-out says that it can’t tell who could approve', async () => {
  const repositories = Array.from({ length: 500 }, (_, index) => ({
    ...{ name: `r${index}`, required: 'no', waiting: 1, stuck: null },
  }));
  const answer = json({ ...rollOut, repositories, finding: outlook(null), people: 'personalAccount' });
  open(`/org/roll-out?${OF}`, { network: { 'POST /organization-roll-out': answer } });
  await screen.findByText("We can't tell whether enough people have an authenticator to approve them.");
  screen.getByText(/^GitHub has no list of members for a personal account/);
  const row = (await screen.findByRole('link', { name: 'Pull requests of r0' })).closest('tr');
  expect(row?.textContent).toMatch(/Can't tell$/);
  expect(screen.getByRole('columnheader', { name: 'Too few to approve' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Show the first 500 repositories' })).toBeTruthy();
});

test('a part that couldn’t be loaded says so where it would be, once', async () => {
  const pulls = json({ total: 0, asOf: new Date().toISOString(), pulls: [], next: null });
  const shows = async (address: string, answers: Network, text: string) => {
    open(address, { network: answers });
    const banner = (await screen.findByText(text)).closest('[role=status]') as HTMLElement;
    within(banner).getByRole('button', { name: 'Try again' });
  };
  const toFilter = "We couldn't load the repositories and rules to filter by.";
  await shows(`/org/pulls?${OF}`, { 'POST /organization-pulls': pulls }, toFilter);
  await shows(`/org/exports?${OF}`, {}, "We couldn't load the checkpoint.");
  const toCount = "We couldn't count the approvals.";
  await shows(`/org/pulls?${OF}`, { 'POST /organization-pulls': pulls }, toCount);
  const toRemind = "We couldn't count the members to remind.";
  await shows(`/org/members?${OF}`, { 'POST /organization-members': members }, toRemind);
  for (const path of ['pulls', 'members']) {
    open(`/org/${path}?${OF}`);
    await alertText();
    expect(screen.getAllByRole('button', { name: 'Try again' })).toHaveLength(1);
  }
});

test('waiting pull requests are filtered by repository, rule and age, which the address keeps', async () => {
  const pulls = json({ total: 0, asOf: new Date().toISOString(), pulls: [], next: null });
  const { requests } = open(`/org/pulls?${OF}&repository=web&rule=`, {
    network: { 'POST /organization-roll-out': json(rollOut), 'POST /organization-pulls': pulls },
  });
  await screen.findByRole('option', { name: 'web (7)' });
  await screen.findByText('No waiting pull requests match.');
  const shown = (label: string) =>
    (screen.getByLabelText(label) as HTMLSelectElement).selectedOptions[0]?.textContent;
  expect(['Repository', 'Missing', 'Waiting for'].map(shown)).toEqual([
    ...['web (7)', '1 approval from any member (3)', 'Any time'],
  ]);
  fireEvent.change(screen.getByLabelText('Missing'), { target: { value: '0' } });
  fireEvent.change(screen.getByLabelText('Waiting for'), { target: { value: 'week' } });
  fireEvent.change(screen.getByLabelText('Repository'), { target: { value: '-1' } });
  await waitFor(() => expect(window.location.search).toBe(`?${OF}&rule=Two+people&age=week`));
  const bodies = requests.filter(({ call }) => call === 'POST /organization-pulls').map(({ body }) => body);
  expect(bodies[0]).toEqual({ orgID: 9919, search: '', age: 'any', repo: 'web', rule: '' });
  await waitFor(() =>
    expect(requests.filter(({ call }) => call === 'POST /organization-pulls').at(-1)?.body).toEqual({
      ...{ orgID: 9919, search: '', age: 'week', rule: 'Two people' },
    }),
  );
});

test('a member who waits for a vouch has the link to it in their row', async () => {
  const waiting = { ...member(1), pending: true, enrolled: false };
  const enrolment = { waiting: [{ id: 'abcdefghijklmno', holder: { id: 1, login: 'member-1' } }] };
  open(`/org/members?${OF}`, {
    network: {
      ...network,
      'POST /organization-members': json({ total: 2, members: [waiting, member(2)], next: null }),
      'POST /organization-enrolment': json(enrolment),
    },
  });
  const links = await screen.findAllByRole('link', { name: /^Vouch for/ });
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/vouch?owner=octo-org&ownerID=9919&authenticator=abcdefghijklmno',
  ]);
  expect(screen.queryByRole('button', { name: 'Remind member-1' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Remind member-2' })).toBeTruthy();
});

test('exports ask what the owner needs, and save that', async () => {
  const data = { org: 'octo-org' };
  const entry = {
    number: 1,
    event: { at: '2026-11-21T09:00:00Z', activity: 'setOrgImage', data, facts: {} },
  };
  const page = {
    version: 1,
    log: 'log',
    org: { id: 9919 },
    left: [],
    right: [],
    checkpoint: 'c',
    next: null,
  };
  const { requests } = open(`/org/exports?${OF}`, {
    network: { 'POST /log-export': json({ ...page, entries: [{ ...entry, person: null }] }) },
  });
  const saved: Blob[] = [];
  URL.createObjectURL = (file) => `#${saved.push(file as Blob)}`;
  const submit = async () => fireEvent.click(await screen.findByRole('button', { name: 'Export' }));
  const choose = async (name: RegExp) => fireEvent.click(await screen.findByRole('radio', { name }));
  await screen.findByRole('group', { name: 'What do you need?' });
  await submit();
  await screen.findByText('Saved 1 entry.');
  expect(saved.map(({ type }) => type.split(';')[0])).toEqual(['application/json']);
  await choose(/spreadsheet/);
  await submit();
  await waitFor(() => expect(saved[1]?.type).toMatch(/^text.csv/));
  await choose(/one release/);
  expect(screen.queryByLabelText('From')).toBeNull();
  await submit();
  expect(await alertText()).toBe('Enter the repository of the release.');
  fireEvent.change(screen.getByLabelText('Repository'), { target: { value: 'hello' } });
  await submit();
  await screen.findByText('Paste the commits of the release, one full hash a line.');
  fireEvent.change(screen.getByLabelText('Commits'), { target: { value: 'a'.repeat(40) } });
  await submit();
  await waitFor(() =>
    expect(requests.find(({ call }) => call === 'POST /receipts-export')?.body).toMatchObject({
      ...{ orgID: 9919, repo: 'hello', commits: ['a'.repeat(40)] },
    }),
  );
});

test('members have an Action column only if there is one, and what is drastic is folded', async () => {
  const settled = { ...member(2), enrolled: true, authenticators: 2, signedIn: false };
  const show = (...rows: object[]) =>
    open(`/org/members?${OF}`, {
      network: {
        ...network,
        'POST /organization-members': json({ total: rows.length, members: rows, next: null }),
      },
    });
  show(settled);
  await screen.findByRole('link', { name: 'member-2' });
  const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(heads()).toEqual(['Member', 'Authenticators']);
  show(settled, { ...settled, id: 4, login: 'member-4', signedIn: true });
  await screen.findByRole('link', { name: 'member-4' });
  expect(heads()).toEqual(['Member', 'Authenticators', 'Action']);
  const end = screen.getByText('Sign out everywhere');
  const fold = end.closest('details');
  expect([fold?.open, fold?.querySelector('summary')?.textContent]).toEqual([false, 'More about member-4']);
  fireEvent.click(end);
  await screen.findByText(/^Before you sign member-4 out/);
});

test('a list has at most 50 rows, pages, a number, and a search that keeps the focus and the address', async () => {
  open(`/org/members?${OF}`, { network });
  await screen.findByText('120 members');
  const rows = () => document.querySelectorAll('tbody tr').length;
  expect(rows()).toBe(50);
  fireEvent.click(screen.getByText('Next'));
  await screen.findByText('51–100 of 120');
  fireEvent.click(screen.getByText('Next'));
  await screen.findByText('101–120 of 120');
  expect([rows(), screen.getByText('Next').hasAttribute('disabled')]).toEqual([20, true]);
  const before = window.history.length;
  const field = screen.getByLabelText('Search members');
  field.focus();
  for (const value of ['9', '90']) fireEvent.change(field, { target: { value } });
  await screen.findByText('1 of 120 members');
  expect(screen.getByText('1 of 120 members').getAttribute('role')).toBe('status');
  expect([rows(), window.location.search, window.history.length]).toEqual([1, `?${OF}&search=90`, before]);
  expect(document.activeElement === field).toBe(true);
});

test('an answer to an earlier search is not shown', async () => {
  let answerSlowly: (answer: Response) => void = () => undefined;
  const slow = new Promise<Response>((resolve) => (answerSlowly = resolve));
  const answer = (body: unknown) => ((body as { search: string }).search === '8' ? slow : members(body));
  open(`/org/members?${OF}&search=8`, { network: { ...network, 'POST /organization-members': answer } });
  fireEvent.change(await screen.findByLabelText('Search members'), { target: { value: '9' } });
  await screen.findByText('member-9');
  answerSlowly(Response.json({ total: 1, members: [member(8)], next: null }));
  await expect(screen.findByText('member-8', {}, { timeout: 50 })).rejects.toThrow();
});

test('a list keeps the page before a failed one, and asks for that one again', async () => {
  let fails = true;
  const answer = (body: unknown) =>
    (body as { after?: unknown }).after && fails ? refusal('storeUnavailable')() : members(body);
  open(`/org/members?${OF}`, { network: { ...network, 'POST /organization-members': answer } });
  await screen.findByText('120 members');
  fireEvent.click(screen.getByText('Next'));
  await screen.findByRole('alert');
  screen.getByText('1–50 of 120');
  screen.getByText('member-50');
  fails = false;
  fireEvent.click(screen.getByText('Next'));
  await screen.findByText('51–100 of 120');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('an owner reads whom an e-mail reaches before they send it, and what to send to the others', async () => {
  const answers = [{ sent: 1, withoutAddress: 1, already: 0 }];
  const { requests } = open(`/org/members?${OF}&state=missing`, {
    network: { ...network, 'POST /remind-members': () => Response.json(answers[0]) },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Remind 2 members to register' }));
  await screen.findByText(/^2 members have no authenticator\. 1 of them has a confirmed e-mail address\./);
  expect(requests.filter(({ call }) => call === 'POST /remind-members')).toEqual([]);
  const link = /https?:\/\/\S+\/register\?owner=octo-org&ownerID=9919/;
  expect(screen.getByText(/^Please register an authenticator for octo-org/).textContent).toMatch(link);
  expect(screen.getByRole('button', { name: 'Copy link' })).toBeTruthy();
  const saved: Blob[] = [];
  URL.createObjectURL = (file) => `#${saved.push(file as Blob)}`;
  fireEvent.click(screen.getByRole('button', { name: 'Export their names (CSV)' }));
  await screen.findByText('Saved 60 members.');
  const rows = (await saved[0]?.text())?.split('\r\n') ?? [];
  expect(rows.slice(0, 2)).toEqual(['"Login","Profile"', '"member-1","https://github.com/member-1"']);
  fireEvent.click(screen.getByRole('button', { name: 'Send 1 e-mail' }));
  await screen.findByText(
    "We're sending 1 e-mail. 1 member has no confirmed address. Copy a message for them.",
  );
  expect(screen.queryByRole('button', { name: 'Remind member-1' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Remind member-2' }));
  expect((await screen.findByText("We're sending an e-mail.")).tabIndex).toBe(-1);
  const sent = requests.filter(({ call }) => call === 'POST /remind-members').map(({ body }) => body);
  const toAll = { org: 'octo-org', orgID: 9919, accessToken: 'ghu_token' };
  expect(sent).toEqual([toAll, { ...toAll, memberID: 2 }]);
});

test('a reminder of many continues until the last member got one', async () => {
  const { members: counts, ...known } = await organization().json();
  const answers = [
    { sent: 200, withoutAddress: 1, already: 0 },
    { sent: 101, withoutAddress: 1, already: 99 },
  ];
  const many = json({ ...known, members: { ...counts, total: 400, reachable: 302 } });
  const { requests } = open(`/org/members?${OF}`, {
    network: {
      ...network,
      'POST /organization': many,
      'POST /remind-members': () => Response.json(answers.shift()),
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Remind 303 members to register' }));
  fireEvent.click(screen.getByRole('button', { name: 'Send 302 e-mails' }));
  await screen.findByText(/^We're sending 301 e-mails\. .* 1 got one in the last seven days\.$/);
  expect(requests.filter(({ call }) => call === 'POST /remind-members')).toHaveLength(2);
});

test('an owner sees which repositories require the check; a person who is none, GitHub’s list', async () => {
  const hello = {
    name: 'hello',
    defaultBranch: 'main',
    required: 'no',
    rulesUrl: '',
    checked: '2026-05-04T12:00:00Z',
  };
  const answer = { counts, matches: 3, repositories: [hello], next: null };
  open(`/org/repositories?${OF}&state=notEnforced`, {
    network: { 'POST /organization': organization, 'POST /organization-repositories': json(answer) },
  });
  await screen.findByText('3 of 60 repositories');
  await screen.findByText(/^Not required on/);
  await screen.findByText(/All Repositories Shared/);
  const listed = { total_count: 1, repositories: [{ name: 'hello', full_name: 'octo-org/hello' }] };
  open(`/org/repositories?${OF}`, {
    network: {
      'POST /organization-repositories': refusal('notOwner'),
      'GET /user/installations/77/repositories': json(listed),
    },
  });
  expect(await screen.findAllByText('octo-org/hello')).toHaveLength(1);
});

const NOW = new Date().toISOString();
const url = 'https://github.com/octo-org/hello/settings/branches';
const bypass: Bypass = {
  ...{ state: 'some', change: 'Switch on “Do not allow bypassing the above settings”.', url },
  rules: [{ source: 'branchProtection', name: 'main', url }],
  actors: [
    {
      ...{ type: 'administrators', id: null, name: 'administrators', mode: 'always' },
      people: { total: 2, logins: ['octocat', 'mona'] },
    },
  ],
};
const checked = (name: string, known: Bypass | null) => ({
  ...{ name, defaultBranch: 'main', required: 'thisApp', bypass: known },
  rulesUrl: `https://github.com/octo-org/${name}/settings/rules`,
  checked: '2026-05-04T12:00:00Z',
});

test('an owner reads who may merge without the check, by which rule and where, and the change that closes it', async () => {
  const all = countsOf(3, { bypass: { nobody: 1, said: 0, some: 1, unknown: 1 } });
  const nobody: Bypass = { state: 'nobody', actors: [], rules: [], change: '', url: '' };
  const unknown: Bypass = { state: 'unknown', actors: [], rules: [], change: 'Ask an owner.', url: '' };
  const environments = {
    ...{ total: 23, isPrivate: true },
    first: [
      { name: 'release', isGated: true, canAdminsBypass: true },
      { name: 'beta', isGated: true, canAdminsBypass: false },
      { name: 'odd', isGated: true, canAdminsBypass: null },
      { name: 'staging', isGated: false, canAdminsBypass: true },
      { name: 'pr-1', isGated: null, canAdminsBypass: true },
    ],
  };
  const hidden = { total: null, first: [], isPrivate: false };
  const repositories = [
    checked('hello', bypass),
    { ...checked('sealed', nobody), environments },
    { ...checked('vault', unknown), environments: hidden },
  ];
  const answers = {
    'POST /organization': json({ ...(await organization().json()), findings: [], weakenings: [] }),
    'POST /organization-health': json(healthOf(NOW, {}, all)),
    'POST /organization-repositories': (body: unknown) => {
      const { state } = body as { state: string };
      const shown = state === 'bypass' ? repositories.slice(0, 1) : repositories;
      const findings = repositoryFindings(all);
      return Response.json({ findings, counts: all, matches: shown.length, repositories: shown, next: null });
    },
  };
  open(`/org?${OF}`, { network: answers });
  await screen.findByRole('heading', { name: 'Protected, except from 2 administrators' });
  const tile = within(
    screen.getByRole('heading', { name: /Who can go around/ }).closest('li') as HTMLElement,
  );
  expect(tile.getByText('2 administrators').parentElement?.textContent).toBe('2 administrators can bypass');
  expect(['octocat', 'mona'].map((login) => tile.getByTitle(login).textContent?.trim())).toEqual([
    'octocat',
    'mona',
  ]);
  const close = tile.getByRole('link', { name: /^Close ?: Close the bypasses in 1 repository$/ });
  expect(close.getAttribute('href')).toBe(`/org/repositories?${OF}&state=bypass`);

  open(`/org/repositories?${OF}`, { network: answers });
  const rows = async (name: string) => (await screen.findByRole('link', { name })).closest('tr');
  expect((await rows('hello'))?.textContent).toContain('2 administrators');
  expect((await rows('sealed'))?.textContent).toContain('Nobody');
  expect((await rows('vault'))?.textContent).toContain('Not readable yet');
  const ofSealed = screen.getByText(/^OTP Guard's rule is on in 3 of 23 environments/).closest('details');
  for (const text of [
    'release: the rule is on. Administrators can start jobs without an approval.',
    "beta: the rule is on, and administrators can't bypass it.",
    "odd: the rule is on. GitHub doesn't say whether administrators can start jobs without an approval.",
    "staging: jobs don't wait for OTP Guard.",
    "OTP Guard doesn't know the rules of 19 more.",
    "The repository isn't public: without GitHub Enterprise, GitHub ignores the rule.",
  ])
    expect(ofSealed?.textContent).toContain(text);
  expect(ofSealed?.querySelector('a')?.href).toBe('https://github.com/octo-org/sealed/settings/environments');
  expect(screen.getAllByText("GitHub doesn't show its environments to OTP Guard.")).toHaveLength(1);
  const details = screen.getByText(/^Who may bypass, and what closes it/).closest('details');
  expect(details?.textContent).toContain('The check is required by branch protection. Into main of hello');
  expect(details?.textContent).toContain('Switch on “Do not allow bypassing the above settings”.');
  expect(
    within(details as HTMLElement)
      .getByRole('link')
      .getAttribute('href'),
  ).toBe(url);
  const letSee = screen.getByText(/^How to let OTP Guard check/).closest('details');
  expect(letSee?.textContent).toContain('Ask an owner.');
});

const hidden = (name: string, ids: number[]): object => ({
  ...checked(name, { ...{ state: 'unknown', actors: [], rules: [], change: '', url: '' }, hidden: ids }),
  said: null,
});

test('an owner reads who may bypass with a command of gh, and hands in what it prints', async () => {
  const repositories = [hidden('hello', [7, 8]), hidden('web', [7])];
  const all = countsOf(2, { bypass: { nobody: 0, said: 0, some: 0, unknown: 2 } });
  const answers: unknown[] = [
    {
      filled: 12,
      repositories: [
        { name: 'hello', defaultBranch: 'main', bypass },
        { name: 'web', defaultBranch: 'main', bypass: { ...bypass, state: 'nobody', actors: [] } },
      ],
    },
    { filled: 0, repositories: [] },
  ];
  const { requests } = open(`/org/repositories?${OF}&state=bypassUnknown`, {
    network: {
      'POST /organization': organization,
      'POST /organization-repositories': json({
        findings: [],
        counts: all,
        matches: 2,
        repositories,
        next: null,
      }),
      'POST /bypass-lists': () =>
        answers.length === 2 && refused ? refusal('malformed')() : Response.json(answers.shift()),
    },
  });
  let refused = true;
  const command = await screen.findByText(/^gh api/);
  const jq = "--jq '{id,updated_at,bypass_actors}|@json'";
  expect(command.textContent).toBe(
    `gh api repos/octo-org/web/rulesets/7 ${jq}; gh api repos/octo-org/hello/rulesets/8 ${jq}`,
  );
  const field = screen.getByLabelText('What the command printed') as HTMLTextAreaElement;
  fireEvent.change(field, { target: { value: 'printed' } });
  fireEvent.click(screen.getByRole('button', { name: 'Hand in the lists' }));
  await screen.findByRole('alert');
  expect(field.value).toBe('printed');
  refused = false;
  fireEvent.click(screen.getByRole('button', { name: 'Hand in the lists' }));
  // A busy machine may take a minute.
  await screen.findByText(/^Read by octocat .*; nothing was kept but the list\.$/);
  const said = screen.getByText(/^Read by octocat/).closest('[role=status]');
  expect(said?.textContent).toContain(
    'hello: Administrators of the repository (octocat and mona) may bypass.',
  );
  expect(said?.textContent).toContain('web: nobody may bypass.');
  expect(said?.textContent).toContain('10 more repositories follow in a moment.');
  expect(requests.find(({ call }) => call === 'POST /bypass-lists')?.body).toMatchObject({
    ...{ org: 'octo-org', orgID: 9919, text: 'printed' },
  });
  fireEvent.change(field, { target: { value: 'old' } });
  fireEvent.click(screen.getByRole('button', { name: 'Hand in the lists' }));
  await screen.findByText(/^None of these lists is missing here\./);
});

test('what only an owner says about a repository isn’t green, and names them', async () => {
  const nobody: Bypass = { state: 'nobody', actors: [], rules: [], change: '', url: '' };
  const said = { login: 'octocat', at: NOW };
  const repositories = [
    { ...checked('hello', nobody), said },
    { ...checked('web', nobody), said: null },
  ];
  const answer = { findings: [], counts: countsOf(2), matches: 2, repositories, next: null };
  const network = { 'POST /organization': organization, 'POST /organization-repositories': json(answer) };
  open(`/org/repositories?${OF}`, { network });
  const row = async (name: string) => (await screen.findByRole('link', { name })).closest('tr');
  // The tests before it can take a minute.
  expect((await row('hello'))?.textContent).toMatch(/NobodyRead by octocat (just now|\d+ minutes? ago)/);
  const status = async (name: string) =>
    (await row(name))?.querySelector('[data-column=Bypass] .marked')?.className.replace('marked ', '');
  expect([await status('hello'), await status('web')]).toEqual(['attention', 'ok']);
});

test('/org without an organization opens the person’s only one', async () => {
  open('/org', { person: { ...record, expand: { org_members_via_user: [membership('admin')] } } });
  await screen.findByRole('heading', { level: 1, name: 'Overview' });
  expect(window.location.search).toBe(`?${OF}`);
});

test('the overview says how many wait as the bar does, and when it counted', async () => {
  let total = 5;
  const waiting = () => ({ total, asOf: new Date(Date.now()).toISOString(), pulls: [], next: null });
  const { members, installation } = await organization().json();
  const known = { name: 'octo-org', role: 'admin', accountType: 'Organization', findings: [] };
  const network = {
    'POST /organization': () => Response.json({ ...known, members, installation, waiting: waiting() }),
    'POST /organization-pulls': () => Response.json(waiting()),
    'POST /inbox': () => Response.json({ ...emptyInbox, forYou: total }),
  };
  open(`/org?${OF}`, { network });
  await screen.findByText(/^5 pull requests are waiting for approval\./);
  await screen.findByRole('link', { name: '5 pull requests wait for you' });
  window.localStorage.setItem('gh_accessTokenExpiry', String(Date.now() + 60 * 60_000));
  const later = Date.now() + 3 * 60_000;
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => later);
  total = 115;
  fireEvent.focus(window);
  await screen.findByRole('link', { name: '115 pull requests wait for you' });
  await screen.findByText(/^115 pull requests are waiting for approval\./);
  expect(screen.getByText(/^Counted/).textContent).toBe('Counted just now');
  clock.mockRestore();
});

test('while the App is suspended, the overview has no part that can’t load', async () => {
  const answer = { ...(await organization().json()), members: null, findings: [SUSPENDED], waiting: null };
  const installation = { ...answer.installation, suspended: true };
  const { expand, ...role } = membership('admin');
  const suspended = { ...role, expand: { org: { ...expand.org, suspended: true } } };
  open(`/org?${OF}`, {
    person: { ...record, expand: { org_members_via_user: [suspended] } },
    network: { 'POST /organization': json({ ...answer, installation }) },
  });
  await screen.findByRole('heading', { name: 'Not protected' });
  await screen.findByRole('heading', { name: 'Your authenticators' });
  await waitFor(() => expect(document.querySelectorAll('main [aria-busy=true]')).toHaveLength(0));
  expect(screen.queryByRole('heading', { name: /^(People|Waiting for approval)$/ })).toBeNull();
});

test('before GitHub’s list of members, the members’ page says why it’s short', async () => {
  const { members: counts, ...known } = await organization().json();
  const unread = { ...counts, asOf: null };
  const of = (accountType: string) => ({
    'POST /organization': json({ ...known, accountType, members: unread }),
    'POST /organization-members': members,
  });
  open(`/org/members?${OF}`, { network: of('Organization') });
  await screen.findByText('OTP Guard is reading the list of members from GitHub.');
  open(`/org/members?${OF}`, { network: of('User') });
  expect(await screen.findByText(/^GitHub has no list of members for a personal account\./)).toBeTruthy();
});

test.each([
  [7, 1],
  [6, 0],
])('approvals on %i days have %i strips', async (count, charts) => {
  const days = Array.from({ length: 30 }, (_, index) => ({
    ...{ day: `2026-05-${String(index + 1).padStart(2, '0')}`, approvals: index < count ? 2 : 0 },
    medianSeconds: index < count ? 60 : null,
  }));
  const statistics = json({ days, approvals: 2 * count, medianSeconds: null });
  const pulls = json({ total: 0, asOf: new Date().toISOString(), pulls: [], next: null });
  open(`/org/pulls?${OF}`, {
    network: { 'POST /organization-pulls': pulls, 'POST /organization-statistics': statistics },
  });
  await screen.findByText(`${2 * count} approvals in the last 30 days.`);
  expect(
    screen.queryAllByRole('img', { name: /^Median time until the first approval by day\. 1 May: / }),
  ).toHaveLength(charts);
  expect(screen.queryAllByText('30 May (UTC)')).toHaveLength(charts);
});

test('a full check that failed somewhere does not say that there was nothing to fix', async () => {
  const fullCheck = { at: NOW, isOverdue: false, repaired: 0, faults: ['hello'], isForAll: false };
  const health = json(healthOf(NOW, { fullCheck }, counts));
  open(`/org?${OF}`, { network: { ...network, 'POST /organization-health': health } });
  const line = await screen.findByText(/failed for hello/);
  expect(line.textContent).toMatch(/^Last full check [^;]+: it failed for hello\.$/);
});

test('setup health links to the page on GitHub on which an owner acts', async () => {
  const webhooks = { last: null, missed: 0, silentSince: null, watchSeconds: 30 };
  const permissions = { missing: [], isPending: true };
  const health = json(healthOf(NOW, { webhooks, permissions }, countsOf(0)));
  const { installation: known, ...rest } = await organization().json();
  const settingsUrl = 'https://github.com/organizations/octo-org/settings/installations/77';
  const answer = json({ ...rest, installation: { ...known, settingsUrl } });
  open(`/org?${OF}`, { network: { 'POST /organization': answer, 'POST /organization-health': health } });
  const summary = await screen.findByText('Setup health: 2 problems to fix.');
  expect((summary.closest('details') as HTMLDetailsElement).open).toBe(true);
  const setup = within(screen.getByRole('main'));
  const hrefOf = async (name: RegExp) => (await setup.findByRole('link', { name })).getAttribute('href');
  expect(await hrefOf(/^Choose ?: Choose repositories on GitHub/)).toBe(settingsUrl);
  expect(await hrefOf(/^Review and accept/)).toBe(settingsUrl);
  expect(await hrefOf(/^Your Apps' settings/)).toBe(
    'https://github.com/organizations/octo-org/settings/apps',
  );
});

test.each([
  [0, 'failing', 1],
  [1, 'failing', 0],
  [0, 'ok', 0],
] as const)(
  'with %i gated repositories and choices that are %s, the optional step is shown %i times',
  async (...row) => {
    const [gated, status, steps] = row;
    const environmentsUrl = 'https://github.com/octo-org/hello/settings/environments' as const;
    const gate = { gated, open: 0, unknown: 0, missing: [], isRequested: true, environmentsUrl };
    const about = { mode: 'open' as const, isChosen: status === 'ok' };
    const findings = [{ id: 'firstAuthenticator', status, about, action: '/org/policy' }];
    const answer = json({ ...(await organization().json()), findings, weakenings: [] });
    const health = json(healthOf(NOW, { gate }, countsOf(1)));
    open(`/org?${OF}`, { network: { 'POST /organization': answer, 'POST /organization-health': health } });
    await screen.findByText(/^Setup health: No/);
    const found = screen.queryAllByRole('heading', { name: 'Gate a release, if you like' });
    expect(found).toHaveLength(steps);
    for (const step of found)
      expect(step.parentElement?.querySelector('a')?.getAttribute('href')).toBe(environmentsUrl);
    // The page says it once: there, or in the setup health.
    screen.getByText(/A job with “deployment: false” fails where one is on/);
  },
);

const meta = {
  'otp-guard:github': 'https://acme.ghe.com',
  'otp-guard:github-api': 'https://api.acme.ghe.com',
};
const sso =
  (header: string, status = 200, body: object = {}) =>
  () =>
    Response.json(body, { status, headers: { 'X-GitHub-SSO': header } });
const LIST = 'GET /user/installations';
const PARTIAL = sso('partial-results; organizations=21955855, 20582480');

describe.each(['/', '/select-org?target=/register'])('organizations behind sign-on, at %s', (address) => {
  test('are named with a link to it, on the configured GitHub', async () => {
    open(address, {
      person: { ...record, expand: {} },
      meta,
      network: {
        [LIST]: PARTIAL,
        'GET /user/21955855': json({ login: 'octodocs' }),
        'GET /user/20582480': sso(
          'required; url=https://acme.ghe.com/orgs/hidden/sso?authorization_request=a',
          403,
        ),
      },
    });
    const first = await screen.findByRole('link', { name: /Single sign-on for octodocs/ });
    const second = screen.getByRole('link', { name: /Single sign-on for hidden/ });
    expect([first, second].map((link) => link.getAttribute('href'))).toEqual([
      'https://acme.ghe.com/orgs/octodocs/sso',
      'https://acme.ghe.com/orgs/hidden/sso?authorization_request=a',
    ]);
    expect(document.body.textContent).toContain('Then sign out of OTP Guard and sign in again.');
  });
});

test.each(
  [
    ['https://evil.example/orgs/a/sso', 'https://acme.ghe.com.evil.example/orgs/a/sso'],
    ['http://acme.ghe.com/orgs/a/sso', 'https://user@acme.ghe.com/orgs/a/sso'],
    ['https://acme.ghe.com/login/oauth/authorize?client_id=a', 'javascript:alert(1)//orgs/a/sso'],
    ['/orgs/a/sso'],
  ].flat(),
)('a page for single sign-on is no other link: %s', async (url) => {
  open('/', { meta, network: { [LIST]: PARTIAL, 'GET /user/21955855': sso(`required; url=${url}`, 403) } });
  await screen.findAllByText(/GitHub hides an organization until/);
  expect(screen.queryByRole('link', { name: /Single sign-on/ })).toBeNull();
});

describe('what became weaker', () => {
  const weakening = (entry: number, known: Partial<Weakening>): Weakening => ({
    ...{
      entry,
      at: new Date().toISOString(),
      by: 'octocat',
      undone: null,
      refusal: null,
      isAlone: false,
      more: 0,
    },
    change: { kind: 'ruleNotActive', isWeaker: true, subject: 'Check', before: 'is enforced', after: '' },
    text: `The rule “Check ${entry}” isn’t enforced; octocat did this.`,
    ...known,
  });
  const weakenings = [
    weakening(42, {}),
    weakening(41, { undone: new Date().toISOString(), isAlone: true }),
    weakening(40, { refusal: 'You made this change. Ask another owner to acknowledge it.' }),
  ];
  const weakened = (count: number) => [{ id: 'weakened', status: 'failing', about: { count }, action: null }];
  const answers = async (total = weakenings.length) => ({
    'POST /organization': json({
      ...{ ...(await organization().json()), findings: weakened(total), weakenings, weakeningsTotal: total },
    }),
    'POST /organization-health': json(healthOf(NOW, {}, countsOf(60))),
    'POST /acknowledge': () => new Response('ok'),
  });
  const item = (entry: number) => {
    const found = screen.getByText(new RegExp(`Check ${entry}`)).closest('li');
    return within(found as HTMLElement);
  };

  test('stands below the verdict, with before, whether it lasts, and why an owner can’t acknowledge it', async () => {
    open(`/org?${OF}`, { network: await answers() });
    const title = await screen.findByRole('heading', { name: 'Protection weakened 3 times' });
    const verdict = await screen.findByRole('heading', { name: 'Enforced, but look at what became weaker' });
    expect(verdict.compareDocumentPosition(title)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    item(42).getByText('Not undone yet.');
    expect(item(42).getByText(/^Before:/).textContent).toMatch(/^Before: is enforced\./);
    expect(item(42).getByRole('link').getAttribute('href')).toContain('/org/log?');
    expect(item(41).getByText('Undone').parentElement?.textContent).toMatch(/still to be acknowledged\.$/);
    item(41).getByText(/^You're the only owner, so you acknowledge this alone/);
    item(40).getByText(/^You made this change/);
    expect(item(40).queryByRole('button')).toBeNull();
  });

  test('says how many there are although some have no row, and lists the keys of a repository in one', async () => {
    const keys = weakening(39, {
      ...{ more: 104, text: 'hello: the deploy key “ci” can write.' },
      change: { kind: 'deployKeyAdded', isWeaker: true, repo: 'hello', subject: 'ci', before: '', after: '' },
    });
    const many = [...weakenings, ...[48, 47].map((entry) => weakening(entry, {})), keys];
    open(`/org?${OF}`, {
      network: {
        ...(await answers()),
        'POST /organization': json({
          ...{
            ...(await organization().json()),
            findings: weakened(110),
            weakenings: many,
            weakeningsTotal: 110,
          },
        }),
      },
    });
    await screen.findByRole('heading', { name: 'Protection weakened 110 times' });
    fireEvent.click(screen.getByRole('button', { name: 'Show 6 of 110' }));
    expect(screen.getByText(/the deploy key “ci” can write/).closest('p')?.textContent).toBe(
      '105 deploy keys of hello that can write, each to be acknowledged. The newest: hello: the deploy key “ci” can write.',
    );
    expect(screen.getByText('The worst are listed. Acknowledge them to see the others.')).toBeDefined();
  });

  test('is acknowledged with a one-time code, and is no longer there then', async () => {
    const { requests } = open(`/org?${OF}`, {
      person: { ...record, authenticators: { 9919: { totp: true, webauthn: [] } } },
      network: await answers(),
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Acknowledge log entry 42' }));
    item(42).getByText(/^To acknowledge log entry 42, confirm that it's you\./);
    fireEvent.change(screen.getByLabelText('One-time code'), { target: { value: '123456' } });
    await screen.findByText('You acknowledged log entry 42. The log says so.');
    screen.getByRole('heading', { name: 'Protection weakened 2 times' });
    expect(requests.find(({ call }) => call === 'POST /acknowledge')?.body).toEqual({
      ...{ org: 'octo-org', orgID: '9919', entry: 42, otp: '123456', accessToken: 'ghu_token' },
    });
  });

  test('leaves the verdict with the last acknowledged one', async () => {
    const one = { findings: weakened(1), weakenings: [weakening(42, {})], weakeningsTotal: 1 };
    open(`/org?${OF}`, {
      person: { ...record, authenticators: { 9919: { totp: true, webauthn: [] } } },
      network: {
        ...(await answers()),
        'POST /organization': json({ ...(await organization().json()), ...one }),
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Acknowledge log entry 42' }));
    fireEvent.change(screen.getByLabelText('One-time code'), { target: { value: '123456' } });
    expect(await screen.findByRole('heading', { name: 'Protected' })).toBeDefined();
  });

  test('is not signed if the server requests a signature for another entry', async () => {
    const statement = {
      ...{ v: 1, purpose: 'acknowledge', host: window.location.origin, nonce: 'n', iat: 1 },
      ...{ user: { id: record.github_id, login: record.username }, org: { id: 9919, login: 'octo-org' } },
      entry: { number: 41, leafHash: 'a' },
    };
    const { requests } = open(`/org?${OF}`, {
      person: { ...record, authenticators: { 9919: { totp: false, webauthn: [{ id: 'key' }] } } },
      network: {
        ...(await answers()),
        'POST /acknowledge-params': json({ options: { challenge: await hashOf(statement) }, statement }),
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Acknowledge log entry 42' }));
    fireEvent.click(screen.getByRole('button', { name: 'Confirm with passkey' }));
    expect(await alertText()).toMatch('a different log entry than this page shows');
    expect(requests.find(({ call }) => call === 'POST /acknowledge-params')?.body).toMatchObject({
      ...{ org: 'octo-org', orgID: '9919', entry: 42, accessToken: 'ghu_token' },
    });
    expect(requests.map(({ call }) => call)).not.toContain('POST /acknowledge');
  });
});
