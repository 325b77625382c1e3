import { describe, expect, test } from '@jest/globals';
import type {
  OrganizationHealth,
  RepositoryCounts,
  Ruleset,
} from '../../../src/contract/organization-health.ts';
import {
  enterpriseServerStatus,
  fullCheckStatus,
  permissionsStatus,
  webhooksStatus,
} from '../../../web/src/features/organization/setup/part-status.ts';
import {
  faultsText,
  missingPermissionsText,
} from '../../../web/src/features/organization/setup/setup-rows.tsx';
import { requiredSummary, setupSummary } from '../../../web/src/features/organization/setup/summaries.ts';

const AT = '2026-05-04T12:00:00.000Z';
const NOW = Date.parse(AT) + 3 * 60_000;

/** An organization without problems, changed by the facts of a test. */
const healthOf = (facts: Partial<OrganizationHealth> = {}): OrganizationHealth => ({
  permissions: {
    missing: [],
    isPending: false,
    settingsUrl: 'https://github.com/organizations/octo-org/settings/installations/77',
  },
  enterpriseServer: null,
  webhooks: { last: AT, missed: 0, silentSince: null },
  watchSeconds: 30,
  isProxyUnknown: false,
  backup: { last: '2026-11-21T04:00:00.000Z', isLate: false },
  counts: { total: 0, protected: 0, anySource: 0, notEnforced: 0, unknown: 0, unchecked: 0 },
  sweep: { at: AT, repaired: 0, faults: [] },
  rulesets: { repository: {} as Ruleset, organization: null },
  repositories: [],
  next: null,
  ...facts,
});

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

  test('of an Enterprise Server is unknown if nobody compared it or it has no merge groups', () => {
    const good = { version: '3.19.2', isUnchecked: false, hasMergeGroups: true };
    const all = [good, { ...good, isUnchecked: true }, { ...good, hasMergeGroups: false }];
    expect(all.map(enterpriseServerStatus)).toEqual(['good', 'unknown', 'unknown']);
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

const all: RepositoryCounts = {
  total: 4,
  protected: 4,
  anySource: 0,
  notEnforced: 0,
  unknown: 0,
  unchecked: 0,
};

describe('the summary of the setup', () => {
  const permissions = { missing: ['checks: write'], isPending: true, settingsUrl: '' };
  test.each<[string, Partial<OrganizationHealth>, Partial<RepositoryCounts>, string, string]>([
    ['there are no problems', {}, {}, 'good', 'No problems found.'],
    ['the backup is late', { backup: { last: null, isLate: true } }, {}, 'wrong', '1 problem to fix.'],
    ['the proxy is unknown', { isProxyUnknown: true }, {}, 'wrong', '1 problem to fix.'],
    [
      'several things are wrong',
      { permissions, sweep: null },
      { protected: 1 },
      'wrong',
      '3 problems to fix.',
    ],
    ['there is no repository', {}, { total: 0, protected: 0 }, 'wrong', '1 problem to fix.'],
    ['one can’t be read', {}, { protected: 3, unknown: 1 }, 'unknown', "Can't tell for 1 repository."],
  ])('says so if %s', (_, facts, counts, status, text) => {
    expect(setupSummary(healthOf(facts), { ...all, ...counts }, NOW)).toEqual({ status, text });
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
    expect(requiredSummary({ ...all, ...counts })).toEqual({ status, text });
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
