import { describe, expect, it } from '@jest/globals';
import { organizationPulls } from '../../../src/organizations/organization-pulls.ts';
import { organizationStatistics } from '../../../src/organizations/organization-statistics.ts';
import type { ApprovalStatistics, WaitingPulls } from '../../../src/organizations/ports.ts';
import { codeOf } from '../../support/code-of.ts';
import { anInstallation, anOpenPull, fakeGitHub, fakeStores } from '../../support/fakes.ts';

const octocat = { userId: 'octocat', githubId: 12, login: 'octocat' };
const mona = { userId: 'mona', githubId: 11, login: 'mona' };

async function world() {
  const stores = fakeStores();
  const asked: unknown[] = [];
  const days: Awaited<ReturnType<ApprovalStatistics['days']>> = [];
  const waitingPulls: WaitingPulls = {
    async list(orgRecordId, page) {
      asked.push([orgRecordId, page]);
      return { total: 70, pulls: [{ ...anOpenPull(), since: stores.clock.now() }], next: 'there' };
    },
  };
  const statistics: ApprovalStatistics = {
    async days(orgId) {
      asked.push(orgId);
      return days;
    },
  };
  const deps = {
    ...stores,
    ...fakeGitHub(stores.stage),
    ...{ waitingPulls, statistics },
    origins: { publicUrl: 'https://guard.example.org', githubUrl: 'https://github.com' },
  };
  const org = await deps.organizations.save(anInstallation());
  deps.members.set(9, mona.githubId, 'member');
  deps.members.set(9, octocat.githubId, 'admin');
  return { ...deps, org, asked, days };
}

describe('the desk of an organization', () => {
  it('is for its owners, as GitHub says now', async () => {
    const w = await world();
    for (const call of [organizationPulls, organizationStatistics]) {
      expect(await codeOf(call(w, { session: mona, orgID: 9 }))).toBe('notOwner');
      expect(await codeOf(call(w, { session: octocat, orgID: 10 }))).toBe('installationNotFound');
      w.stage.fail('members.role', 'githubUnavailable');
      expect(await codeOf(call(w, { session: octocat, orgID: 9 }))).toBe('githubUnavailable');
    }
    expect(w.asked).toEqual([]);
  });

  it('lists what waits with its links, fifty at a time', async () => {
    const w = await world();
    const input = { session: octocat, orgID: 9, search: 'fix', after: 'here' };
    expect(await organizationPulls(w, input)).toMatchObject({
      total: 70,
      pulls: [{ repo: 'hello', pr: 7, approval: expect.stringMatching(/^\/collect\?/) }],
      next: 'there',
    });
    expect(w.asked).toEqual([[w.org.id, { search: 'fix', after: 'here', most: 50 }]]);
  });

  it('counts approvals on each of the last thirty days, with the median time to the first one', async () => {
    const w = await world();
    w.days.push(
      { day: '2026-04-04', approvals: 9, seconds: [1] },
      { day: '2026-05-03', approvals: 5, seconds: [10, 40, 20, 30] },
      { day: '2026-05-04', approvals: 2, seconds: [] },
    );
    const answer = await organizationStatistics(w, { session: octocat, orgID: 9 });
    expect(answer).toMatchObject({ approvals: 7, medianSeconds: 25 });
    expect([answer.days.length, answer.days[0], ...answer.days.slice(-2)]).toEqual([
      30,
      { day: '2026-04-05', approvals: 0, medianSeconds: null },
      { day: '2026-05-03', approvals: 5, medianSeconds: 25 },
      { day: '2026-05-04', approvals: 2, medianSeconds: null },
    ]);
  });
});
