import { describe, expect, test } from '@jest/globals';
import type { EnrolmentAnswer } from '../../../src/contract/enrolment.ts';
import type { OrganizationMember, ProtectionPart } from '../../../src/contract/organization.ts';
import type { OrganizationHealth, RepositoryCounts } from '../../../src/contract/organization-health.ts';
import type { Bypass } from '../../../src/contract/protection.ts';
import type { RollOutAnswer } from '../../../src/contract/roll-out.ts';
import { FILTERS, readPage } from '../../../web/src/features/organization/authenticators/read-page.ts';
import { aroundIn } from '../../../web/src/features/organization/bypass-texts.ts';
import { approvalsText, barsOf } from '../../../web/src/features/organization/home/approvals-chart.tsx';
import {
  membersAtRiskText,
  membersText,
  waitingVouchesText,
  yourAuthenticatorsText,
} from '../../../web/src/features/organization/home/home-texts.ts';
import { nextSteps } from '../../../web/src/features/organization/home/next-steps.ts';
import { verdictOf } from '../../../web/src/features/organization/home/verdict-of.ts';
import { countText } from '../../../web/src/features/organization/list/list-card.tsx';
import {
  authenticatorsText,
  memberNotes,
  reachText,
  remindedText,
  reminderState,
} from '../../../web/src/features/organization/members/member-texts.ts';
import { readInstallationQuery } from '../../../web/src/features/organization/repositories/repositories-page.tsx';
import {
  GithubError,
  readRepositories,
} from '../../../web/src/features/organization/repositories/use-repositories.ts';
import { waitingNowText } from '../../../web/src/features/organization/roll-out/roll-out-texts.ts';
import {
  faultsText,
  missingPermissionsText,
  setupParts,
} from '../../../web/src/features/organization/setup/setup-parts.ts';
import { requiredSummary, setupSummary } from '../../../web/src/features/organization/setup/summaries.ts';
import { countsOf, fakeRecordStore, healthOf } from './fixtures.ts';

const AT = '2026-05-04T12:00:00.000Z';
const NOW = Date.parse(AT) + 3 * 60_000;

test.each([
  [{ total: 40, enrolled: 38 }, '38 of 40 members have an authenticator.'],
  [{ total: 40, enrolled: 1 }, '1 of 40 members has an authenticator.'],
  [{ total: 40, enrolled: 40 }, 'All 40 members have an authenticator.'],
  [{ total: 2, enrolled: 2 }, 'Both members have an authenticator.'],
  [{ total: 1, enrolled: 1 }, 'The only member has an authenticator.'],
  [{ total: 0, enrolled: 0 }, 'GitHub lists no members.'],
])('with the members %o the organization’s home says “%s”', (members, text) => {
  expect(membersText(members)).toBe(text);
});

test.each([
  [{ one: 0, pending: 0 }, ''],
  [{ one: 1, pending: 0 }, '1 has only one: losing it locks them out.'],
  [
    { one: 3, pending: 2 },
    '3 have only one: losing it locks them out. 2 have one that waits for confirmation.',
  ],
])('with %o an owner reads “%s”', (members, text) => {
  expect(membersAtRiskText(members)).toBe(text);
});

test.each([
  [1, 'It counts once somebody vouches for it.'],
  [2, 'They count once somebody vouches for them.'],
])('above %d that wait for a vouch, it says “%s”', (count, text) => {
  const waiting = Array.from({ length: count }, () => ({ waitsFor: 'vouch' }));
  expect(waitingVouchesText({ waiting, vouchExistingBy: null } as EnrolmentAnswer)).toContain(text);
});

