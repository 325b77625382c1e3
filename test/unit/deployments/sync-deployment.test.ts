import { describe, expect, it } from '@jest/globals';
import type { Decision } from '../../../src/approvals/ports.ts';
import { keyOf } from '../../../src/deployments/judge/judge-deployment.ts';
import type { WorkflowRun } from '../../../src/deployments/ports.ts';
import {
  lookAtWaiting,
  reconcileDeployments,
} from '../../../src/deployments/review/reconcile-deployments.ts';
import { onRequested, runIn } from '../../../src/deployments/review/requested.ts';
import { retryDeployments } from '../../../src/deployments/review/retry-deployments.ts';
import { syncDeployment } from '../../../src/deployments/review/sync-deployment.ts';
import { UNMEETABLE_POLICY } from '../../../src/policies/policy.ts';
import { AppError } from '../../../src/shared/app-error.ts';
import {
  aDenial,
  anApproval,
  anInstallation,
  aPull,
  aPullAuthor,
  aRun,
  HEAD,
  REPO,
} from '../../support/fakes.ts';
import { aPolicy } from '../../support/policies.ts';
import { OTHER, world as wholeWorld } from '../approvals/world.ts';

const API = 'https://api.github.com';
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** A run that waits at `release`, unless a test changes it. */
async function world(run: WorkflowRun = aRun(), change: { sleep?(ms: number): Promise<void> } = {}) {
  const deps = { ...wholeWorld(), githubApiUrl: API, ...change };
  await deps.organizations.save(anInstallation());
  deps.members.set(9, 11, 'member');
  deps.workflowRuns.put(run);
  return {
    ...deps,
    key: keyOf({ run, environment: 'release' }),
    /** GitHub asks, for one of the jobs. */
    ask: (head: string | null = HEAD, change: Partial<Parameters<typeof onRequested>[1]> = {}) =>
      onRequested(deps, {
        repo: { ...REPO, id: 42 },
        environment: 'release',
        callbackUrl: `${API}/repos/octo-org/hello/actions/runs/77/deployment_protection_rule`,
        head,
        ...change,
      }),
    states: () => deps.workflowRuns.written.map(({ state }) => state),
    state: () => deps.deployments.stored[0]?.state,
    activities: () => deps.findings.stored.map(({ effects }) => effects.activity.activity),
  };
}

