import { describe, expect, test } from '@jest/globals';
import type { CheckRequirement, OrganizationHealth } from '../../../src/contract/organization.ts';
import { checkedSummary } from '../../../web/src/features/organization/home/words.ts';
import {
  permissionsMark,
  REQUIREMENT_MARKS,
  requiredSummary,
  sweepMark,
  verdict,
  webhooksMark,
} from '../../../web/src/features/organization/setup/findings.ts';
import { addPage, readHealth, renew } from '../../../web/src/features/organization/setup/health.ts';
import {
  appsAddress,
  faultsSentence,
  missedSentence,
  missingSentence,
  permissionWords,
  REQUIREMENTS,
  repairedWords,
} from '../../../web/src/features/organization/setup/words.ts';

const AT = '2026-05-04T12:00:00.000Z';
const NOW = Date.parse(AT) + 3 * 60_000;

const repository = (name: string, required: CheckRequirement = 'thisApp') => ({
  name,
  defaultBranch: 'main',
  required,
  rulesUrl: `https://github.com/octo-org/${name}/settings/rules`,
});

/** An organization where all is as it should be, with what a test says of it. */
const healthOf = (facts: Partial<OrganizationHealth> = {}): OrganizationHealth => ({
  permissions: {
    missing: [],
    isPending: false,
    settingsUrl: 'https://github.com/organizations/octo-org/settings/installations/77',
  },
  webhooks: { last: AT, missed: 0 },
  sweep: { at: AT, repaired: 0, faults: [] },
  repositories: [repository('hello')],
  next: null,
  ...facts,
});

const requiring = (requirements: CheckRequirement[], next: string | null = null) =>
  healthOf({ repositories: requirements.map((required, at) => repository(`r${at}`, required)), next });

const names = ({ repositories }: OrganizationHealth) => repositories.map(({ name }) => name);

describe('how each part stands', () => {
  test.each([
    [[], false, 'good'],
    [['checks: write'], false, 'wrong'],
    [[], true, 'wrong'],
  ])('permissions missing %j, pending %s', (missing, isPending, mark) => {
    expect(permissionsMark({ missing, isPending, settingsUrl: '' })).toBe(mark);
  });

  test.each([
    [AT, 0, 'good'],
    [null, 0, 'wrong'],
    [AT, 1, 'wrong'],
  ])('webhooks last %s, missed %i', (last, missed, mark) => {
    expect(webhooksMark({ last, missed })).toBe(mark);
  });

  test('the sweeper is well while it makes its rounds and sees to everything', () => {
    const sweep = { at: AT, repaired: 2, faults: [] };
    expect(sweepMark(sweep, NOW)).toBe('good');
    expect(sweepMark({ ...sweep, faults: ['octo-org/hello'] }, NOW)).toBe('wrong');
    expect(sweepMark(sweep, NOW + 60 * 60_000)).toBe('wrong');
    expect(sweepMark(null, NOW)).toBe('wrong');
  });

  test('a requirement is good from this App alone', () => {
    expect(REQUIREMENT_MARKS).toEqual({
      thisApp: 'good',
      anySource: 'wrong',
      no: 'wrong',
      unknown: 'unknown',
    });
  });
});

describe('verdict', () => {
  const permissions = { missing: ['checks: write'], isPending: true, settingsUrl: '' };
  test.each<[string, OrganizationHealth, string, string]>([
    ['all is well', healthOf(), 'good', 'Yes, all is well.'],
    [
      'there are more repositories',
      healthOf({ next: 'hello' }),
      'good',
      'Yes, for the one repository shown.',
    ],
    ['a permission is missing', healthOf({ permissions }), 'wrong', 'Not yet: one thing to see to.'],
    [
      'several things are wrong',
      { ...requiring(['no', 'anySource', 'unknown']), permissions, sweep: null },
      'wrong',
      'Not yet: 4 things to see to.',
    ],
    ['there is no repository', requiring([]), 'wrong', 'Not yet: one thing to see to.'],
    [
      'the rules of one cannot be read',
      requiring(['thisApp', 'unknown']),
      'unknown',
      'Not known for one repository. Everything else is right.',
    ],
    [
      'the rules of several cannot be read',
      requiring(['unknown', 'unknown']),
      'unknown',
      'Not known for 2 repositories. Everything else is right.',
    ],
  ])('where %s', (_, health, mark, text) => {
    expect(verdict(health, NOW)).toEqual({ mark, text });
  });
});

describe('what is known of the protection', () => {
  test.each<[CheckRequirement[], string | null, string, string]>([
    [['thisApp', 'thisApp'], null, 'good', '2 of 2 repositories require the check.'],
    [['thisApp'], null, 'good', '1 of 1 repository requires the check.'],
    [['no', 'no'], null, 'wrong', '0 of 2 repositories require the check.'],
    [
      ['thisApp', 'anySource', 'no', 'unknown'],
      'r3',
      'wrong',
      '2 of 4 repositories shown require the check, 1 from any source. Not known: 1.',
    ],
    [['thisApp', 'unknown'], null, 'unknown', '1 of 2 repositories requires the check. Not known: 1.'],
    [['unknown'], null, 'unknown', 'Whether the one repository requires it is not known.'],
    [['unknown', 'unknown'], 'r1', 'unknown', 'Whether the 2 repositories shown require it is not known.'],
    [[], null, 'wrong', 'OTP Guard was given no repository.'],
  ])('%j, next %s', (requirements, next, mark, text) => {
    expect(requiredSummary(requiring(requirements, next))).toEqual({ mark, text });
  });

  test('is nothing where nothing was heard', () => {
    expect(requiredSummary(null).mark).toBe('unknown');
  });

  test('does not say that everything is checked where the App may not do so', () => {
    const installation = { id: 77, suspended: false, repositorySelection: 'all' as const, settingsUrl: '' };
    expect(checkedSummary(installation, null).mark).toBe('good');
    expect(checkedSummary(installation, healthOf()).text).toContain('Every pull request');
    const permissions = { missing: ['checks: write'], isPending: false, settingsUrl: '' };
    expect(checkedSummary(installation, { permissions })).toMatchObject({
      mark: 'wrong',
      text: expect.not.stringContaining('Every pull request'),
    });
  });
});