describe('the line about a member', () => {
  const member: OrganizationMember = {
    ...{
      id: 7,
      login: 'mona',
      role: 'member',
      enrolled: true,
      signedIn: true,
      hasAddress: true,
      address: '',
    },
    ...{ authenticators: 3, pending: true, kinds: { passkey: 2, securityKey: 0, totp: 1 } },
    ...{ lastApproval: null, reminded: null },
  };

  test('has their authenticators, and warnings about them', () => {
    expect(authenticatorsText(member)).toBe('2 passkeys, authenticator app');
    expect(memberNotes(member)).toEqual(['One waits for confirmation']);
    const none = { ...member, authenticators: 0, kinds: { passkey: 0, securityKey: 0, totp: 0 } };
    expect(authenticatorsText(none)).toBe('No authenticator');
    expect(memberNotes({ ...member, authenticators: 1, pending: false })).toEqual([
      'Only one: losing it locks them out',
    ]);
  });

  test.each([
    [{ hasAddress: true, reminded: null }, 'possible'],
    [{ hasAddress: false, reminded: null }, 'no-address'],
    [{ hasAddress: true, reminded: '2026-05-01T12:00:00Z' }, 'sent'],
    [{ hasAddress: true, reminded: '2026-04-01T12:00:00Z' }, 'possible'],
  ])('with %o, a reminder is %s', (change, state) => {
    expect(reminderState({ ...member, ...change }, Date.parse('2026-05-04T12:00:00Z'))).toBe(state);
  });

  test.each([
    [{ sent: 3, withoutAddress: 0, already: 0 }, "We're sending 3 e-mails."],
    [
      { sent: 0, withoutAddress: 1, already: 2 },
      'We sent no e-mail. 1 member has no confirmed address. Copy a message for them. 2 got one in the last seven days.',
    ],
  ])('is true after a reminder to all: %o', (answer, text) => {
    expect(remindedText(answer)).toBe(text);
  });
});

test.each([
  [
    { reachable: 5, unreachable: 297 },
    '5 of them have a confirmed e-mail address. Copy a message for the other 297.',
  ],
  [{ reachable: 1, unreachable: 1 }, 'has a confirmed e-mail address. Copy a message for the other one.'],
  [{ reachable: 0, unreachable: 302 }, 'and no confirmed e-mail address. Copy a message for them.'],
  [{ reachable: 2, unreachable: 0 }, '2 members have no authenticator, and we can send each an e-mail.'],
  [{ reachable: 1, unreachable: 0 }, '1 member has no authenticator, and we can send them an e-mail.'],
  [
    { reachable: 2, unreachable: 3, sendsMail: false },
    'This server sends no e-mail, so copy a message for them.',
  ],
])('before a reminder, with %j an owner reads “%s”', (members, text) => {
  expect(reachText({ sendsMail: true, ...members })).toContain(text);
});