describe('a request for a deployment', () => {
  it('is told once what it waits for, and approved by one review, however often GitHub asks', async () => {
    const w = await world();
    await Promise.all(Array.from({ length: 10 }, () => w.ask()));
    expect(w.states()).toEqual(['pending']);
    w.decisions.put();
    await Promise.all(Array.from({ length: 10 }, () => w.ask()));
    expect([w.states(), w.state()]).toEqual([['pending', 'approved'], 'approved']);
  });

  it.each<[string, string]>([
    ['another repository', `${API}/repos/octo-org/other/actions/runs/77/deployment_protection_rule`],
    [
      'another GitHub',
      'https://evil.example/repos/octo-org/hello/actions/runs/77/deployment_protection_rule',
    ],
    ['a longer path', `${API}/repos/octo-org/hello/actions/runs/77/deployment_protection_rule/../x`],
    ['a query', `${API}/repos/octo-org/hello/actions/runs/77/deployment_protection_rule?x`],
    ['a number with a sign', `${API}/repos/octo-org/hello/actions/runs/+7/deployment_protection_rule`],
  ])('asks GitHub nothing for a callback address of %s', async (_of, callbackUrl) => {
    const w = await world();
    await w.ask(HEAD, { callbackUrl });
    expect([w.deployments.stored, w.stage.calls.includes('workflowRuns.get')]).toEqual([[], false]);
    expect(runIn(callbackUrl, `${API}/repos/octo-org/hello`)).toBeNull();
  });

  it('of a fork’s commit, or of another commit than the run’s, is rejected and logged', async () => {
    const ofFork = await world(aRun({ isOwn: false }));
    const ofOther = await world();
    for (const w of [ofFork, ofOther]) w.decisions.put();
    await ofFork.ask();
    await ofOther.ask(OTHER);
    for (const w of [ofFork, ofOther]) {
      await w.ask();
      expect([w.states(), w.state(), w.activities()]).toEqual([['rejected'], 'refused', ['deployRefuse']]);
    }
  });

  it('waits for a run that GitHub doesn’t show yet, and not for long', async () => {
    const pauses: number[] = [];
    const sleep = async (ms: number) => {
      if (pauses.push(ms) === 2) w.workflowRuns.put();
    };
    const w = await world(aRun(), { sleep });
    w.workflowRuns.runs.splice(0);
    await w.ask();
    expect([w.states(), pauses.length]).toEqual([['pending'], 2]);
    w.workflowRuns.runs.splice(0);
    await w.ask();
    expect(pauses.slice(2)).toEqual([1_000, 4_000, 15_000]);
  });

  it('stores what it lacks for the lists, and the time at which that changed', async () => {
    const w = await world();
    const policy = aPolicy([
      { when: { environments: ['**'] }, require: { approvals: 2, notBy: ['initiator'] } },
    ]);
    w.policies.policy = policy;
    const stored = () => {
      const { lacks, denied, changed } = w.deployments.stored[0] ?? ({} as never);
      const of = lacks.map(({ rule, lacking, counted, excluded }) => [rule, lacking, counted, excluded]);
      return [of, denied?.login ?? null, changed];
    };
    const first = w.clock.now();
    for (let times = 0; times < 2; times += 1) {
      await w.ask();
      w.clock.pass(1);
    }
    expect(stored()).toEqual([[['rule 1', 2, [], [3]]], null, first]);
    w.decisions.put();
    const second = w.clock.now();
    await w.ask();
    expect(stored()).toEqual([[['rule 1', 1, [11], [3]]], null, second]);
    w.clock.pass(1);
    w.approvals.put(aDenial());
    await w.ask();
    expect(stored().slice(1)).toEqual(['octocat', w.clock.now()]);
  });

  it('takes the run’s commit if the webhook has none', async () => {
    const w = await world();
    await w.ask(null);
    expect([w.states(), w.deployments.stored[0]?.head]).toEqual([['pending'], HEAD]);
  });
});

