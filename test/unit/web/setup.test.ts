import { describe, expect, test } from '@jest/globals';
import type { CheckRequirement, OrganizationHealth } from '../../../src/contract/organization-health.ts';
import type { Ruleset } from '../../../src/contract/ruleset.ts';
import {
  fullCheckStatus,
  permissionsStatus,
  webhooksStatus,
} from '../../../web/src/features/organization/setup/part-status.ts';
import {
  addPage,
  readHealth,
  refreshHealth,
} from '../../../web/src/features/organization/setup/read-health.ts';
import {
  faultsText,
  missingPermissionsText,
} from '../../../web/src/features/organization/setup/setup-texts.ts';
import { requiredSummary, setupSummary } from '../../../web/src/features/organization/setup/summaries.ts';

const AT = '2026-05-04T12:00:00.000Z';
const NOW = Date.parse(AT) + 3 * 60_000;

const repository = (name: string, required: CheckRequirement = 'thisApp') => ({
  name,
  defaultBranch: 'main',
  required,
  rulesUrl: `https://github.com/octo-org/${name}/settings/rules`,
});

/** An organization without problems, changed by the facts of a test. */
const healthOf = (facts: Partial<OrganizationHealth> = {}): OrganizationHealth => ({
  permissions: {
    missing: [],
    isPending: false,
    settingsUrl: 'https://github.com/organizations/octo-org/settings/installations/77',
  },
  webhooks: { last: AT, missed: 0, silentSince: null },
  watchSeconds: 30,
  isProxyUnknown: false,
  counts: { total: 0, protected: 0, notEnforced: 0, unknown: 0, unchecked: 0 },
  sweep: { at: AT, repaired: 0, faults: [] },
  rulesets: { repository: {} as Ruleset, organization: null },
  repositories: [repository('hello')],
  next: null,
  ...facts,
});

const requiring = (requirements: CheckRequirement[], next: string | null = null) =>
  healthOf({ repositories: requirements.map((required, index) => repository(`r${index}`, required)), next });

const names = ({ repositories }: OrganizationHealth) => repositories.map(({ name }) => name);

describe('the status of each part of the setup', () => {
  test('of permissions is good only if none is missing or pending', () => {
    const status = (missing: string[], isPending: boolean) =>
      permissionsStatus({ missing, isPending, settingsUrl: '' });
    expect([status([], false), status(['checks: write'], false), status([], true)]).toEqual([
      'good',
      'wrong',
      'wrong',
    ]);
  });

  test('of webhooks is good only with a last one, none missed and no silence', () => {
    const good = { last: AT, missed: 0, silentSince: null };
    const bad = [{ last: null }, { missed: 1 }, { silentSince: AT }];
    const all = [good, ...bad.map((change) => ({ ...good, ...change }))];
    expect(all.map(webhooksStatus)).toEqual(['good', 'wrong', 'wrong', 'wrong']);
  });

  test('is good if the last full check is recent and had no faults', () => {
    const sweep = { at: AT, repaired: 2, faults: [] };
    expect(fullCheckStatus(sweep, NOW)).toBe('good');
    expect(fullCheckStatus({ ...sweep, faults: ['octo-org/hello'] }, NOW)).toBe('wrong');
    expect(fullCheckStatus(sweep, NOW + 60 * 60_000)).toBe('wrong');
    expect(fullCheckStatus(null, NOW)).toBe('wrong');
  });
});

describe('the summary of the setup', () => {
  const permissions = { missing: ['checks: write'], isPending: true, settingsUrl: '' };
  test.each<[string, OrganizationHealth, string, string]>([
    ['there are no problems', healthOf(), 'good', 'No problems found.'],
    ['the proxy is unknown', healthOf({ isProxyUnknown: true }), 'wrong', '1 problem to fix.'],
    ['a permission is missing', healthOf({ permissions }), 'wrong', '1 problem to fix.'],
    [
      'several things are wrong',
      { ...requiring(['no', 'anySource', 'unknown']), permissions, sweep: null },
      'wrong',
      '4 problems to fix.',
    ],
    ['there is no repository', requiring([]), 'wrong', '1 problem to fix.'],
    [
      'the rules of one repository cannot be read',
      requiring(['thisApp', 'unknown']),
      'unknown',
      "1 repository can't be checked.",
    ],
  ])('says so if %s', (_, health, status, text) => {
    expect(setupSummary(health, NOW)).toEqual({ status, text });
  });
});