describe('the verdict on an organization', () => {
  const installation = { id: 1, settingsUrl: '', repositorySelection: 'all' as const, suspended: false };
  const health = healthOf(AT);
  const all = countsOf(500);
  const known = { installation, health, counts: all, around: [], protection: [], weakened: 0 };
  const open = (part: ProtectionPart['part'], isSettled: boolean): ProtectionPart => ({
    ...{ part, isSettled, isOpen: true, text: '', decision: '' },
  });

  const around = (some: number, unknown: number) =>
    countsOf(500, { bypass: { nobody: 500 - some - unknown, some, unknown } });
  const people = { total: 3, logins: ['octocat', 'mona', 'hubot'] };
  const administrators = { type: 'administrators' as const, id: null, name: '', mode: 'always' as const };
  const bypass: Bypass = {
    ...{ state: 'some', rules: [], change: '', url: '' },
    actors: [
      { ...administrators, people },
      { type: 'team', id: 4, name: 'release', mode: 'pullRequest' },
    ],
  };
  const pushers = { type: 'pushers' as const, id: null, name: '', mode: 'always' as const };
  const openToPushes: Bypass = { ...bypass, actors: [pushers] };
  const withoutLogins: Bypass = { ...bypass, actors: [administrators] };
  const hello = { name: 'hello', defaultBranch: 'main', bypass };

  const lost = { ...health, webhooks: { last: null, missed: 0, silentSince: null } };
  const denied = { ...health, permissions: { ...health.permissions, missing: ['checks: write'] } };

  test.each<[Partial<Parameters<typeof verdictOf>[0]>, string, string]>([
    [{}, 'good: Protected', 'All 500 repositories require the check on their default branches.'],
    [
      { protection: [open('firstAuthenticator', false), open('ownApprovals', false)] },
      'unknown: Enforced, with 2 things left open',
      'All 500 repositories require the check',
    ],
    [{ protection: [open('members', false)] }, 'unknown: Enforced, with 1 thing left open', ''],
    [{ protection: [open('ownApprovals', true)] }, 'good: Protected as your policy says', ''],
    [{ protection: [open('members', true)] }, 'good: Protected', ''],
    [{ protection: [open('members', false)], health: lost }, 'wrong: 1 problem to fix', ''],
    [{ installation: { ...installation, repositorySelection: 'selected' } }, 'good: Protected', 'in others.'],
    [
      { counts: { ...all, notEnforced: 3, unknown: 7 } },
      'wrong: Not enforced in 3 repositories',
      'Require its',
    ],
    [
      { counts: { ...all, protected: 498, anySource: 2, unknown: 7 } },
      'wrong: Any source will do in 2 repositories',
      'Set OTP Guard as the source',
    ],
    [
      { counts: { ...all, unknown: 100, unchecked: 98 } },
      "unknown: Can't tell for 2 repositories",
      'allowed',
    ],
    [
      { counts: { ...all, protected: 9, unknown: 9, unchecked: 9 } },
      "unknown: Can't tell yet",
      '9 of 500 repo',
    ],
    [{ counts: { ...all, total: 0 } }, 'wrong: Nothing to protect yet', ''],
    [
      { counts: around(2, 0), around: aroundIn([hello, { ...hello, name: 'world' }]) },
      'wrong: Protected, except from 3 administrators and 1 team',
      'In 2 of 500 repositories, GitHub lets them merge without an approval.',
    ],
    [
      { counts: around(1, 0), around: aroundIn([{ ...hello, bypass: openToPushes }]) },
      'wrong: Protected, except from everybody who can push',
      'In 1 of 500 repositories',
    ],
    [
      { counts: around(2, 1), around: aroundIn([{ ...hello, bypass: withoutLogins }]) },
      'wrong: Protected, except from administrators',
      "We can't tell for 1 more.",
    ],
    [{ counts: around(1, 0), around: null }, 'wrong: Protected, with exceptions in 1 repository', ''],
    [
      { counts: around(0, 500) },
      "unknown: Can't tell who may bypass",
      'in 500 repositories. For branch protection, grant the App “Administration: read”.',
    ],
    [{ counts: around(0, 3), health: lost }, 'wrong: 1 problem to fix', ''],
    [{ health: lost }, 'wrong: 1 problem to fix', 'a check can be late or wrong'],
    [{ health: denied }, 'wrong: Not protected everywhere', 'lacks permissions'],
    [{ installation: { ...installation, suspended: true } }, 'wrong: Not protected', 'suspended on GitHub'],
    [{ health: null }, "unknown: Can't tell right now", ''],
  ])('with %j is “%s”', (change, verdict, text) => {
    const found = verdictOf({ ...known, ...change }, NOW);
    expect(`${found.status}: ${found.title}`).toBe(verdict);
    expect(found.text).toContain(text);
  });
});

