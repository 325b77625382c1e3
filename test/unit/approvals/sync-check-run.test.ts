import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createFirstRun, type SyncOptions, syncCheckRun } from '../../../src/approvals/check-run/head.ts';
import { readRun } from '../../../src/approvals/check-run/run.ts';
import type { LocatedDenial, PullRequest } from '../../../src/approvals/ports.ts';
import { repairDrift } from '../../../src/approvals/reconcile/repair-drift.ts';
import { retryUnreported } from '../../../src/approvals/reconcile/retry-unreported.ts';
import type { Effects } from '../../../src/audit/ports.ts';
import { approvalUrl } from '../../../src/shared/links.ts';
import { codeOf } from '../../support/code-of.ts';
import { aDenial, anApproval, anInstallation, aPull, HEAD, REPO } from '../../support/fakes.ts';
import { seeded } from '../../support/seeded.ts';
import { interleave, patiently, sleepAndDie } from './interleaving.ts';
import { fakeTimers, HEAD_REF, watchPriorities, watchUpdates, world as wholeWorld } from './world.ts';

function world() {
  const whole = wholeWorld();
  return {
    ...whole,
    report: (pulls?: PullRequest[], mode?: SyncOptions) =>
      syncCheckRun(whole, HEAD_REF, pulls && { pulls }, mode),
    /** Compares the run as a reconciliation does; throws the fault. */
    async compare() {
      const faults: unknown[] = [];
      const onSyncFailed = (error: unknown) => void faults.push(error);
      await repairDrift({ ...whole, onSyncFailed }, HEAD_REF);
      if (faults.length > 0) throw faults[0];
    },
    /** The run that GitHub shows on the head. */
    shown: () => whole.shown(HEAD),
    creates: () => whole.count('checkRuns.create'),
    /** What GitHub asks for before a merge: the conclusion of the newest run. */
    outcome: () => whole.shown(HEAD)?.conclusion ?? 'waiting',
  };
}

type World = ReturnType<typeof world>;

const NO_EFFECTS: Effects = {
  activity: { activity: 'approvalWithdraw', userId: '', orgRecordId: '', data: {} },
  notices: [],
};

beforeEach(fakeTimers);
afterEach(() => void jest.useRealTimers());