describe('an approval of a deployment', () => {
  it.each<[string, Partial<Decision>]>([
    ['another attempt', { attempt: 2 }],
    ['another run', { run: 78 }],
    ['another environment', { environment: 'staging' }],
    ['another commit', { head: OTHER }],
    ['another account', { orgId: 10 }],
  ])('of %s counts for nothing', async (_of, change) => {
    const w = await world();
    w.decisions.put(change);
    await w.ask();
    expect(w.states()).toEqual(['pending']);
  });

  it('lets jobs of a later wave start for 24 hours', async () => {
    const w = await world();
    await w.ask();
    w.decisions.put();
    const nextWave = async () => {
      w.clock.pass(12 * HOUR_MS);
      w.workflowRuns.listed.set(77, ['release']);
      Object.assign(w.workflowRuns.runs[0] ?? {}, { updatedAt: w.clock.now() });
      await w.ask();
    };
    await w.ask();
    await nextWave();
    await nextWave();
    expect(w.states()).toEqual(['pending', 'approved', 'approved', 'approved']);
    await nextWave();
    expect([w.states().slice(4), w.state()]).toEqual([['pending'], 'waiting']);
  });

  it('lets none start that GitHub shows as they were before its request, until that can’t be', async () => {
    const w = await world();
    await w.ask();
    w.decisions.put();
    await w.ask();
    w.workflowRuns.listed.set(77, ['release']);
    w.clock.pass(HOUR_MS);
    await w.ask();
    w.clock.pass(29_999);
    await retryDeployments(w, new Map());
    expect([w.states(), w.state()]).toEqual([['pending', 'approved'], 'approved']);
    w.clock.pass(1);
    await retryDeployments(w, new Map());
    expect(w.states()).toEqual(['pending', 'approved', 'approved']);
  });

  it('passes nothing while a denial of the commit is in force', async () => {
    const w = await world();
    w.decisions.put();
    w.approvals.put(aDenial({ reason: 'drops *a* table' }));
    await w.ask();
    expect(w.workflowRuns.written.map(({ state, comment }) => [state, comment])).toEqual([
      ['pending', expect.stringMatching(/octocat denied this commit\\: drops \\\*a\\\* table$/)],
    ]);
  });

  it('passes nothing next to a rejection, nor without GitHub’s list of what waits', async () => {
    const w = await world();
    w.decisions.put();
    w.decisions.put({ decision: 'reject', reason: 'Not today.', githubId: 2, login: 'mona' });
    await w.ask();
    expect([w.states(), w.state()]).toEqual([['rejected'], 'rejected']);
    const hidden = await world();
    hidden.decisions.put();
    hidden.workflowRuns.listed.delete(77);
    await hidden.ask();
    expect(hidden.states()).toEqual([]);
  });

  it('waits for GitHub’s list, which can be older than its request', async () => {
    const w = await world();
    w.decisions.put();
    w.workflowRuns.listed.set(77, []);
    await w.ask();
    expect(w.states()).toEqual([]);
    w.workflowRuns.listed.set(77, ['release']);
    await retryDeployments(w, new Map());
    expect(w.states()).toEqual(['approved']);
    w.stage.calls.splice(0);
    await retryDeployments(w, new Map());
    expect(w.stage.calls).toEqual(['deployments.due']);
  });

  it('is stored before GitHub is asked, and the scheduler makes up for an outage', async () => {
    const w = await world();
    await w.ask();
    w.decisions.put();
    w.clock.pass(1);
    w.stage.fail('workflowRuns.review', 'githubUnavailable');
    await expect(w.ask()).rejects.toThrow();
    expect(w.states()).toEqual(['pending']);
    await retryDeployments(w, new Map());
    expect([w.states(), w.state()]).toEqual([['pending', 'approved'], 'approved']);
  });

  it('is tried after growing pauses while GitHub refuses it', async () => {
    const w = await world();
    await w.ask();
    w.decisions.put();
    w.clock.pass(1);
    const pauses = new Map();
    w.workflowRuns.review = async () => {
      throw new AppError('permissionMissing');
    };
    await w.ask().catch(() => undefined);
    const before = w.stage.calls.filter((call) => call === 'workflowRuns.get').length;
    for (let seconds = 0; seconds < 3_600; seconds += 15) {
      await retryDeployments(w, pauses).catch(() => undefined);
      w.clock.pass(15_000);
    }
    expect(w.stage.calls.filter((call) => call === 'workflowRuns.get').length - before).toBeLessThan(24);
  });

  it.each([1, 2])('is approved if GitHub took it and the answer was lost, in attempt %s', async (attempt) => {
    const w = await world(aRun({ attempt }));
    w.decisions.put({ attempt });
    w.workflowRuns.losesAnswer = true;
    await expect(w.ask()).rejects.toThrow();
    expect([w.states(), w.state()]).toEqual([['approved'], 'waiting']);
    Object.assign(w.workflowRuns.runs[0] ?? {}, { hasEnded: true });
    await retryDeployments(w, new Map());
    expect([w.states(), w.state(), await w.deployments.due()]).toEqual([['approved'], 'approved', []]);
    expect(w.workflowRuns.written.at(-1)?.comment.includes('for attempt 2')).toBe(attempt === 2);
  });

  it('is no approval by who repeats its text, nor a report that an App repeats as its approval', async () => {
    const w = await world();
    await w.ask();
    const [comment = ''] = w.workflowRuns.written.map((one) => one.comment);
    w.workflowRuns.listed.set(77, []);
    const at = { environments: ['release'], state: 'approved' };
    w.workflowRuns.ofApp.push({ ...at, comment, by: { id: 5, login: 'other[bot]', isMachine: true } });
    w.workflowRuns.ofPeople.push({ ...at, comment, by: { id: 1, login: 'root', isMachine: false } });
    w.clock.pass(HOUR_MS);
    await syncDeployment(w, w.key);
    expect(w.state()).toBe('bypassed');
  });

  it('is done if GitHub says that it was reviewed', async () => {
    const w = await world();
    w.decisions.put();
    w.workflowRuns.isTaken = false;
    await w.ask();
    expect([w.state(), await w.deployments.due()]).toEqual(['approved', []]);
  });
});