describe('what an owner does next', () => {
  const known = {
    counts: { notEnforced: 4, anySource: 1, bypass: { nobody: 0, some: 2, unknown: 1 } },
    members: { reachable: 2, unreachable: 300 },
    protection: [
      { part: 'firstAuthenticator', isSettled: false },
      { part: 'ownApprovals', isSettled: false },
      { part: 'members', isSettled: false },
    ] satisfies Parameters<typeof nextSteps>[0]['protection'],
  };

  test('begins with the check, then people, then what nobody has chosen', () => {
    expect(nextSteps(known).map(({ text, to }) => `${to}: ${text}`)).toEqual([
      '/org/roll-out: Require the check in 4 repositories',
      "/org/repositories: Set OTP Guard as the check's source in 1 repository",
      '/org/repositories: Let nobody around the check in 2 repositories',
      '/org/repositories: Let OTP Guard see who may bypass the check in 1 repository',
      '/org/members: Ask 302 members to register an authenticator',
      '/org/policy: Choose how first authenticators come in',
      '/org/policy: Choose whether authors can approve their own pull requests',
    ]);
  });

  test('is nothing once all is done or chosen, and leaves out members before GitHub listed them', () => {
    const protection = known.protection.map(({ part }) => ({ part, isSettled: true }));
    const counts = { notEnforced: 0, anySource: 0, bypass: { nobody: 9, some: 0, unknown: 0 } };
    expect(nextSteps({ counts, members: { reachable: 0, unreachable: 0 }, protection })).toEqual([]);
    expect(nextSteps({ ...known, counts, protection, members: null })).toEqual([]);
  });
});

test.each([
  [{ waiting: 0, unblocked: 0 }, 'No pull requests wait for approval, so'],
  [{ waiting: 1, unblocked: 0 }, '1 open pull request waits for approval, all where the check is required'],
  [{ waiting: 10_000, unblocked: 0, isComplete: false }, 'At least 10,000 open pull requests wait for'],
  [{ waiting: 9, unblocked: 1 }, 'today, 1 open pull request would have to wait for approval.'],
  [{ waiting: 9, unblocked: 9, isComplete: false }, 'today, at least 9 open pull requests would have to'],
])('of a roll-out with %j an owner reads “%s”', (answer, text) => {
  expect(waitingNowText({ isComplete: true, ...answer } as RollOutAnswer)).toContain(text);
});

describe('the chart of approvals', () => {
  const days = [2, 0, 4, 4, 1].map((approvals, index) => ({
    day: `2026-05-0${index + 1}`,
    approvals,
    medianSeconds: [3600, null, 7200, 1800, null][index] ?? null,
  }));

  test('has a bar for each day with approvals, as high as its share of the most', () => {
    const bars = barsOf(days, ({ approvals }) => approvals || null);
    expect(bars.map(({ day, y, height }) => [day.at(-1), y, height])).toEqual([
      ['1', 50, 50],
      ['3', 0, 100],
      ['4', 0, 100],
      ['5', 75, 25],
    ]);
  });

  test('has something to see for a time of less than a minute, and nothing for a day without one', () => {
    const times = days.map((day, index) => (index === 0 ? { ...day, medianSeconds: 0 } : day));
    const bars = barsOf(times, ({ medianSeconds }) => medianSeconds);
    expect(bars.map(({ day, height }) => [day.at(-1), height])).toEqual([
      ['1', 3],
      ['3', 100],
      ['4', 25],
    ]);
  });

  test.each([
    [0, null, 'No approvals in the last 5 days.'],
    [1, null, '1 approval in the last 5 days.'],
    [
      1234,
      129_600,
      '1,234 approvals in the last 5 days. Half of the pull requests got their first one within 1.5 days.',
    ],
  ])('says of %d approvals with the median %s: “%s”', (approvals, medianSeconds, text) => {
    expect(approvalsText({ days, approvals, medianSeconds })).toBe(text);
  });
});

test.each([
  [{ matches: 302, all: null, isFiltered: false }, '302 members'],
  [{ matches: 37, all: 302, isFiltered: true }, '37 of 302 members'],
  [{ matches: 1, all: null, isFiltered: true }, '1 member'],
  [{ matches: 0, all: 302, isFiltered: true }, 'No members match.'],
])('a list with %o says “%s”', (counted, text) => {
  expect(countText({ nouns: ['member', 'members'], ...counted })).toBe(text);
});

