import { describe, expect, test } from '@jest/globals';
import type { EnrolmentAnswer } from '../../../src/contract/enrolment.ts';
import type { Finding, RepositoryCounts } from '../../../src/contract/findings.ts';
import type { OrganizationMember } from '../../../src/contract/organization.ts';
import type { Bypass } from '../../../src/contract/protection.ts';
import {
  choiceFindings,
  repositoryFindings,
  type SetupFacts,
  SUSPENDED,
} from '../../../src/protection/findings.ts';
import { FILTERS, readPage } from '../../../web/src/features/organization/authenticators/read-page.ts';
import { aroundIn } from '../../../web/src/features/organization/bypass-texts.ts';
import { tilesOf } from '../../../web/src/features/organization/findings/tiles-of.ts';
import { setupSummary, verdictOf } from '../../../web/src/features/organization/findings/verdict-of.ts';
import { linkTextOf, paragraphsOf } from '../../../web/src/features/organization/findings/words.ts';
import {
  waitingVouchesText,
  yourAuthenticatorsText,
} from '../../../web/src/features/organization/home/home-texts.ts';
import { countText } from '../../../web/src/features/organization/list/list-card.tsx';
import {
  authenticatorsText,
  memberNotes,
  reachText,
  remindedText,
  reminderState,
} from '../../../web/src/features/organization/members/member-texts.ts';
import { approvalsText, barsOf } from '../../../web/src/features/organization/pulls/approval-times.tsx';
import { readInstallationQuery } from '../../../web/src/features/organization/repositories/repositories-page.tsx';
import {
  GithubError,
  readRepositories,
} from '../../../web/src/features/organization/repositories/use-repositories.ts';
import { troubles } from '../../support/facts-of.ts';
import { aPolicy } from '../../support/policies.ts';
import { countsOf, fakeRecordStore, healthOf } from './fixtures.ts';

const AT = '2026-05-04T12:00:00.000Z';

