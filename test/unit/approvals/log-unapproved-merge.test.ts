import { describe, expect, it } from '@jest/globals';
import type { PullRequest } from '../../../src/approvals/ports.ts';
import { logUnapprovedMerge } from '../../../src/approvals/reconcile/log-unapproved-merge.ts';
import { reconcile } from '../../../src/approvals/reconcile/reconcile.ts';
import { anApproval, anInstallation, aPull, HEAD } from '../../support/fakes.ts';
import { world as emptyWorld } from './world.ts';

const MERGED = aPull({ open: false, merged: true, mergedBy: { id: 12, login: 'octocat' } });
const LOGGED = {
  name: 'unapproved-merge:42:7',
  effects: {
    activity: {
      activity: 'unapprovedMerge',
      userId: '',
      orgRecordId: expect.any(String),
      data: { login: 'octocat', sha: HEAD, pr: 7, repo: 'hello', org: 'octo-org' },
      facts: { repoId: 42 },
      personFacts: { by: { id: 12, login: 'octocat' } },
    },
    notices: [],
  },
};

async function world() {
  const w = emptyWorld();
  await w.organizations.save(anInstallation());
  w.stage.calls.splice(0);
  return w;
}

describe('a merged pull request', () => {
  it('is logged once if it was merged without an approval of its head', async () => {
    const w = await world();
    await logUnapprovedMerge(w, MERGED);
    await logUnapprovedMerge(w, MERGED);
    expect(w.findings.stored).toEqual([LOGGED]);
  });

  it('names the rules that it went around, if GitHub shows them', async () => {
    const commit = 'c'.repeat(40);
    for (const fault of ['githubUnavailable', null] as const) {
      const w = await world();
      w.memberships.notified = ['owner-record'];
      w.ruleSuites.rules.set(commit, ['Protect main']);
      if (fault) w.stage.fail('ruleSuites.bypassed', fault);
      await logUnapprovedMerge(w, { ...MERGED, mergeCommit: commit });
      const { activity, notices = [] } = w.findings.stored[0]?.effects ?? {};
      const rules = fault ? undefined : ['Protect main'];
      expect([activity?.data.rules, notices[0]?.data.rules]).toEqual([rules, rules]);
    }
  });

  it('is logged without a name if GitHub does not say who merged it', async () => {
    const w = await world();
    await logUnapprovedMerge(w, { ...MERGED, mergedBy: null });
    expect(w.findings.stored[0]?.effects.activity).toMatchObject({ userId: '', data: { login: '' } });
  });

  it('notifies the owners, and names the person who merged it if they have signed in here', async () => {
    const w = await world();
    w.memberships.notified = ['owner-record'];
    w.users.profiles.set('octocat-record', { id: 12, login: 'octocat', avatarUrl: '' });
    await logUnapprovedMerge(w, MERGED);
    const [logged] = w.findings.stored;
    expect(logged?.effects.activity.userId).toBe('octocat-record');
    expect(logged?.effects.notices).toEqual([
      {
        kind: 'unapprovedMerge',
        userId: 'owner-record',
        data: { org: 'octo-org', by: 'octocat', label: 'hello#7' },
      },
    ]);
  });

  type World = Awaited<ReturnType<typeof world>>;
  it.each<[string, PullRequest, (w: World) => unknown]>([
    ['of an unknown organization', MERGED, (w) => w.organizations.stored.splice(0)],
    ['approved at its head for its base branch', MERGED, (w) => w.approvals.put(anApproval())],
    ['closed without a merge', aPull({ open: false }), () => undefined],
    ['open', aPull(), () => undefined],
  ])('is not logged if it is %s', async (_what, pull, change) => {
    const w = await world();
    change(w);
    await logUnapprovedMerge(w, pull);
    expect(w.findings.stored).toEqual([]);
  });
});

describe('a merge whose webhook was lost', () => {
  const lost = async (after: PullRequest) => {
    const w = await world();
    await reconcile(w);
    await reconcile(w);
    expect(w.openPulls.saved).toHaveLength(1);
    w.pulls.all = [after];
    await reconcile(w);
    return w;
  };

  it('is found when the pull request is no longer in the list of open ones', async () => {
    const w = await lost(MERGED);
    expect(w.findings.stored).toEqual([LOGGED]);
    await reconcile(w);
    expect(w.count('pullRequests.get')).toBe(1);
  });

  it('is not logged if the pull request no longer exists', async () => {
    expect((await lost(aPull({ number: 8 }))).findings.stored).toEqual([]);
  });

  it.each(['pullRequests.get', 'approvals.ofHead', 'findings.add'])(
    'is found by the next round if this fails in the first: %s',
    async (call) => {
      const w = await world();
      await reconcile(w);
      await reconcile(w);
      w.pulls.all = [MERGED];
      w.stage.fail(call, 'githubUnavailable');
      await reconcile(w);
      await reconcile(w);
      expect(w.findings.stored).toEqual([LOGGED]);
    },
  );
});