test.each([
  [false, 0, null],
  [true, 0, 'You have an authenticator app here.'],
  [true, 2, 'You have 2 passkeys or security keys and an authenticator app here.'],
])('with an authenticator app (%s) and %i keys the organization’s home says “%s”', (totp, keys, text) => {
  expect(yourAuthenticatorsText({ totp, webauthn: Array.from({ length: keys }, () => ({ id: 'a' })) })).toBe(
    text,
  );
});

describe('an organization’s authenticators', () => {
  const ORG = 'org000000000001';
  const STORED = '2026-05-04 12:00:00.000Z';
  const key = (number: number) => ({
    type: 'passkey',
    id: `key${number}`,
    created: `2026-05-04 12:00:${number}.000Z`,
  });
  const answer = (items: object[] = [], totalItems = items.length) => ({ json: { items, totalItems } });
  const queriesOf = (requests: { url: string }[]) =>
    requests.map(({ url }) => `${url.split('/')[5]} ${new URL(url).searchParams.get('filter')}`);

  test('are one list of both collections, newest first, 20 at a time, with their number', async () => {
    const keys = Array.from({ length: 21 }, (_, index) => key(59 - index));
    const code = { id: 'code', created: '2026-05-04 12:00:58.500Z' };
    const answers = [answer(keys), answer([code]), answer([], 300), answer([], 1)];
    const { store, requests } = fakeRecordStore(answers);
    const position = { at: STORED, id: 'a' };
    const page = await readPage(store, {
      org: ORG,
      filters: { search: '', type: '' },
      before: position,
      holder: null,
      askNumbers: null,
    });
    expect(page.authenticators.map(({ id }) => id).slice(0, 4)).toEqual(['key59', 'code', 'key58', 'key57']);
    expect(page).toMatchObject({ next: { id: 'key41' }, matching: 301, total: null });
    expect(page.authenticators).toHaveLength(20);
    const before = `(created <= "${STORED}" && (created < "${STORED}" || id < "a"))`;
    expect(queriesOf(requests)).toEqual([
      `webauthn org = "${ORG}" && ${before}`,
      `totps org_id = "${ORG}" && ${before}`,
      ...[`webauthn org = "${ORG}"`, `totps org_id = "${ORG}"`],
    ]);
  });

  test.each([
    [
      '?search=mo',
      [{ user: 'u1' }, { user: 'u2' }],
      [
        'webauthn org = "o" && user = "me" && (user = "u1" || user = "u2" || label ~ "mo")',
        'totps org_id = "o" && user_id = "me" && (user_id = "u1" || user_id = "u2")',
      ],
    ],
    ['?search=blue', [], ['webauthn org = "o" && user = "me" && label ~ "blue"']],
    [
      '?search=mo&type=passkey',
      [{ user: 'u1' }],
      ['webauthn org = "o" && user = "me" && type = "passkey" && (user = "u1" || label ~ "mo")'],
    ],
    ['?search=mo&type=totp', [{ user: 'u1' }], ['totps org_id = "o" && user_id = "me" && user_id = "u1"']],
    ['?type=totp&search=%25', null, ['totps org_id = "o" && user_id = "me"']],
    [
      '?type=constructor',
      null,
      ['webauthn org = "o" && user = "me"', 'totps org_id = "o" && user_id = "me"'],
    ],
  ])('are found by %s', async (query, members, filters) => {
    const answers = Array.from({ length: 4 }, () => answer([], 3));
    const { store, requests } = fakeRecordStore([...(members ? [answer(members)] : []), ...answers]);
    const found = await readPage(store, {
      org: 'o',
      filters: FILTERS.read(query),
      before: undefined,
      holder: 'me',
      askNumbers: null,
    });
    const asked = queriesOf(requests).slice(members ? 1 : 0);
    expect(asked.slice(0, filters.length)).toEqual(filters);
    expect(found).toMatchObject({ matching: 3 * filters.length, total: null });
  });

  test.each([
    ['', 7, 2],
    ['?type=totp', 4, 1],
    ['?search=blue', 9, 2],
  ])(
    'are numbered for an owner by the server, except what a search finds: %s',
    async (query, matching, requested) => {
      const { store, requests } = fakeRecordStore(
        query.includes('search') ? [answer(), answer(), answer([], 9)] : [answer(), answer()],
      );
      const askNumbers = async () => ({ passkey: 2, 'security-key': 1, totp: 4 });
      const page = await readPage(store, {
        org: 'o',
        filters: FILTERS.read(query),
        before: undefined,
        holder: null,
        askNumbers,
      });
      expect([
        page.matching,
        page.total,
        requests.filter(({ url }) => url.includes('skipTotal')).length,
      ]).toEqual([matching, 7, requested]);
    },
  );
});