test.each([
  [1, 'It counts once you or another owner vouches for it. Call mona, and compare the code.'],
  [2, 'They count once you or another owner vouches for them. Call each person, and'],
])('above %d that wait for a vouch, it says “%s”', (count, text) => {
  const waiting = Array.from({ length: count }, () => ({ waitsFor: 'vouch', holder: { login: 'mona' } }));
  expect(
    waitingVouchesText({ waiting, vouchers: 'owners', vouchExistingBy: null } as EnrolmentAnswer),
  ).toContain(text);
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
    expect(memberNotes(member)).toEqual(['One is pending']);
    const none = { ...member, authenticators: 0, kinds: { passkey: 0, securityKey: 0, totp: 0 } };
    expect(authenticatorsText(none)).toBe('None');
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

/** What an owner reads below the verdict, and chooses; `isChosen` once they saved a policy. */
const choices = (change: Parameters<typeof aPolicy>[1] = {}, number = 1, members = ALL_ENROLLED) =>
  choiceFindings({ policy: aPolicy([{ require: { approvals: 2 } }], change), number }, members, 0);
const ALL_ENROLLED = { total: 4, enrolled: 4, one: 0, reachable: 0, unreachable: 0 };
const VOUCHED = { enrolment: { mode: 'vouched' } } as const;
const OPEN = { enrolment: { mode: 'open' } } as const;

describe('the verdict on an organization', () => {
  const all = countsOf(500);
  const setup = healthOf(AT).findings;
  const known = { setup, counts: all, choices: choices(VOUCHED), around: [], isSelected: false };

  const around = (some: number, unknown: number, said = 0) =>
    countsOf(500, { bypass: { nobody: 500 - some - unknown - said, said, some, unknown } });
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
  const octocat = { total: 1, logins: ['octocat'] };
  const ofOnePerson: Bypass = {
    ...bypass,
    actors: [
      { ...administrators, people: octocat },
      { ...administrators, type: 'owners', people: octocat },
      { ...administrators, type: 'deployKeys' },
    ],
  };
  const withoutLogins: Bypass = { ...bypass, actors: [administrators] };
  const hello = { name: 'hello', defaultBranch: 'main', bypass };

  const silent = { last: null, missed: 0, silentSince: null, watchSeconds: 30 };
  const lost = healthOf(AT, { webhooks: silent }).findings;
  const missing = [{ name: 'checks', level: 'write' }];
  const denied = healthOf(AT, { permissions: { missing, isPending: false } }).findings;
  const pending = healthOf(AT, { permissions: { missing: [], isPending: true } }).findings;
  const nobodyEnrolled = choices(VOUCHED, 1, { ...ALL_ENROLLED, enrolled: 0 });
  const weakened = choiceFindings({ policy: aPolicy([]), number: 0 }, null, 1);
  const firstBackup = healthOf(AT, { backup: { last: null, isLate: false } }).findings;

  type Known = Omit<Parameters<typeof verdictOf>[0], 'repositories'> & { counts: RepositoryCounts };
  test.each<[Partial<Known>, string, string]>([
    [{}, 'ok: Protected', 'All 500 repositories require the check on their default branches.'],
    [
      { choices: choiceFindings({ policy: aPolicy([]), number: 0 }, ALL_ENROLLED, 0) },
      'attention: Enforced, with 2 things left open',
      'All 500 repositories require the check',
    ],
    [{ choices: nobodyEnrolled }, 'attention: Enforced, with 1 thing left open', ''],
    [{ choices: choices(OPEN) }, 'ok: Protected as your policy says', ''],
    [{ choices: choices(VOUCHED, 1, { ...ALL_ENROLLED, enrolled: 3 }) }, 'ok: Protected', ''],
    [{ choices: nobodyEnrolled, setup: lost }, 'failing: 1 problem to fix', ''],
    [{ choices: weakened }, 'failing: Enforced, but look at what became weaker', 'All 500 repositories'],
    [{ choices: weakened, setup: pending }, 'failing: 1 problem to fix', ''],
    [{ isSelected: true }, 'ok: Protected', 'in others.'],
    [
      { counts: { ...all, notEnforced: 3, unknown: 7 } },
      'failing: Not enforced in 3 repositories',
      'Require its',
    ],
    [
      { counts: { ...all, protected: 498, anySource: 2, unknown: 7 } },
      'failing: 2 repositories accept the check from any app',
      'Set OTP Guard as the source',
    ],
    [
      { counts: { ...all, unknown: 100, unchecked: 98 } },
      "unknown: 2 repositories couldn't be checked",
      'allowed',
    ],
    [
      { counts: { ...all, protected: 9, unknown: 9, unchecked: 9 } },
      'unknown: Still checking',
      '9 of 500 repo',
    ],
    [{ counts: { ...all, total: 0 } }, 'failing: Nothing to protect yet', ''],
    [
      { counts: around(2, 0), around: aroundIn([hello, { ...hello, name: 'world' }]) },
      'failing: Protected, except from 3 administrators and 1 team',
      'In 2 of 500 repositories, GitHub lets them merge without an approval.',
    ],
    [
      { counts: around(1, 0), around: aroundIn([{ ...hello, bypass: ofOnePerson }]) },
      'failing: Protected, except from 1 administrator and deploy keys',
      'In 1 of 500 repositories',
    ],
    [
      { counts: around(1, 0), around: aroundIn([{ ...hello, bypass: openToPushes }]) },
      'failing: Protected, except from everybody who can push',
      'In 1 of 500 repositories',
    ],
    [
      { counts: around(2, 1), around: aroundIn([{ ...hello, bypass: withoutLogins }]) },
      'failing: Protected, except from administrators',
      "1 more couldn't be checked.",
    ],
    [{ counts: around(1, 0), around: null }, 'failing: Protected, with exceptions in 1 repository', ''],
    [
      { counts: around(0, 500) },
      'unknown: Bypass lists not readable yet',
      'In 500 repositories, GitHub shows only owners who may merge without the check.',
    ],
    [{ counts: around(0, 0, 3) }, 'attention: Protected, by the word of an owner', ''],
    [{ counts: around(0, 0, 3), choices: nobodyEnrolled }, 'attention: Enforced, with 1 thing left open', ''],
    [{ counts: around(0, 3), setup: lost }, 'failing: 1 problem to fix', ''],
    [{ setup: lost }, 'failing: 1 problem to fix', 'a check can be late or wrong'],
    [{ setup: firstBackup }, 'ok: Protected', ''],
    [{ setup: denied }, 'failing: Not protected everywhere', 'lacks permissions'],
    [{ setup: denied, counts: countsOf(0) }, 'failing: Not protected everywhere', 'lacks permissions'],
    [{ setup: null, choices: [SUSPENDED] }, 'failing: Not protected', 'suspended on GitHub'],
    [{ setup: null }, "unknown: Can't tell right now", ''],
  ])('with %j is “%s”', (change, verdict, text) => {
    const { counts, ...rest } = { ...known, ...change };
    const found = verdictOf({ ...rest, repositories: repositoryFindings(counts) });
    expect(`${found.status}: ${found.title}`).toBe(verdict);
    expect(found.text).toContain(text);
  });

  test.each<[Partial<Known>, string]>([
    // A tile has these.
    [{ counts: { ...all, notEnforced: 3 } }, 'undefined undefined'],
    [{ counts: countsOf(0) }, 'undefined undefined'],
    [{ choices: [SUSPENDED] }, 'installation Unsuspend it on GitHub'],
    [{ setup: lost }, '#setup What to do'],
    [{ setup: denied }, '#setup What to do'],
    [{ setup: null }, '#setup Setup health'],
  ])('with %j links to %s', (change, expected) => {
    const { counts, ...rest } = { ...known, ...change };
    const { link } = verdictOf({ ...rest, repositories: repositoryFindings(counts) });
    expect(`${link?.to} ${link?.text}`).toBe(expected);
  });
});

describe('the tiles', () => {
  const bypass = { nobody: 1, said: 0, some: 1, unknown: 1 };
  const gaps = { ...countsOf(8), protected: 3, notEnforced: 3, anySource: 1, unknown: 1, bypass };
  const unchosen = (members: Partial<typeof ALL_ENROLLED> = {}) =>
    choiceFindings({ policy: aPolicy([]), number: 0 }, { ...ALL_ENROLLED, ...members }, 1);
  const actors: Bypass['actors'] = [
    {
      ...{ type: 'administrators', id: null, name: '', mode: 'always' },
      people: { total: 2, logins: ['octocat', 'mona'] },
    },
  ];
  const open: Bypass = { state: 'some', rules: [], change: '', url: '', actors };
  const around = aroundIn([{ name: 'hello', defaultBranch: 'main', bypass: open }]);
  const show = (counts: RepositoryCounts, choices: Finding[], who = around) =>
    tilesOf({ repositories: repositoryFindings(counts), choices, around: who }).map(
      ({ title, status, count, noun, value, max, link }) =>
        `${title} ${status}: ${count} ${noun} ${value}/${max} ${link?.verb ?? '-'} ${link?.to ?? ''}`.trim(),
    );

  test('have each a number, a bar and one thing to do while something is open', () => {
    const members = { enrolled: 1, one: 1, unreachable: 3 };
    expect(show(gaps, unchosen(members))).toEqual([
      'Repositories failing: 3 of 8 require the check 3/8 Require it /org/roll-out',
      'People attention: 1 of 4 can approve 1/4 Invite /org/members?state=missing',
      'Who can go around failing: 2 administrators can bypass 1/8 Close /org/repositories?state=bypass',
      'Choices failing: 0 of 2 made 0/2 Decide /org/policy',
    ]);
    const tiles = tilesOf({ repositories: repositoryFindings(gaps), choices: unchosen(members), around });
    expect(tiles.map(({ texts }) => texts)).toEqual([
      ['1 repository accepts the check from any app', "1 repository couldn't be checked"],
      ['1 with a single authenticator'],
      ['In 1 repository', 'Shown to owners only in 1 repository'],
      ['A GitHub sign-in is enough to enrol', 'Authors can approve their own'],
    ]);
    expect(tiles[2]?.faces).toEqual(['octocat', 'mona']);
    expect(tiles.map(({ link }) => link?.text)).toEqual([
      'Require the check in 3 repositories',
      'Invite 3 members to register an authenticator',
      'Close the bypasses in 1 repository',
      'Decide how members enrol',
    ]);
  });

  test('are green once all is done, also what an owner left open on purpose', () => {
    expect(show(countsOf(9), choices(OPEN), [])).toEqual([
      'Repositories ok: 9 of 9 require the check 9/9 -',
      'People ok: 4 of 4 can approve 4/4 -',
      'Who can go around ok: Nobody can bypass 9/9 -',
      'Choices ok: 2 of 2 made 2/2 -',
    ]);
  });

  test.each<[string, Partial<RepositoryCounts>, number, string]>([
    [
      'what only an owner says',
      { bypass: { nobody: 2, said: 1, some: 0, unknown: 0 } },
      2,
      'attention: Nobody can bypass 3/3 -',
    ],
    [
      'hidden lists',
      { bypass: { nobody: 2, said: 0, some: 0, unknown: 1 } },
      2,
      'unknown: Not readable yet  2/3 Read them /org/repositories?state=bypassUnknown',
    ],
    [
      'no repository that requires it',
      { protected: 0, notEnforced: 3, bypass: { nobody: 0, said: 0, some: 0, unknown: 0 } },
      2,
      'unknown: –  0/3 -',
    ],
    [
      'repositories to check',
      { protected: 1, unknown: 2, unchecked: 2 },
      0,
      'unknown: 1 of 3 require the check 1/3 -',
    ],
    [
      'unreadable repositories',
      { protected: 1, unknown: 2 },
      0,
      'unknown: 1 of 3 require the check 1/3 Show them /org/repositories?state=unknown',
    ],
    [
      'no repository',
      { total: 0, protected: 0 },
      0,
      'failing: 0 of 0 require the check 0/0 Choose installation',
    ],
    [
      'nobody in what was checked so far',
      { protected: 1, unknown: 2, unchecked: 2, bypass: { nobody: 1, said: 0, some: 0, unknown: 0 } },
      2,
      'unknown: Nobody can bypass 1/3 -',
    ],
  ])('are never green with %s', (_what, change, which, expected) => {
    const tile = show({ ...countsOf(3), ...change }, choices(), [])[which];
    expect(tile?.replace(/^(Repositories|Who can go around) /, '')).toBe(expected);
  });

  test('say nothing of what couldn’t be read', () => {
    const tiles = tilesOf({
      repositories: null,
      choices: choiceFindings({ policy: aPolicy([]), number: 1 }, null, 0),
      around: null,
    });
    expect(tiles.map(({ status, count }) => `${status} ${count}`)).toEqual([
      'unknown –',
      'attention –',
      'unknown –',
      'ok 2 of 2',
    ]);
    expect(tiles[1]?.texts).toEqual(['GitHub has listed no members yet']);
  });
});

test.each([
  [{ waiting: 0, unblocked: 0 }, ['No pull requests wait for approval, so']],
  [{ waiting: 1, unblocked: 0 }, ['1 open pull request waits for approval, all where the check is required']],
  [{ waiting: 10_000, unblocked: 0, isComplete: false }, ['At least 10,000 open pull requests wait for']],
  [{ waiting: 9, unblocked: 1 }, ['today, 1 open pull request would have to wait for approval.']],
  [{ waiting: 9, unblocked: 9, isComplete: false }, ['today, at least 9 open pull requests would have to']],
  [{ waiting: 9, unblocked: 9, stuck: 2 }, ['9 open', "2 of them couldn't be approved"]],
  [{ waiting: 9, unblocked: 9, stuck: null }, ['9 open', "We can't tell whether enough people"]],
  [{ waiting: 9, unblocked: 0, stuck: null }, ['9 open']],
])('of a roll-out with %j an owner reads %j', (facts, texts) => {
  const about = { isComplete: true, stuck: 0, ...facts };
  const read = paragraphsOf({ id: 'rollOut', status: 'ok', about, action: null });
  expect(read).toEqual(texts.map((text) => expect.stringContaining(text)));
});

describe('the strip of approvals', () => {
  const days = [2, 0, 4, 4, 1].map((approvals, index) => ({
    day: `2026-05-0${index + 1}`,
    approvals,
    medianSeconds: [3600, null, 7200, 1800, null][index] ?? null,
  }));

  test('has something to see for a time of less than a minute, and nothing for a day without one', () => {
    const times = days.map((day, index) => (index === 0 ? { ...day, medianSeconds: 0 } : day));
    const bars = barsOf(times);
    expect(bars.map(({ day, y, height }) => [day.at(-1), y, height])).toEqual([
      ['1', 97, 3],
      ['3', 0, 100],
      ['4', 75, 25],
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

const server = { version: '3.19.2', isUnchecked: false, hasMergeGroups: true };
const permissions = { missing: [], isPending: false };
const webhooks = { last: AT, missed: 0, silentSince: null, watchSeconds: 30 };
const fullCheck = { at: AT, isOverdue: false, repaired: 2, faults: [], isForAll: false };
const ENVIRONMENTS = 'https://github.com/octo-org/hello/settings/environments' as const;
const GATE = {
  ...{ gated: 2, open: 0, unknown: 0, missing: [], isRequested: true },
  environmentsUrl: ENVIRONMENTS,
};
const UNGRANTED = [
  { name: 'merge_queues', level: 'read' },
  { name: 'something', level: 'else' },
];

test.each<[Partial<SetupFacts>, string[], string | null]>([
  [{ fullCheck }, [], null],
  [{ permissions: { ...permissions, missing: UNGRANTED } }, ['permissions failing'], 'installation'],
  [{ permissions: { ...permissions, isPending: true } }, ['permissions failing'], 'installation'],
  [{ webhooks: { ...webhooks, last: null } }, ['webhooks failing'], 'apps'],
  [{ webhooks: { ...webhooks, missed: 1 } }, ['webhooks failing'], 'apps'],
  [{ webhooks: { ...webhooks, silentSince: AT } }, ['webhooks failing'], 'apps'],
  [{ enterpriseServer: server }, [], null],
  [{ enterpriseServer: { ...server, isUnchecked: true } }, ['enterpriseServer unknown'], null],
  [{ enterpriseServer: { ...server, hasMergeGroups: false } }, ['enterpriseServer unknown'], null],
  [{ lostAuthenticators: { approvals: 2 } }, ['lostAuthenticators failing'], null],
  [{ proxy: {} }, ['proxy failing'], null],
  [{ backup: { last: null, isLate: false } }, ['backup unknown'], null],
  [{ backup: { last: AT, isLate: true } }, ['backup failing'], null],
  [{ fullCheck: { ...fullCheck, faults: ['hello'] } }, ['fullCheck failing'], 'installation'],
  [{ fullCheck: { ...fullCheck, isOverdue: true } }, ['fullCheck failing'], null],
  [{ fullCheck: null }, ['fullCheck failing'], null],
  [{ gate: GATE }, [], null],
  [{ gate: { ...GATE, open: 1 } }, ['gate attention'], '/org/repositories'],
  [{ gate: { ...GATE, unknown: 1 } }, ['gate unknown'], '/org/repositories'],
  [{ gate: { ...GATE, gated: 0 } }, ['gate attention'], ENVIRONMENTS],
  [{ gate: { ...GATE, gated: 0, missing: UNGRANTED } }, ['gate attention'], 'installation'],
  [{ gate: { ...GATE, gated: 0, missing: UNGRANTED, isRequested: false } }, ['gate attention'], null],
])('of the setup with %j, %j is out of order, with a text', (facts, expected, action) => {
  const { findings } = healthOf(AT, facts);
  expect(troubles(findings)).toEqual(expected);
  expect(findings.find(({ status }) => status !== 'ok')?.action ?? null).toBe(action);
  for (const finding of findings) expect(paragraphsOf(finding)).not.toEqual([]);
});

describe('the summary of the setup', () => {
  test.each<[string, Partial<SetupFacts>, string]>([
    ['there are no problems', {}, 'No problems found.'],
    ['one thing is wrong', { fullCheck: null }, '1 problem to fix.'],
    [
      'several things are wrong',
      { permissions: { ...permissions, isPending: true }, fullCheck: null },
      '2 problems to fix.',
    ],
  ])('says so if %s', (_, known, text) => {
    expect(setupSummary(healthOf(AT, known).findings)).toBe(text);
  });
});

describe('the texts of the setup section', () => {
  const lastTexts = (change: Partial<NonNullable<SetupFacts['fullCheck']>>) =>
    healthOf(AT, { fullCheck: { ...fullCheck, ...change } })
      .findings.flatMap(paragraphsOf)
      .join(' ');

  test('say what an environment lacks, and who adds it', () => {
    const textsOf = (change: Partial<typeof GATE>) => {
      const finding = healthOf(AT, { gate: { ...GATE, ...change } }).findings.at(-1);
      return finding ? [...paragraphsOf(finding), linkTextOf(finding)].join(' ') : '';
    };
    expect(textsOf({ open: 1, unknown: 1 })).toMatch(
      /^OTP Guard's rule is on in environments of 2 repositories\. In 1 repository, administrators can start .* OTP Guard can't tell for all environments of 1 repository\. .*“deployment: false” fails .* Show the environments$/,
    );
    expect(textsOf({ gated: 0 })).toMatch(/^A release can wait .* Environments on GitHub$/);
    const missing = [{ name: 'actions', level: 'read' }] as never;
    expect(textsOf({ gated: 0, missing })).toMatch(
      /isn't allowed to read actions yet\. An owner has to accept that\..* Review and accept$/,
    );
    expect(textsOf({ gated: 0, missing, isRequested: false })).toContain(
      'Ask the operator of OTP Guard to add',
    );
  });

  test('name the missing permissions and the repositories that the full check failed for', () => {
    const [lacks] = healthOf(AT, { permissions: { ...permissions, missing: UNGRANTED } }).findings;
    expect(lacks && paragraphsOf(lacks)[0]).toBe(
      "The App isn't allowed to read merge queues or else something.",
    );
    expect(lastTexts({ faults: ['hello', 'world'], repaired: 0 })).toContain(
      'it failed for hello and world. ',
    );
    expect(lastTexts({ faults: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] })).toContain(
      'it failed for a, b, c, d, e, and 2 more. It fixed 2 checks in others.',
    );
    expect(lastTexts({ faults: ['*', 'hello'], isForAll: true })).toContain(
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
