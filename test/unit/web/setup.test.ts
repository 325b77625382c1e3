import { describe, expect, test } from '@jest/globals';
import type { CheckRequirement, OrganizationHealth } from '../../../src/contract/organization.ts';
import {
  permissionsMark,
  requiredSummary,
  sweepMark,
  verdict,
  webhooksMark,
} from '../../../web/src/features/organization/setup/findings.ts';
import { addPage, readHealth, renew } from '../../../web/src/features/organization/setup/health.ts';
import { faultsSentence, missingSentence } from '../../../web/src/features/organization/setup/words.ts';

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
});

describe('verdict', () => {
  const permissions = { missing: ['checks: write'], isPending: true, settingsUrl: '' };
  test.each<[string, OrganizationHealth, string, string]>([
    ['all is well', healthOf(), 'good', 'Yes, all is well.'],
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
  ])('when %s', (_, health, mark, text) => {
    expect(verdict(health, NOW)).toEqual({ mark, text });
  });
});

describe('what is known of the protection', () => {
  test.each<[CheckRequirement[], string | null, string, string]>([
    [['thisApp', 'thisApp'], null, 'good', '2 of 2 repositories require the check.'],
    [['no', 'no'], null, 'wrong', '0 of 2 repositories require the check.'],
    [
      ['thisApp', 'anySource', 'no', 'unknown'],
      'r3',
      'wrong',
      '2 of 4 repositories shown require the check, 1 from any source. Not known: 1.',
    ],
    [['thisApp', 'unknown'], null, 'unknown', '1 of 2 repositories requires the check. Not known: 1.'],
    [['unknown', 'unknown'], 'r1', 'unknown', 'Whether the 2 repositories shown require it is not known.'],
    [[], null, 'wrong', 'OTP Guard was given no repository.'],
  ])('%j, next %s', (requirements, next, mark, text) => {
    expect(requiredSummary(requiring(requirements, next))).toEqual({ mark, text });
  });
});

describe('the texts of the setup section', () => {
  test('name what is missing and what the sweeper could not reach', () => {
    expect(missingSentence(['checks: write', 'something else'])).toBe(
      'The App may not write checks or something else.',
    );
    expect(faultsSentence(['octo-org/hello', 'octo-org/world'])).toBe('It could not see to hello and world.');
    expect(faultsSentence(['o/a', 'o/b', 'o/c', 'o/d', 'o/e', 'o/f', 'o/g'])).toBe(
      'It could not see to a, b, c, d, e, and 2 more.',
    );
    expect(faultsSentence(['octo-org/*', 'octo-org/hello'])).toBe(
      'It could not see to the repositories of this organization.',
    );
  });
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