const GOOD = ['permissions good', 'webhooks good', 'backup good', 'full check good'];
const server = { version: '3.19.2', isUnchecked: false, hasMergeGroups: true };
const permissions = { missing: [], isPending: false, settingsUrl: '' };
const webhooks = { last: AT, missed: 0, silentSince: null };
const sweep = { at: AT, repaired: 2, faults: [] };

test.each<[Partial<OrganizationHealth>, string[]]>([
  [{ sweep }, []],
  [{ permissions: { ...permissions, missing: ['checks: write'] } }, ['permissions wrong']],
  [{ permissions: { ...permissions, isPending: true } }, ['permissions wrong']],
  [{ webhooks: { ...webhooks, last: null } }, ['webhooks wrong']],
  [{ webhooks: { ...webhooks, missed: 1 } }, ['webhooks wrong']],
  [{ webhooks: { ...webhooks, silentSince: AT } }, ['webhooks wrong']],
  [{ enterpriseServer: server }, ['server good']],
  [{ enterpriseServer: { ...server, isUnchecked: true } }, ['server unknown']],
  [{ enterpriseServer: { ...server, hasMergeGroups: false } }, ['server unknown']],
  [{ lostLeft: 2 }, ['lost authenticators wrong']],
  [{ isProxyUnknown: true }, ['proxy wrong']],
  [{ backup: { last: null, isLate: false } }, ['backup unknown']],
  [{ backup: { last: AT, isLate: true } }, ['backup wrong']],
  [{ sweep: { ...sweep, faults: ['octo-org/hello'] } }, ['full check wrong']],
  [{ sweep: { ...sweep, at: new Date(NOW - 61 * 60_000).toISOString() } }, ['full check wrong']],
  [{ sweep: null }, ['full check wrong']],
])('of the parts of the setup with %j, %j differ from an organization without problems', (known, differ) => {
  const statuses = setupParts(healthOf(AT, known), NOW).map(({ name, status }) => `${name} ${status}`);
  expect(statuses.filter((status) => !GOOD.includes(status))).toEqual(differ);
});

describe('the summary of the setup', () => {
  test.each<[string, Partial<OrganizationHealth>, Partial<RepositoryCounts>, string, string]>([
    ['there are no problems', {}, {}, 'good', 'No problems found.'],
    [
      'several things are wrong',
      { permissions: { ...permissions, isPending: true }, sweep: null },
      { protected: 1 },
      'wrong',
      '3 problems to fix.',
    ],
    ['there is no repository', {}, { total: 0, protected: 0 }, 'wrong', '1 problem to fix.'],
    ['one can’t be read', {}, { protected: 3, unknown: 1 }, 'unknown', "Can't tell for 1 repository."],
  ])('says so if %s', (_, known, counts, status, text) => {
    expect(setupSummary(healthOf(AT, known), countsOf(4, counts), NOW)).toEqual({ status, text });
  });
});