describe('what else an environment waits for', () => {
  const reviewed = (w: { stage: { calls: string[] } }) =>
    w.stage.calls.filter((call) => call === 'workflowRuns.review').length;

  it('keeps an approved deployment approved, and costs less and less', async () => {
    const w = await world();
    await w.ask();
    w.decisions.put();
    w.workflowRuns.isAlone = false;
    w.clock.pass(60_000);
    await w.ask();
    const before = reviewed(w);
    for (let minutes = 0; minutes < 60; minutes += 5) {
      w.clock.pass(5 * 60_000);
      await reconcileDeployments(w);
    }
    expect(reviewed(w) - before).toBeLessThan(6);
    for (let hours = 0; hours < 48; hours += 1) {
      w.clock.pass(HOUR_MS);
      await reconcileDeployments(w);
    }
    expect([w.states(), w.state()]).toEqual([['pending', 'approved'], 'approved']);
  });

  it('doesn’t keep a later wave waiting whose webhook was lost, however long the approval took', async () => {
    const w = await world();
    await w.ask();
    w.clock.pass(3 * HOUR_MS);
    w.decisions.put();
    await syncDeployment(w, w.key, { isDecided: true });
    w.workflowRuns.listed.set(77, ['release']);
    w.clock.pass(5 * 60_000);
    await reconcileDeployments(w);
    w.clock.pass(60_000);
    await retryDeployments(w, new Map());
    expect(w.states()).toEqual(['pending', 'approved', 'approved']);
  });

  it('doesn’t keep a later wave waiting because it is looked for often', async () => {
    const w = await world();
    await w.ask();
    w.decisions.put();
    await syncDeployment(w, w.key, { isDecided: true });
    w.workflowRuns.listed.set(77, ['release']);
    w.clock.pass(HOUR_MS);
    for (let looks = 0; looks < 10; looks += 1) {
      await reconcileDeployments(w);
      w.clock.pass(6_000);
      await retryDeployments(w, new Map());
    }
    expect(w.states()).toEqual(['pending', 'approved', 'approved']);
  });

  it('doesn’t keep a later wave from being told what it waits for', async () => {
    const w = await world();
    await w.ask();
    w.decisions.put();
    await w.ask();
    w.workflowRuns.listed.set(77, ['release']);
    w.clock.pass(25 * HOUR_MS);
    await reconcileDeployments(w);
    expect([w.states(), w.state()]).toEqual([['pending', 'approved', 'pending'], 'waiting']);
  });
});