describe('syncing a head’s check run', () => {
  it('writes for a head of no open pull request after all others', async () => {
    const w = world();
    w.approvals.put(anApproval());
    await w.report();
    w.pulls.all = [aPull({ open: false })];
    Object.assign(w.approvals.stored[0] ?? {}, { withdrawn: 'unreported' });
    const priorities = watchPriorities(w.checkRuns);
    await w.report();
    expect([priorities, w.shown()?.status]).toEqual([['other'], 'in_progress']);
  });

  it('takes a green head of a closed pull request away after a denial', async () => {
    const w = world();
    w.approvals.put(anApproval());
    await w.report();
    w.pulls.all = [aPull({ open: false })];
    w.approvals.put(aDenial());
    await w.report();
    expect([w.outcome(), await w.approvals.unreportedHeads()]).toEqual(['action_required', []]);
  });

  it('creates a denied run for each change of who denied, and writes none if nothing changed', async () => {
    const w = world();
    const outcomes: unknown[] = [];
    const look = async () => {
      await w.report();
      outcomes.push([w.creates(), w.outcome(), w.shown()?.title]);
    };
    await w.report();
    w.approvals.put(aDenial());
    const priorities = watchPriorities(w.checkRuns);
    const updated = watchUpdates(w.checkRuns);
    await look();
    await look();
    w.approvals.put(aDenial({ login: 'mona', githubId: 2 }));
    await look();
    expect(outcomes).toEqual([
      [2, 'action_required', 'Denied by octocat'],
      [2, 'action_required', 'Denied by octocat'],
      [3, 'action_required', 'Denied by octocat and mona'],
    ]);
    expect([updated, priorities]).toEqual([[], ['takeAway', 'takeAway']]);
  });

  it('takes over no run that GitHub shows, which a writer without the denial may complete', async () => {
    const w = world();
    await w.report();
    const [pending] = w.checkRuns.created;
    w.stage.fail('checkRuns.create', 'githubUnavailable', { times: 1 });
    w.approvals.put(aDenial());
    await w.report().catch(() => undefined);
    await w.report();
    await w.checkRuns.update(REPO, pending?.id ?? 0, { status: 'completed', conclusion: 'success' } as never);
    expect(w.outcome()).toBe('action_required');
  });

  it('leaves a closed head green if it was approved again after GitHub showed the withdrawal', async () => {
    const w = world();
    w.approvals.put(anApproval());
    Object.assign(w.approvals.stored[0] ?? {}, { withdrawn: 'reported' });
    w.approvals.put(anApproval());
    await w.report();
    w.pulls.all = [aPull({ open: false })];
    expect(await w.report()).toMatchObject({ written: false });
    expect([w.shown()?.conclusion, w.creates()]).toEqual(['success', 1]);
  });

  it('asks for no closed pull request that the caller knows', async () => {
    const w = world();
    w.approvals.put(anApproval());
    await w.report([aPull(), aPull({ number: 8, open: false })]);
    expect([w.shown()?.conclusion, w.count('pullRequests.get')]).toEqual(['success', 0]);
  });

  it('writes nothing, and says so, if another process creates the run first', async () => {
    const w = world();
    const { claim } = w.checkRunRecords;
    w.checkRunRecords.claim = async (...attempt) => {
      w.checkRunRecords.claim = claim;
      await w.report();
      return claim.apply(w.checkRunRecords, attempt);
    };
    expect([(await w.report()).written, w.creates()]).toEqual([false, 1]);
  });

  it('looks once at a head without a run, because nobody can have judged by that run before', async () => {
    const w = world();
    expect(await syncCheckRun(w, HEAD_REF)).toMatchObject({ passed: false, written: true });
    expect([w.writes(), w.count('pullRequests.listOpen')]).toEqual([['checkRuns.create'], 1]);
  });

  it('never completes a run by pull requests that were read before it, even for a moment', async () => {
    const w = world();
    await w.report();
    w.approvals.put(anApproval());
    const earlier = [aPull()];
    w.pulls.all = [aPull({ base: 'next' })];
    const updated = watchUpdates(w.checkRuns);
    await w.report(earlier);
    expect([updated, w.shown()?.status]).toEqual([[], 'in_progress']);
  });

  it.each<[string, number, Partial<PullRequest>, number]>([
    ['the repository is renamed', 2, { repo: { ...aPull().repo, name: 'renamed' } }, 5],
    ['the owner is renamed', 2, { repo: { ...aPull().repo, owner: 'octo-corp' } }, 5],
    ['the repository is transferred', 2, { repo: { ...aPull().repo, ownerId: 10 } }, 6],
    ['the App is installed again', 2, {}, 6],
    ['only the title changes', 1, { title: 'Another title' }, 5],
  ])('creates a waiting run again, and no approved one, if %s', async (_what, runs, change, installation) => {
    const pull = aPull(change);
    const { owner, name, ownerId: orgId } = pull.repo;
    const headRef = { ...HEAD_REF, repo: { installation, owner, name } };
    const w = world();
    await w.report();
    w.pulls.all = [pull];
    await syncCheckRun(w, headRef);
    expect([w.creates(), w.shown()?.status]).toEqual([runs, 'in_progress']);
    if (runs === 2) expect(w.shown()?.detailsUrl).toBe(approvalUrl(w.origins, headRef.repo, pull));
    w.approvals.put(anApproval({ orgId }));
    await syncCheckRun(w, headRef);
    w.pulls.all = [aPull({ ...pull, repo: { ...pull.repo, name: 'renamed-again' } })];
    await syncCheckRun(w, { ...headRef, repo: { ...headRef.repo, installation: 7 } });
    expect([w.creates(), w.shown()?.conclusion]).toEqual([runs, 'success']);
  });

  it('says nothing about a head if the repository can’t be seen, or another one has taken its name', async () => {
    const w = world();
    w.approvals.put(anApproval());
    const successor = { ...aPull().repo, id: 43 };
    for (const pulls of [null, [aPull({ repo: successor })], [aPull({ open: false, repo: successor })]]) {
      w.pulls.all = pulls;
      expect(await w.report()).toEqual({ passed: false, pulls: [], denials: [], written: false });
      expect([w.creates(), w.approvals.stored[0]?.reported]).toEqual([0, false]);
    }
  });

  it('saves which pull requests wait, since when, and which are approved', async () => {
    const w = world();
    await w.organizations.save(anInstallation());
    await w.report();
    const since = w.clock.now();
    expect(w.openPulls.saved).toMatchObject([
      { orgId: 9, repoId: 42, pr: 7, head: HEAD, approved: false, since },
    ]);
    w.clock.pass(60_000);
    w.approvals.put(anApproval());
    await w.report();
    expect(w.openPulls.saved).toMatchObject([{ head: HEAD, approved: true, since }]);
  });

  it('goes by the base of the last sync while GitHub’s list still shows the one before', async () => {
    const w = world();
    await w.organizations.save(anInstallation());
    w.approvals.put(anApproval());
    w.pulls.all = [aPull({ base: 'release' })];
    await w.report();
    w.pulls.listOpen = async () => [aPull()];
    await w.report();
    expect([w.shown()?.status, w.count('checkRuns.update')]).toEqual(['in_progress', 0]);
  });

  it('does not judge by the saved open pull requests', async () => {
    const w = world();
    await w.organizations.save(anInstallation());
    w.stage.fail('openPulls.save', 'storeUnavailable');
    await w.report().catch(() => undefined);
    for (const pull of w.openPulls.saved) pull.approved = true;
    expect(await w.report()).toMatchObject({ passed: false });
    expect(w.shown()?.status).toBe('in_progress');
  });

  it.each([{ list: [] }, { list: [aPull({ head: 'cd'.repeat(20) })] }])(
    'reads an approved pull request that GitHub’s list leaves out, or shows with its old head: %#',
    async ({ list }) => {
      const w = world();
      w.approvals.put(anApproval());
      w.pulls.listOpen = async () => list;
      expect(await w.report()).toMatchObject({ passed: true });
      expect(w.shown()?.status).toBe('completed');
    },
  );

  it.each(['it was saved', 'the caller knows it', 'its approval was withdrawn'])(
    'finds one that waits and that the list leaves out, if %s',
    async (why) => {
      const w = world();
      const both = [aPull(), aPull({ number: 8, base: 'next' })];
      w.pulls.all = both;
      if (why === 'it was saved') await w.organizations.save(anInstallation());
      await w.report(both);
      for (const pull of both) w.approvals.put(anApproval({ pr: pull.number, base: pull.base }));
      const [, other] = w.approvals.stored;
      if (other) other.withdrawn = 'unreported';
      if (why !== 'its approval was withdrawn') w.approvals.stored.pop();
      w.pulls.listOpen = async () => [aPull()];
      const { passed } = await w.report(why === 'the caller knows it' ? both : undefined);
      expect([passed, w.shown()?.status]).toEqual([false, 'in_progress']);
    },
  );

  it('creates a new run if GitHub has lost the old one', async () => {
    const w = world();
    await w.report();
    w.checkRuns.lose(w.checkRuns.created[0]?.id ?? 0);
    w.approvals.put(anApproval());
    await w.report();
    expect([w.shown()?.status, w.creates()]).toEqual(['completed', 2]);
  });

  it('updates the run if another person’s approval counts now, because the run names the person', async () => {
    const w = world();
    w.approvals.put(anApproval());
    await w.report();
    w.approvals.stored.splice(0);
    w.approvals.put(anApproval({ login: 'octocat' }));
    await w.report();
    expect(w.shown()?.title).toBe('Approved by octocat');
  });
});