describe('the summary of the repositories that require the check', () => {
  test.each<[Partial<RepositoryCounts>, string, string]>([
    [{}, 'good', '4 of 4 repositories require the check.'],
    [{ protected: 1, notEnforced: 3 }, 'wrong', '1 of 4 repositories requires the check.'],
    [
      { protected: 1, unknown: 3, unchecked: 1 },
      'unknown',
      "1 of 4 repositories requires the check. 2 can't be checked. 1 isn't checked yet.",
    ],
    [
      { protected: 3, anySource: 1 },
      'wrong',
      '3 of 4 repositories require the check. 1 takes it from any source.',
    ],
    [{ total: 0, protected: 0 }, 'wrong', "OTP Guard doesn't have access to any repositories."],
  ])('for %o is %s: “%s”', (counts, status, text) => {
    expect(requiredSummary(countsOf(4, counts))).toEqual({ status, text });
  });
});

describe('the texts of the setup section', () => {
  test('name the missing permissions and the repositories that the full check failed for', () => {
    expect(missingPermissionsText(['checks: write', 'something else'])).toBe(
      "The App isn't allowed to write checks or something else.",
    );
    expect(faultsText(['octo-org/hello', 'octo-org/world'], 0)).toBe('it failed for hello and world.');
    expect(faultsText(['o/a', 'o/b', 'o/c', 'o/d', 'o/e', 'o/f', 'o/g'], 2)).toBe(
      'it failed for a, b, c, d, e, and 2 more. It fixed 2 checks in others.',
    );
    expect(faultsText(['octo-org/*', 'octo-org/hello'], 0)).toBe(
      "it failed for all of this organization's repositories.",
    );
  });
});

const raw = (name: string) => ({
  name,
  full_name: `octo-org/${name}`,
  html_url: `https://github.com/octo-org/${name}`,
  private: true,
  archived: false,
});

describe('the repositories of an installation', () => {
  const deps = {
    config: { githubApi: 'https://api.github.com' },
    accessToken: 'ghu_token',
    signal: new AbortController().signal,
  };
  const read = async (fetch: unknown) => {
    const counts: number[] = [];
    for await (const { repositories } of readRepositories({ ...deps, fetch: fetch as never }, '77'))
      counts.push(repositories.length);
    return counts;
  };

  test('are all read, and shown as they arrive', async () => {
    const github = async (url: string) => {
      const first = (Number(new URL(url).searchParams.get('page')) - 1) * 100;
      const repositories = Array.from({ length: Math.min(100, 200 - first) }, (_, at) =>
        raw(`r${first + at}`),
      );
      return Response.json({ total_count: 200, repository_selection: 'all', repositories });
    };
    expect(await read(github)).toEqual([100, 200]);
  });

  test.each([
    [401, { message: 'Bad credentials' }, 'Not authorized with GitHub'],
    [500, { message: 'x'.repeat(400) }, `GitHub said: ${'x'.repeat(300)}`],
    [502, null, 'GitHub said: status 502'],
  ])('are refused by GitHub with status %i, %j as “%s”', async (status, answer, message) => {
    await expect(read(async () => Response.json(answer, { status }))).rejects.toEqual(
      new GithubError(status, message),
    );
  });
});

describe('the address of the repositories page', () => {
  test.each([
    ['', { installation: '', justInstalled: false }],
    ['?installation=77', { installation: '77', justInstalled: false }],
    ['?installation=77&installation_id=78', { installation: '77', justInstalled: false }],
    ['?installation_id=78&setup_action=install', { installation: '78', justInstalled: true }],
    // The dashboard filled in the preferred organization.
    ['?installation=77&installation_id=78&setup_action=update', { installation: '78', justInstalled: true }],
    ['?installation=77&setup_action=request', { installation: '77', justInstalled: false }],
    ['?installation=../7', { installation: '', justInstalled: false }],
  ])('%j names %o', (search, query) => {
    expect(readInstallationQuery(search)).toEqual(query);
  });
});