describe('the rules of a deployment', () => {
  const rule = (when: object, require: object = {}) => aPolicy([{ when, require }]);
  const judged = async (
    policy: ReturnType<typeof aPolicy>,
    change: (w: Awaited<ReturnType<typeof world>>) => void,
  ) => {
    const w = await world();
    w.policies.policy = policy;
    change(w);
    await w.ask();
    return w.states();
  };

  it('are those with environments or refs, and the others are for pull requests', async () => {
    const two = { approvals: 2 };
    const byMona = (w: Awaited<ReturnType<typeof world>>) => w.decisions.put();
    expect(await judged(rule({ environments: ['RELEASE'] }, two), byMona)).toEqual(['pending']);
    expect(await judged(rule({ refs: ['ma*'] }, two), byMona)).toEqual(['pending']);
    expect(await judged(rule({ refs: ['v*'] }, two), byMona)).toEqual(['approved']);
    expect(await judged(rule({ environments: ['staging'] }, two), byMona)).toEqual(['approved']);
    expect(await judged(rule({ branches: ['**'] }, two), byMona)).toEqual(['approved']);
  });

  it('about refs all hold for a run of `pull_request_target`, whose branch anybody names', async () => {
    const of = (w: Awaited<ReturnType<typeof world>>) =>
      Object.assign(w.workflowRuns.runs[0] ?? {}, { event: 'pull_request_target', ref: 'v1' });
    expect(await judged(rule({ refs: ['v*'] }, { approvals: 0 }), of)).toEqual(['pending']);
    const approved = await judged(rule({ refs: ['main'] }, { approvals: 2 }), (w) => {
      of(w);
      w.decisions.put();
    });
    expect(approved).toEqual(['pending']);
  });

  it('hold for what waits after a change of the account’s policy', async () => {
    const w = await world();
    await w.ask();
    w.policies.policy = rule({ environments: ['release'] }, { approvals: 0 });
    await lookAtWaiting(w, 8);
    expect(w.state()).toBe('waiting');
    await lookAtWaiting(w, 9);
    expect(w.state()).toBe('approved');
  });

  it('can’t be met while the stored policy isn’t ours', async () => {
    const w = await world();
    w.policies.policy = UNMEETABLE_POLICY;
    w.decisions.put();
    await w.ask();
    expect(w.states()).toEqual(['pending']);
  });

  it('leave out who started the run, and who opened the pull request that brought the commit in', async () => {
    const policy = rule({ environments: ['**'] }, { notBy: ['author'] });
    const started = await judged(policy, (w) => {
      w.members.set(9, 3, 'admin');
      w.decisions.put({ githubId: 3, login: 'octocat' });
    });
    expect(started).toEqual(['pending']);
    const merged = aPull({ open: false, merged: true, mergeCommit: HEAD, author: aPullAuthor({ id: 11 }) });
    const opened = await judged(policy, (w) => {
      w.pulls.all = [merged];
      w.commitPulls.all = [merged];
      w.decisions.put();
    });
    expect(opened).toEqual(['pending']);
    // One more, if GitHub doesn't say which pull request it was.
    const unknown = await judged(policy, (w) => {
      w.commitPulls.all = null;
      w.decisions.put();
    });
    expect(unknown).toEqual(['pending']);
    expect(await judged(policy, (w) => w.decisions.put())).toEqual(['approved']);
  });

  it.each(['author', 'committers'] as const)(
    'leave out, with notBy %s, also who hides behind other pull requests with the commit',
    async (who) => {
      const by = (number: number, id: number) =>
        aPull({ number, open: false, merged: true, head: HEAD, author: aPullAuthor({ id }) });
      const found = await judged(rule({ environments: ['**'] }, { notBy: [who] }), (w) => {
        const pulls = [by(5, 6), by(4, 6), by(3, 6), by(2, 6), by(1, 11)];
        w.pulls.all = pulls;
        w.commitPulls.all = pulls;
        w.decisions.put();
      });
      expect(found).toEqual(['pending']);
    },
  );

  it.each<[string, string[], Partial<ReturnType<typeof aPull>>, number]>([
    ['passes by an approved merge', ['approved'], {}, 1],
    ['waits after a merge without an approval', ['pending'], { head: OTHER, mergeCommit: HEAD }, 1],
    ['waits after a merge into another branch', ['pending'], { base: 'next' }, 1],
    [
      'waits if the commit isn’t the one that was merged',
      ['pending'],
      { head: OTHER, mergeCommit: OTHER },
      1,
    ],
    ['waits if the merge is too long ago', ['pending'], {}, 9],
  ])('can be satisfied by a merge: %s', async (_what, states, change, hours) => {
    const policy = rule({ environments: ['**'] }, { satisfiedBy: { merge: { hours: 8 } } });
    const found = await judged(policy, (w) => {
      const mergedAt = new Date(w.clock.now().getTime() - hours * HOUR_MS);
      w.pulls.all = [aPull({ open: false, merged: true, mergedAt, mergeCommit: OTHER, ...change })];
      w.commitPulls.all = w.pulls.all;
      w.approvals.put(anApproval({ base: change.base ?? 'main' }));
    });
    expect(found).toEqual(states);
  });
});