describe('syncing a check run while GitHub or the record store fails', () => {
  it('has the right result after a retry if any one call fails, before or after its effect', async () => {
    /** Tries until it works, as redeliveries and the scheduler do. */
    const persist = async (w: World) => {
      for (let attempt = 0; attempt < 4; attempt += 1) {
        const worked = await patiently(w.report()).then(
          () => true,
          () => false,
        );
        if (worked) return;
        w.clock.pass(31_000);
      }
    };
    const story = async (w: World) => {
      await persist(w);
      w.approvals.put(anApproval());
      await persist(w);
    };
    const plain = world();
    await story(plain);
    const calls = new Set(plain.stage.calls);
    expect(calls.size).toBeGreaterThan(5);
    for (const call of calls)
      for (const when of ['before', 'after'] as const) {
        const w = world();
        w.stage.fail(call, 'githubUnavailable', { when });
        await story(w);
        const shown = { made: w.checkRuns.created.length, status: w.shown()?.status };
        expect({ call, when, ...shown }).toEqual({ call, when, made: 1, status: 'completed' });
        expect([call, when, w.approvals.stored[0]?.reported]).toEqual([call, when, true]);
      }
  });
});

describe('syncing a check run from several processes', () => {
  it('creates exactly one run for twenty callers', async () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const w = world();
      const random = seeded(seed);
      const actors = Array.from({ length: 20 }, () => () => w.report());
      const results = await interleave(w.stage, actors, (count) => Math.floor(random() * count));
      expect([seed, w.checkRuns.created.length, w.shown()?.status]).toEqual([seed, 1, 'in_progress']);
      expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
    }
  });

  type Story = [name: string, setUp: (w: World) => unknown, actors: (w: World) => (() => Promise<unknown>)[]];

  const approves =
    (w: World, change: Parameters<typeof anApproval>[0] = {}) =>
    async () => {
      await w.stage.play('the approval', () => w.approvals.put(anApproval(change)));
      await w.report();
    };
  const changes = (w: World, change: () => void) => async () => {
    await w.stage.play('the change', change);
    await w.report();
  };
  /** A caller that read the pull requests a while ago. */
  const stale = (w: World) => {
    const pulls = structuredClone(w.pulls.all ?? []);
    return () => w.report(pulls);
  };

  const withdraws = (w: World) => async () => {
    const [approval] = w.approvals.stored;
    if (approval) await w.approvals.withdraw({ ...approval, repo: REPO }, NO_EFFECTS);
    await w.report();
  };

  const denies = (w: World) => async () => {
    await w.stage.play('the denial', () => w.approvals.put(aDenial()));
    await w.report();
  };
  const endsDenial = (w: World) => async () => {
    const denial = w.approvals.stored.find(({ reason }) => reason !== undefined);
    if (denial) await w.approvals.withdraw({ ...denial, repo: REPO } as LocatedDenial, NO_EFFECTS);
    await w.report();
  };

  const renews = (w: World) => async () => {
    const run = await readRun(w, HEAD_REF);
    await w.report(undefined, { replaceAttempt: run?.attempt });
  };
  const looksFirst = (w: World) => {
    const pulls = structuredClone(w.pulls.all ?? []);
    return () => w.report(pulls, { reason: 'repair' });
  };
  const rerequest = (w: World) => {
    const run = w.checkRuns.shown(HEAD);
    if (run) w.checkRuns.change(run.id, { status: 'queued', conclusion: null });
  };
  const goesToNext = (w: World) => changes(w, () => (w.pulls.all = [aPull({ base: 'next' })]));

  const waiting = async (w: World) => void (await w.report());
  const approved = async (w: World) => {
    w.approvals.put(anApproval());
    await w.report();
  };
  const denied = async (w: World) => {
    w.approvals.put(anApproval());
    w.approvals.put(aDenial());
    await w.report();
  };
  /** Two pull requests have the head. */
  const shared = async (w: World) => {
    w.pulls.all = [aPull(), aPull({ number: 8, base: 'next' })];
    await w.report();
  };

  const STORIES: Story[] = [
    ['re-runs of a waiting head, and its approval', waiting, (w) => [renews(w), renews(w), approves(w)]],
    [
      're-runs of an approved head, and a change of its base',
      approved,
      (w) => [renews(w), goesToNext(w), renews(w)],
    ],
    [
      'comparisons after a lost re-run, another re-run, and the approval',
      async (w) => {
        await w.report();
        rerequest(w);
      },
      (w) => [w.compare, w.compare, renews(w), approves(w)],
    ],
    [
      'a comparison of an approved head that GitHub let go stale, and a change of its base',
      async (w) => {
        w.approvals.put(anApproval());
        await w.report();
        const run = w.checkRuns.shown(HEAD);
        if (run) w.checkRuns.change(run.id, { status: 'completed', conclusion: 'stale' });
      },
      (w) => [w.compare, goesToNext(w), stale(w)],
    ],
    [
      'a run that a restored store knows nothing of, its approval lost with it, and a new approval',
      async (w) => {
        w.approvals.put(anApproval());
        await w.report();
        w.approvals.stored.splice(0);
        w.checkRunRecords.records.splice(0);
      },
      (w) => [looksFirst(w), looksFirst(w), approves(w)],
    ],
    [
      'a run that has waited for two weeks, and its approval',
      async (w) => {
        await w.report();
        w.clock.pass(14 * 24 * 60 * 60 * 1000);
      },
      (w) => [w.report, stale(w), approves(w)].map((act) => () => act()),
    ],
    ['an approval and a stale caller, without a run', async () => undefined, (w) => [stale(w), approves(w)]],
    [
      'an approval and two stale callers, when there is a run',
      waiting,
      (w) => [stale(w), approves(w), stale(w)],
    ],
    ['an approval and a change of base', waiting, (w) => [approves(w), goesToNext(w), stale(w)]],
    [
      'a change of base of an approved head, and a stale caller',
      approved,
      (w) => [stale(w), goesToNext(w), stale(w)],
    ],
    [
      'approvals of two pull requests',
      shared,
      (w) => [approves(w), approves(w, { pr: 8, base: 'next' }), stale(w)],
    ],
    [
      'an approval of one of two pull requests while the other closes',
      shared,
      (w) => [
        approves(w),
        changes(w, () => (w.pulls.all = [aPull(), aPull({ number: 8, base: 'next', open: false })])),
        stale(w),
      ],
    ],
    [
      'a withdrawal while the approval is still being shown, and a stale caller',
      async (w) => {
        await w.report();
        w.approvals.put(anApproval());
      },
      (w) => [() => w.report(), withdraws(w), stale(w)],
    ],
    [
      'a withdrawal, and another approval of the same head before GitHub shows it',
      approved,
      (w) => [withdraws(w), approves(w), stale(w)],
    ],
    [
      'an approved head that a second pull request comes to share',
      approved,
      (w) => [stale(w), changes(w, () => (w.pulls.all = [aPull(), aPull({ number: 8, base: 'next' })]))],
    ],
    ['an approval and a denial', waiting, (w) => [approves(w), denies(w), stale(w)]],
    ['a denial of an approved head, and a re-run', approved, (w) => [denies(w), renews(w), stale(w)]],
    ['the end of a denial, and another one', denied, (w) => [endsDenial(w), denies(w), stale(w)]],
    [
      'the end of a denial, and a comparison',
      denied,
      (w) => [endsDenial(w), w.compare, stale(w)].map((act) => () => act()),
    ],
  ];

  /** Records each success that is written to GitHub although nobody has approved the head. */
  function watchSuccesses(w: World): string[] {
    const wrong: string[] = [];
    const look = (content: { conclusion?: string }) => {
      if (content.conclusion === 'success' && w.approvals.stored.length === 0) wrong.push('unapproved');
    };
    const { create, update } = w.checkRuns;
    w.checkRuns.create = async (repo, head, content) => {
      look(content);
      return create.call(w.checkRuns, repo, head, content);
    };
    w.checkRuns.update = async (repo, id, content) => {
      look(content);
      return update.call(w.checkRuns, repo, id, content);
    };
    return wrong;
  }

  /** A hundred find each bug that was planted to try this test; each story has hundreds of interleavings. */
  const SEEDS = process.env.SOAK ? 400 : 40;

  it.each(STORIES)('shows the truth in the end: %s', async (_name, setUp, actors) => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const w = world();
      await setUp(w);
      const wrong = watchSuccesses(w);
      const random = seeded(seed);
      const acting = actors(w);
      const results = await interleave(w.stage, acting, (count) => Math.floor(random() * count));
      // Failures are tried again, as by a redelivery or the scheduler.
      for (const [index, { status }] of results.entries()) if (status === 'rejected') await acting[index]?.();
      const { passed, isDenied } = await truth(w);
      const shown = w.shown();
      const outcome = isDenied ? 'action_required' : passed ? 'success' : 'waiting';
      expect([seed, w.outcome()]).toEqual([seed, outcome]);
      expect([seed, wrong]).toEqual([seed, []]);
      expect(await w.checkRuns.findNewest(REPO, HEAD)).toMatchObject({ status: shown?.status });
      if (passed || isDenied) expect(await w.approvals.unreportedHeads()).toEqual([]);
    }
  });

  it.each([
    ['a withdrawal', withdraws, 'waiting'],
    ['a denial', denies, 'action_required'],
  ])(
    'shows no green from the moment on at which %s was synced, even if an older writer completes a run',
    async (_what, takesAway, outcome) => {
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        const w = world();
        await w.report();
        w.approvals.put(anApproval());
        let isSynced = false;
        const wrong: string[] = [];
        const look = () => isSynced && w.outcome() === 'success' && wrong.push('green');
        const { update } = w.checkRuns;
        w.checkRuns.update = async (...write) => {
          const changed = await update.apply(w.checkRuns, write);
          look();
          return changed;
        };
        const withdrawal = async () => {
          await takesAway(w)();
          isSynced = true;
          look();
        };
        const random = seeded(seed);
        await interleave(w.stage, [() => w.report(), withdrawal], (count) => Math.floor(random() * count));
        expect([seed, wrong, w.outcome()]).toEqual([seed, [], outcome]);
        expect(await w.approvals.unreportedHeads()).toEqual([]);
      }
    },
  );

  it('writes a withdrawal before other runs, also while GitHub still shows the pending run', async () => {
    const w = world();
    await w.report();
    w.approvals.put(anApproval());
    const priorities = watchPriorities(w.checkRuns);
    await withdraws(w)();
    expect([priorities, w.shown()?.status]).toEqual([['takeAway'], 'in_progress']);
  });

  it.each([false, true])(
    'creates at most one run for each re-run, and writes to no old one (approved: %p)',
    async (approved) => {
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        const w = world();
        if (approved) w.approvals.put(anApproval());
        await w.report();
        w.stage.calls.splice(0);
        const old = w.checkRuns.created[0]?.id;
        const updated = watchUpdates(w.checkRuns);
        const random = seeded(seed);
        const actors = [renews(w), renews(w), renews(w)];
        const results = await interleave(w.stage, actors, (count) => Math.floor(random() * count));
        expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
        const created = w.creates();
        expect([seed, created >= 1 && created <= 3]).toEqual([seed, true]);
        // A new successful run is created as pending, then completed; the old one is left alone.
        expect(updated).not.toContain(old);
        if (!approved) expect(updated).toEqual([]);
        expect(w.shown()?.status).toBe(approved ? 'completed' : 'in_progress');
      }
    },
  );

  it('creates one new run if three processes compare it in any order', async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const w = world();
      await w.report();
      rerequest(w);
      w.stage.calls.splice(0);
      const random = seeded(seed);
      await interleave(w.stage, [w.compare, w.compare, w.compare], (count) => Math.floor(random() * count));
      expect([seed, w.creates()]).toEqual([seed, 1]);
    }
  });

  type Death = {
    setUp(w: World): Promise<unknown>;
    late(w: World): () => Promise<unknown>;
    meanwhile(w: World): Promise<unknown>;
    look(w: World): Promise<unknown>;
    shows: 'success' | 'waiting' | 'action_required';
  };
  const toNext = async (w: World) => {
    w.pulls.all = [aPull({ base: 'next' })];
    // If a re-run's own attempt is under way, this one is tried again later.
    await w.report().catch(() => undefined);
  };
  const report = (w: World) => w.report();

  it.each<[string, Death]>([
    [
      'a stale caller dies while the head is approved',
      { setUp: report, late: stale, meanwhile: (w) => approves(w)(), look: report, shows: 'success' },
    ],
    [
      'a stale caller dies while the base of the approved head changes',
      {
        // The stale caller itself would complete the run.
        async setUp(w) {
          await w.report();
          w.approvals.put(anApproval());
        },
        late: stale,
        meanwhile: toNext,
        look: report,
        shows: 'waiting',
      },
    ],
    [
      'a re-run dies while the base of the approved head changes',
      { setUp: approved, late: renews, meanwhile: toNext, look: (w) => w.compare(), shows: 'waiting' },
    ],
    [
      'a stale caller dies while the approved head is denied',
      {
        async setUp(w) {
          await w.report();
          w.approvals.put(anApproval());
        },
        late: stale,
        meanwhile: (w) => denies(w)().catch(() => undefined),
        look: report,
        shows: 'action_required',
      },
    ],
    [
      'the person who denies dies while the head is approved',
      {
        setUp: report,
        late: denies,
        meanwhile: (w) => approves(w)().catch(() => undefined),
        async look(w) {
          // The denial may never have been stored.
          if (!w.approvals.stored.some(({ reason }) => reason !== undefined)) w.approvals.put(aDenial());
          await retryUnreported(w, new Map());
        },
        shows: 'action_required',
      },
    ],
  ])('shows the truth after the next sync if %s', async (_what, death) => {
    const wrong: unknown[] = [];
    // From each place where it sleeps, a third of the places where it can die: other places from the next one.
    const stride = process.env.SOAK ? 1 : 3;
    for (let sleepsAt = 1, hasSlept = true; hasSlept; sleepsAt += 1)
      for (let diesAt = sleepsAt, hasDied = true; hasDied; diesAt += stride) {
        const w = world();
        await death.setUp(w);
        const came = await sleepAndDie(w.stage, death.late(w), {
          sleepsAt,
          diesAt,
          meanwhile: () => death.meanwhile(w),
        });
        hasSlept = came.asleep;
        hasDied = came.dead;
        w.clock.pass(31_000);
        await patiently(death.look(w));
        if (w.outcome() !== death.shows) wrong.push({ sleepsAt, diesAt, calls: w.stage.calls });
      }
    expect(wrong).toEqual([]);
  });

  async function truth(w: World): Promise<{ passed: boolean; isDenied: boolean }> {
    const open = (w.pulls.all ?? []).filter((pull) => pull.open);
    const isDenied = w.approvals.stored.some((one) => !one.withdrawn && one.reason !== undefined);
    const isApproved = (pull: PullRequest) =>
      w.approvals.stored.some(
        (one) =>
          !one.withdrawn &&
          one.reason === undefined &&
          one.pr === pull.number &&
          one.base === pull.base &&
          one.head === pull.head,
      );
    return { passed: !isDenied && open.every(isApproved), isDenied };
  }
});