describe('the summary of the repositories that require the check', () => {
  test.each<[CheckRequirement[], string | null, string, string]>([
    [['thisApp', 'thisApp'], null, 'good', '2 of 2 repositories require the check.'],
    [['no', 'no'], null, 'wrong', '0 of 2 repositories require the check.'],
    [
      ['thisApp', 'anySource', 'no', 'unknown'],
      'r3',
      'wrong',
      "2 of 4 repositories shown require the check, 1 of them from any source. 1 can't be checked.",
    ],
    [['thisApp', 'unknown'], null, 'unknown', "1 of 2 repositories requires the check. 1 can't be checked."],
    [
      ['unknown', 'unknown'],
      'r1',
      'unknown',
      "We can't tell whether the 2 repositories shown require the check.",
    ],
    [[], null, 'wrong', "OTP Guard doesn't have access to any repositories."],
  ])('for %j and the next page %s is %s: “%s”', (requirements, next, status, text) => {
    expect(requiredSummary(requiring(requirements, next))).toEqual({ status, text });
  });
});

describe('the texts of the setup section', () => {
  test('name the missing permissions and the repositories that the full check failed for', () => {
    expect(missingPermissionsText(['checks: write', 'something else'])).toBe(
      "The App isn't allowed to write checks or something else.",
    );
    expect(faultsText(['octo-org/hello', 'octo-org/world'])).toBe('It failed for hello and world.');
    expect(faultsText(['o/a', 'o/b', 'o/c', 'o/d', 'o/e', 'o/f', 'o/g'])).toBe(
      'It failed for a, b, c, d, e, and 2 more.',
    );
    expect(faultsText(['octo-org/*', 'octo-org/hello'])).toBe(
      "It failed for all of this organization's repositories.",
    );
  });
});

describe('reading the setup health', () => {
  const pages: Record<string, OrganizationHealth> = {
    '': healthOf({ repositories: [repository('a'), repository('b')], next: 'b' }),
    b: healthOf({ repositories: [repository('c'), repository('d')], next: 'd', sweep: null }),
    d: healthOf({ repositories: [repository('e')] }),
  };
  function server() {
    const requests: unknown[] = [];
    const post = async <Answer>(_: string, body: unknown) => {
      requests.push(body);
      return pages[(body as { after?: string }).after ?? ''] as Answer;
    };
    return { api: { post }, requests };
  }

  test('reads every page on the screen again', async () => {
    const { api, requests } = server();
    const health = await readHealth(api, 9919, { atLeast: 4, again: true });
    expect([names(health), health.next]).toEqual([['a', 'b', 'c', 'd'], 'd']);
    expect(requests).toEqual([{}, { after: 'b' }].map((of) => ({ orgID: 9919, ...of, again: true })));
  });

  test('keeps a page that was added while the new answer was loading', () => {
    const shown = addPage(pages[''] as OrganizationHealth, pages.b as OrganizationHealth);
    const answer = healthOf({ ...pages[''], webhooks: { last: null, missed: 1, silentSince: null } });
    expect(refreshHealth(null, answer)).toBe(answer);
    expect(refreshHealth(shown, answer)).toMatchObject({ webhooks: { missed: 1 }, next: 'd' });
    expect(names(refreshHealth(shown, answer))).toEqual(['a', 'b', 'c', 'd']);
    // Repositories that GitHub no longer lists are gone.
    expect(names(refreshHealth(shown, healthOf()))).toEqual(['hello']);
  });
});