describe('the reconciliation of deployments', () => {
  it('answers what GitHub asked without our noticing, for a later wave too', async () => {
    const w = await world();
    await w.ask();
    w.decisions.put();
    await reconcileDeployments(w);
    expect(w.states()).toEqual(['pending', 'approved']);
    w.workflowRuns.put(aRun({ id: 78 }));
    w.workflowRuns.listed.set(77, ['release']);
    w.clock.pass(HOUR_MS);
    await reconcileDeployments(w);
    w.clock.pass(30_000);
    await retryDeployments(w, new Map());
    expect(w.states().slice(2).sort()).toEqual(['approved', 'pending']);
  });

  it('finds the first request of a repository of which we only know that an environment has the rule', async () => {
    const w = await world();
    await w.repositoryChecks.put('org', { id: 42, name: 'hello', defaultBranch: 'main' });
    await reconcileDeployments(w);
    expect(w.states()).toEqual([]);
    const first = [{ name: 'release', isGated: true, canAdminsBypass: null }];
    for (const one of w.repositoryChecks.stored) one.environments = { total: 1, first, isPrivate: false };
    await reconcileDeployments(w);
    expect([w.states(), w.state()]).toEqual([['pending'], 'waiting']);
    w.clock.pass(HOUR_MS);
    await reconcileDeployments(w);
    expect(w.stage.calls.filter((call) => call === 'workflowRuns.waiting')).toHaveLength(2);
  });

  it('costs an account nothing that never had a deployment', async () => {
    const w = await world();
    await reconcileDeployments(w);
    expect(w.stage.calls.filter((call) => call.startsWith('workflowRuns'))).toEqual([]);
  });

  it('finds that an administrator started the jobs, and logs it once', async () => {
    const w = await world();
    await w.ask();
    w.workflowRuns.listed.set(77, []);
    w.workflowRuns.ofPeople.push({
      environments: ['release'],
      state: 'approved',
      by: { id: 1, login: 'root', isMachine: false },
    });
    w.clock.pass(60_000);
    for (let times = 0; times < 2; times += 1) await reconcileDeployments(w);
    expect([w.state(), w.activities()]).toEqual(['bypassed', ['deployBypass']]);
  });

  it('answers a later wave after an administrator started the first one, if its webhook was lost', async () => {
    const w = await world();
    await w.ask();
    w.workflowRuns.started = true;
    w.workflowRuns.listed.set(77, []);
    const by = { id: 1, login: 'root', isMachine: false };
    w.workflowRuns.ofPeople.push({ environments: ['release'], state: 'approved', by });
    w.clock.pass(60_000);
    await reconcileDeployments(w);
    expect(w.state()).toBe('bypassed');
    w.workflowRuns.listed.set(77, ['release']);
    w.clock.pass(HOUR_MS);
    await reconcileDeployments(w);
    expect([w.states(), w.state()]).toEqual([['pending', 'pending'], 'waiting']);
    w.decisions.put();
    w.clock.pass(60_000);
    await reconcileDeployments(w);
    expect([w.states(), w.state()]).toEqual([['pending', 'pending', 'approved'], 'approved']);
  });

  const ROOT = { id: 1, login: 'root', isMachine: false };
  const GUARD = { id: 2, login: 'otp-guard[bot]', isMachine: true };

  it.each<[string, string[], { isReviewed: boolean; started: boolean; by?: object[] }]>([
    ['if the environment has none', ['deployBypass'], { isReviewed: false, started: false }],
    ['if nothing has started', [], { isReviewed: true, started: false }],
    ['if a job has started', ['deployBypass'], { isReviewed: true, started: true }],
    ['if OTP Guard let it start', [], { isReviewed: true, started: true, by: [ROOT, GUARD] }],
  ])('tells that from an approval of GitHub’s own reviewers: %s', async (_if, activities, shown) => {
    // Another App, or 30 days, can end a run that a reviewer approved.
    for (const hasEnded of [false, true]) {
      const w = await world();
      await w.ask();
      const { by = [ROOT], ...found } = shown;
      for (const one of by)
        w.workflowRuns.ofPeople.push({ environments: ['Release'], state: 'approved', by: one as never });
      Object.assign(w.workflowRuns, found);
      Object.assign(w.workflowRuns.runs[0] ?? {}, { hasEnded });
      w.clock.pass(60_000);
      await reconcileDeployments(w);
      expect([hasEnded, w.activities()]).toEqual([hasEnded, activities]);
    }
  });

  it.each([
    [false, []],
    [true, ['deployBypass']],
  ])(
    'takes no start of another attempt for that: a job of this one has started: %s',
    async (started, found) => {
      // GitHub lists the reviews of all attempts, without a time.
      const w = await world(aRun({ attempt: 2 }));
      await w.ask();
      w.workflowRuns.ofPeople.push({ environments: ['release'], state: 'approved', by: ROOT });
      Object.assign(w.workflowRuns, { started });
      w.clock.pass(60_000);
      await reconcileDeployments(w);
      expect([w.state(), w.activities()]).toEqual(['waiting', found]);
    },
  );

  it('finds that in a run that ended before GitHub’s webhook came, and before its lists show it', async () => {
    const w = await world();
    w.workflowRuns.listed.set(77, []);
    Object.assign(w.workflowRuns.runs[0] ?? {}, { hasEnded: true, updatedAt: w.clock.now() });
    w.clock.pass(1);
    await w.ask();
    expect(w.state()).toBe('waiting');
    w.workflowRuns.ofPeople.push({ environments: ['release'], state: 'approved', by: ROOT });
    w.clock.pass(30_000);
    await retryDeployments(w, new Map());
    expect([w.state(), w.activities()]).toEqual(['bypassed', ['deployBypass']]);
  });

  it('reminds the owners once after 25 days, and closes it after 30', async () => {
    const w = await world();
    await w.ask();
    w.memberships.notified = ['root'];
    const reminders = () => w.notices.stored.filter(({ kind }) => kind === 'deployExpires').length;
    w.clock.pass(25 * DAY_MS - 1);
    await reconcileDeployments(w);
    expect(reminders()).toBe(0);
    w.clock.pass(1);
    for (let times = 0; times < 2; times += 1) await reconcileDeployments(w);
    expect(reminders()).toBe(1);
    w.clock.pass(5 * DAY_MS);
    await reconcileDeployments(w);
    expect(w.state()).toBe('expired');
  });

  it('counts the days of a later wave from when that began to wait', async () => {
    const w = await world();
    w.memberships.notified = ['root'];
    await w.ask();
    w.decisions.put();
    await w.ask();
    w.workflowRuns.listed.set(77, ['release']);
    w.clock.pass(29 * DAY_MS);
    const asked = w.clock.now();
    await w.ask();
    const found = () => [w.state(), w.notices.stored.map(({ kind }) => kind)];
    for (let days = 0; days < 24; days += 1) {
      await reconcileDeployments(w);
      expect([days, ...found()]).toEqual([days, 'waiting', []]);
      w.clock.pass(DAY_MS);
    }
    expect(w.deployments.stored[0]?.since).toEqual(asked);
    w.clock.pass(DAY_MS);
    await reconcileDeployments(w);
    expect(found()).toEqual(['waiting', ['deployExpires']]);
    w.clock.pass(5 * DAY_MS);
    await reconcileDeployments(w);
    expect(w.state()).toBe('expired');
  });

  it.each<[string, (w: Awaited<ReturnType<typeof world>>) => Promise<void>]>([
    ['GitHub asks about the next attempt', (w) => w.ask()],
    ['we look for what we missed', reconcileDeployments],
  ])('closes a deployment whose run was started again once %s', async (_when, happens) => {
    const again = await world();
    await again.ask();
    Object.assign(again.workflowRuns.runs[0] ?? {}, { attempt: 2 });
    await happens(again);
    expect(again.deployments.stored.map(({ attempt, state }) => [attempt, state])).toEqual([
      [1, 'ended'],
      [2, 'waiting'],
    ]);
  });
});