describe('the first run of a head', () => {
  it('creates one pending run, regardless of how often and from where it is called', async () => {
    const w = wholeWorld();
    const outcomes = await Promise.all([1, 2, 3].map(() => createFirstRun(w, HEAD_REF, { pull: aPull() })));
    expect(outcomes.sort()).toEqual([false, false, true]);
    expect(await createFirstRun(w, HEAD_REF, { pull: aPull() })).toBe(false);
    expect([w.checkRuns.created.length, w.shown(HEAD)?.status]).toEqual([1, 'in_progress']);
  });

  it('creates a pending run for a head that is approved already, which only the sync completes', async () => {
    const w = wholeWorld();
    w.approvals.put(anApproval());
    expect(await createFirstRun(w, HEAD_REF, { pull: aPull() })).toBe(false);
    expect(w.shown(HEAD)?.status).toBe('in_progress');
    await syncCheckRun(w, HEAD_REF);
    expect([w.checkRuns.created.length, w.shown(HEAD)?.conclusion]).toEqual([1, 'success']);
  });

  it.each(['approvals.ofHead', 'policies.inForce', 'checkRuns.create'] as const)(
    'leaves nothing that the next try has to wait for if %s fails',
    async (call) => {
      const w = wholeWorld();
      w.stage.fail(call, 'storeUnavailable');
      expect(await codeOf(createFirstRun(w, HEAD_REF, { pull: aPull() }))).toBe('storeUnavailable');
      await syncCheckRun(w, HEAD_REF);
      expect([w.checkRuns.created.length, w.shown(HEAD)?.status]).toEqual([1, 'in_progress']);
    },
  );

  it('gives its claim back if another repository has the name by now', async () => {
    const w = wholeWorld();
    expect(await createFirstRun(w, HEAD_REF, { pull: aPull({ repo: { ...aPull().repo, id: 43 } }) })).toBe(
      false,
    );
    expect(w.checkRunRecords.records).toMatchObject([
      { attempt: 1, checkRunId: null, phase: 'failed', mayBeGreen: false },
    ]);
    expect(w.checkRuns.created).toEqual([]);
  });
});