describe('words', () => {
  test.each([
    ['checks: write', 'write checks'],
    ['pull_requests: read', 'read pull requests'],
    ['something else', 'something else'],
  ])('permission %s', (permission, words) => {
    expect(permissionWords(permission)).toBe(words);
  });

  test.each([
    [['checks: write'], 'The App may not write checks.'],
    [['checks: write', 'members: read'], 'The App may not write checks or read members.'],
  ])('missing %j', (missing, text) => {
    expect(missingSentence(missing)).toBe(text);
  });

  test.each([
    [['octo-org/hello'], 'It could not see to hello.'],
    [['octo-org/hello', 'octo-org/world'], 'It could not see to hello and world.'],
    [['o/a', 'o/b', 'o/c', 'o/d', 'o/e', 'o/f', 'o/g'], 'It could not see to a, b, c, d, e, and 2 more.'],
    [['octo-org/*', 'octo-org/hello'], 'It could not see to the repositories of this organization.'],
  ])('faults %j', (faults, text) => {
    expect(faultsSentence(faults)).toBe(text);
  });

  test('counts', () => {
    expect([0, 1, 2].map(repairedWords)).toEqual(['nothing', '1 check', '2 checks']);
    expect([1, 2].map(missedSentence)).toEqual([
      '1 webhook did not reach OTP Guard.',
      '2 webhooks did not reach OTP Guard.',
    ]);
  });

  test('say what to do, and where, wherever something is not good', () => {
    for (const [required, { advice, action }] of Object.entries(REQUIREMENTS)) {
      const good = REQUIREMENT_MARKS[required as CheckRequirement] === 'good';
      expect([advice !== '', action !== '']).toEqual([!good, !good]);
    }
  });
});

test.each([
  [
    'https://github.com/organizations/octo-org/settings/installations/77',
    'https://github.com/organizations/octo-org/settings/apps',
  ],
  ['https://github.com/settings/installations/77', 'https://github.com/settings/apps'],
  ['https://github.com/somewhere/else', 'https://github.com/somewhere/else'],
])('the Apps of %s', (settings, apps) => {
  expect(appsAddress(settings)).toBe(apps);
});

describe('reading', () => {
  const pages: Record<string, OrganizationHealth> = {
    '': healthOf({ repositories: [repository('a'), repository('b')], next: 'b' }),
    b: healthOf({ repositories: [repository('c'), repository('d')], next: 'd', sweep: null }),
    d: healthOf({ repositories: [repository('e')] }),
  };
  function server() {
    const asked: unknown[] = [];
    const post = async <Answer>(_: string, body: unknown) => {
      asked.push(body);
      return pages[(body as { after?: string }).after ?? ''] as Answer;
    };
    return { api: { post }, asked };
  }

  test('takes one page at first', async () => {
    const { api, asked } = server();
    expect(names(await readHealth(api, 9919, { atLeast: 0, again: false }))).toEqual(['a', 'b']);
    expect(asked).toEqual([{ orgID: 9919, again: false }]);
  });

  test('looks again at all that is shown', async () => {
    const { api, asked } = server();
    const health = await readHealth(api, 9919, { atLeast: 4, again: true });
    expect(names(health)).toEqual(['a', 'b', 'c', 'd']);
    expect(health.next).toBe('d');
    expect(asked).toEqual([
      { orgID: 9919, again: true },
      { orgID: 9919, after: 'b', again: true },
    ]);
  });

  test('ends where there are no more', async () => {
    const { api, asked } = server();
    expect(names(await readHealth(api, 9919, { atLeast: 50, again: true }))).toHaveLength(5);
    expect(asked).toHaveLength(3);
  });

  test('adds a page below, and leaves what is above', () => {
    const both = addPage(pages[''] as OrganizationHealth, pages.b as OrganizationHealth);
    expect(names(both)).toEqual(['a', 'b', 'c', 'd']);
    expect(both).toMatchObject({ next: 'd', sweep: { at: AT } });
    // The same page twice is there once.
    expect(names(addPage(both, pages.b as OrganizationHealth))).toEqual(['a', 'b', 'c', 'd']);
  });

  test('keeps a page that came while the new answer was on its way', () => {
    const shown = addPage(pages[''] as OrganizationHealth, pages.b as OrganizationHealth);
    const answer = healthOf({ ...pages[''], webhooks: { last: null, missed: 1 } });
    expect(renew(null, answer)).toBe(answer);
    expect(renew(shown, answer)).toMatchObject({ webhooks: { missed: 1 }, next: 'd' });
    expect(names(renew(shown, answer))).toEqual(['a', 'b', 'c', 'd']);
    // What GitHub names no more is gone.
    expect(names(renew(shown, healthOf()))).toEqual(['hello']);
  });
});
