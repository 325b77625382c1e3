import { describe, expect, it, jest } from '@jest/globals';
import { compareHeads, createJudgeAgain } from '../../../src/approvals/reconcile/compare-heads.ts';
import { reconcile } from '../../../src/approvals/reconcile/reconcile.ts';
import { AppError } from '../../../src/shared/app-error.ts';
import { codeOf } from '../../support/code-of.ts';
import { anApproval, anInstallation, aPull, HEAD, REPO } from '../../support/fakes.ts';
import { until } from '../../support/until.ts';
import { patiently } from './interleaving.ts';
import { fakeTimers, OTHER, type World, world } from './world.ts';

const HOUR = 60;
const DAY = 24 * HOUR;
const MINUTE_MS = 60_000;
describe('a reconciliation', () => {
  it('reports what it repaired, and has nothing to repair the next time', async () => {
    const w = world();
    expect(await reconcile(w)).toMatchObject({
      repaired: [{ repository: 'octo-org/hello', head: HEAD }],
      faults: [],
      redelivered: 0,
      missed: {},
    });
    expect(await reconcile(w)).toMatchObject({ repaired: [], faults: [] });
    expect([w.reconcileReports.stored.length, w.repaired.length]).toEqual([2, 1]);
  });

  it('brings the requested reviewers up to date, with the requests that read the pull requests', async () => {
    const w = world();
    const requested = async (reviewers: { people: number[]; teams: string[] } | null) => {
      w.pulls.all = [aPull({ reviewers })];
      await reconcile(w);
      return w.openPulls.saved.map((saved) => saved.reviewers);
    };
    const mona = { people: [11], teams: ['security'] };
    expect(await requested({ people: [], teams: [] })).toEqual([{ people: [], teams: [] }]);
    w.stage.calls.splice(0);
    expect(await requested(mona)).toEqual([mona]);
    expect([
      w.count('openHeads.read'),
      w.count('pullRequests.get'),
      w.count('pullRequests.listOpen'),
    ]).toEqual([2, 0, 0]);
  });

  /** Twelve heads with their runs. */
  const manyHeads = async () => {
    const w = world();
    const heads = Array.from({ length: 12 }, (_, index) => (index + 10).toString(16).padStart(40, 'c'));
    w.pulls.all = heads.map((head, index) => aPull({ number: index + 1, head }));
    await reconcile(w);
    w.stage.calls.splice(0);
    return { ...w, heads };
  };

  it('compares every run with GitHub’s in one request, and asks again about the runs that differ', async () => {
    const w = await manyHeads();
    const drifted = w.heads.filter((_, index) => index % 5 === 1);
    for (const head of drifted)
      w.checkRuns.change(w.checkRuns.shown(head)?.id ?? 0, { status: 'queued', conclusion: null });
    const { repaired, faults } = await reconcile(w);
    expect(repaired.map(({ head }) => head).sort()).toEqual(drifted.sort());
    expect([w.count('openHeads.read'), w.count('checkRuns.findNewest'), faults]).toEqual([2, 3, []]);
    expect(w.heads.map((head) => w.shown(head)?.status)).toEqual(w.heads.map(() => 'in_progress'));
    expect((await reconcile(w)).repaired).toEqual([]);
  });

  it('asks the record store as often for twelve heads in order as for one, and writes only its report', async () => {
    const askedIn = async (w: World) => {
      w.stage.calls.splice(0);
      expect(await reconcile(w)).toMatchObject({ repaired: [], faults: [] });
      return w.stage.calls.filter((call) => /^(approvals|checkRunRecords|openPulls|policies)\./.test(call));
    };
    const few = world();
    for (let round = 0; round < 2; round += 1) await reconcile(few);
    const many = await manyHeads();
    await reconcile(many);
    const asked = await askedIn(many);
    expect(asked).toEqual(await askedIn(few));
    expect(asked.filter((call) => /save|claim|mark/.test(call))).toEqual([]);
  });

  it('notes that GitHub shows an approval if the process that wrote it died before', async () => {
    const w = world();
    const { id } = w.approvals.put(anApproval());
    for (let round = 0; round < 2; round += 1) await reconcile(w);
    const [stored] = w.approvals.stored;
    expect([w.shown(HEAD)?.conclusion, stored?.id, stored?.reported]).toEqual(['success', id, true]);
    Object.assign(stored ?? {}, { reported: false });
    await reconcile(w);
    expect(stored?.reported).toBe(true);
  });

  it.each<[string, (w: World, head: string) => unknown, faults: object[]]>([
    [
      'its list, which is a fault',
      (w) => w.stage.fail('openHeads.read', 'githubUnavailable'),
      [{ repository: 'octo-org/hello' }],
    ],
    ['its list for want of a permission', (w) => w.stage.fail('openHeads.read', 'permissionMissing'), []],
    [
      'one run',
      (w, head) => {
        const { read } = w.openHeads;
        w.openHeads.read = async (repo) => {
          w.openHeads.read = read;
          const shown = await read.call(w.openHeads, repo);
          shown?.runs.delete(head);
          return shown;
        };
      },
      [],
    ],
  ])('compares no less if GitHub does not show %s', async (_what, hide, faults) => {
    const w = await manyHeads();
    const head = w.heads[3] ?? '';
    w.checkRuns.change(w.checkRuns.shown(head)?.id ?? 0, { status: 'queued', conclusion: null });
    hide(w, head);
    expect(await reconcile(w)).toMatchObject({ repaired: [{ head }], faults });
  });

  describe('of a private repository, of which GitHub hides the runs in its list', () => {
    const PASSED = { status: 'completed', conclusion: 'success' };
    const privateHeads = async () => {
      const w = await manyHeads();
      w.openHeads.private.add('hello');
      const change = (head: string, to: { status: string; conclusion: string | null }) =>
        w.checkRuns.change(w.checkRuns.shown(head)?.id ?? 0, to);
      return { ...w, change };
    };

    it('repairs every run that differs and reports every forged success, in the first round and without a fault', async () => {
      const w = await privateHeads();
      for (const [index, head] of w.heads.entries())
        w.change(head, index % 2 ? PASSED : { status: 'queued', conclusion: null });
      const { repaired, faults, explainsFrom } = await reconcile(w);
      expect(repaired.map(({ head }) => head).sort()).toEqual([...w.heads].sort());
      expect([faults, w.forged.length]).toEqual([[], 6]);
      expect(w.heads.map((head) => w.shown(head)?.status)).toEqual(w.heads.map(() => 'in_progress'));
      expect(Date.parse(explainsFrom)).toBeLessThanOrEqual(w.clock.now().getTime());
      w.stage.calls.splice(0);
      expect(await reconcile(w)).toMatchObject({ repaired: [], faults: [] });
      expect(w.count('checkRuns.findNewest')).toBe(w.heads.length);
    });

    it('looks at approved heads first, and takes a forged success away before it covers a new head', async () => {
      const w = await privateHeads();
      const [waiting = '', forged = '', approved = ''] = w.heads;
      w.approvals.put(anApproval({ pr: 3, head: approved }));
      await reconcile(w);
      w.pulls.all?.unshift(aPull({ number: 99, head: OTHER }));
      w.change(forged, PASSED);
      w.change(waiting, { status: 'queued', conclusion: null });
      const read: string[] = [];
      const { findNewest } = w.checkRuns;
      w.checkRuns.findNewest = (repo, head) => {
        read.push(head);
        return findNewest.call(w.checkRuns, repo, head);
      };
      const before = w.checkRuns.created.length;
      await reconcile(w);
      expect(read[0]).toBe(approved);
      expect(w.checkRuns.created.slice(before).map(({ head }) => head)).toEqual([forged, OTHER, waiting]);
    });

    it('reads a large number of runs in turn, so that a few rounds compare all', async () => {
      const w = world();
      const heads = Array.from({ length: 1_200 }, (_, at) =>
        ((at * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0').padEnd(40, 'c'),
      );
      w.pulls.all = heads.map((head, index) => aPull({ number: index + 1, head }));
      w.openHeads.private.add('hello');
      const read: string[] = [];
      w.checkRuns.findNewest = async (_repo, head) => {
        read.push(head);
        return null;
      };
      const compare = async () => {
        const { read: list, sync } = compareHeads(w);
        const before = read.length;
        const repo = { ...REPO, id: 42 };
        const pulls = (await list(repo)) ?? [];
        await sync({ repo, repoId: 42, head: heads[0] ?? '' }, pulls);
        w.clock.pass(5 * MINUTE_MS);
        return read.length - before;
      };
      for (const count of [await compare(), await compare()]) expect(count).toBeLessThan(1_000);
      expect(new Set(read)).toEqual(new Set(heads));
    });

    it('reads those of one installation at a time, so that another one’s many heads delay none', async () => {
      const w = world();
      w.openHeads.private.add('hello');
      const read: number[] = [];
      w.checkRuns.findNewest = async ({ installation }) => {
        read.push(installation);
        return null;
      };
      const { read: list, sync } = compareHeads(w);
      const [one, other] = [
        { ...REPO, installation: 1, id: 42 },
        { ...REPO, installation: 6, id: 43 },
      ] as const;
      const pulls = (await list(one)) ?? [];
      await list(other);
      await sync({ repo: one, repoId: one.id, head: HEAD }, pulls);
      expect([read.includes(1), read.includes(6)]).toEqual([true, false]);
    });

    it('leaves runs that nobody approved while the rest of the budget is for people', async () => {
      const w = await privateHeads();
      w.backgroundBudget.lowUntil = () => new Date();
      expect((await reconcile(w)).faults).toEqual([]);
      expect(w.count('checkRuns.findNewest')).toBe(0);
    });

    it('asks once, and continues to explain forged successes elsewhere, if GitHub refuses to show runs at all', async () => {
      const w = await privateHeads();
      w.reconcileReports.stored.splice(0);
      let asked = 0;
      w.checkRuns.findNewest = async () => {
        asked += 1;
        throw new AppError('permissionMissing');
      };
      const report = await reconcile(w);
      expect(report.faults).toEqual([{ repository: 'octo-org/hello' }]);
      expect(asked).toBeLessThan(w.heads.length);
      expect(Date.parse(report.explainsFrom)).toBeLessThanOrEqual(w.clock.now().getTime());
    });
  });

  /** Forty heads, of which GitHub's list says that none has a run. */
  const differingHeads = async () => {
    const w = await manyHeads();
    w.pulls.all = Array.from({ length: 40 }, (_, index) =>
      aPull({ number: index + 1, head: index.toString(16).padStart(40, 'd') }),
    );
    await reconcile(w);
    w.stage.calls.splice(0);
    w.openHeads.read = async ({ name }) => {
      const pulls = w.pulls.listed(name) ?? [];
      return { pulls, runs: new Map(pulls.map(({ head }) => [head, null])) };
    };
    return w;
  };

  it('stops asking again, and reports a fault, if GitHub’s two answers keep differing', async () => {
    const w = await differingHeads();
    const { faults, repaired } = await reconcile(w);
    expect([faults, repaired]).toEqual([[{ repository: 'the comparison of runs' }], []]);
    expect(w.count('checkRuns.findNewest')).toBe(20);
  });

  it('asks again about every run that was written while the list was read', async () => {
    const w = await differingHeads();
    const { read } = w.openHeads;
    w.openHeads.read = async (repo) => {
      w.clock.pass(1_000);
      for (const run of w.checkRunRecords.records) run.since = w.clock.now();
      return read(repo);
    };
    expect((await reconcile(w)).faults).toEqual([]);
    expect(w.count('checkRuns.findNewest')).toBe(40);
  });

  it.each<[part: string, call: string, repository: string]>([
    ['the installations', 'installations.list', 'every repository'],
    ['one installation', 'organizations.save', 'octo-org/*'],
    ['one repository', 'openHeads.read', 'octo-org/hello'],
    ['one head', 'checkRuns.create', 'octo-org/hello'],
    ['the list of deliveries', 'sentWebhooks.listFailed', 'the list of deliveries'],
    ['a redelivery', 'sentWebhooks.redeliver', 'the list of deliveries'],
  ])('continues if this fails, and reports the fault: %s', async (_part, call, repository) => {
    const w = world();
    await reconcile(w);
    for (const made of [...w.checkRuns.created]) w.checkRuns.lose(made.id);
    w.checkRunRecords.records.splice(0);
    w.sentWebhooks.fails({ guid: 'one' });
    w.sentWebhooks.fails({ guid: 'two' });
    w.stage.calls.splice(0);
    w.stage.fail(call, 'githubUnavailable');
    const report = await reconcile(w);
    expect(report.faults).toMatchObject([{ repository }]);
    expect(w.faults).toHaveLength(1);
    for (const other of ['installations.list', 'sentWebhooks.listFailed', 'reconcileReports.save'])
      expect([other, w.stage.calls.includes(other)]).toEqual([other, true]);
  });

  it('fails if its report cannot be stored', async () => {
    const w = world();
    w.stage.fail('reconcileReports.save', 'storeUnavailable');
    expect([await codeOf(reconcile(w)), w.reconcileReports.stored]).toEqual(['storeUnavailable', []]);
  });

  it('waits until the claim of a process that died expires, then creates that run', async () => {
    fakeTimers();
    try {
      const w = world();
      await w.checkRunRecords.claim(42, HEAD, 1);
      const clock = { now: () => new Date(w.clock.now().getTime() + (Date.now() - began)) };
      const began = Date.now();
      const report = await patiently(reconcile({ ...w, clock }));
      expect(report).toMatchObject({ repaired: [{ repository: 'octo-org/hello', head: HEAD }], faults: [] });
      expect([w.shown(HEAD)?.status, w.checkRuns.created.length]).toEqual(['in_progress', 1]);
    } finally {
      jest.useRealTimers();
    }
  });
});

/** Rounds every five minutes, as in the product. */
async function rounds(w: World, count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    await reconcile(w);
    w.clock.pass(5 * MINUTE_MS);
  }
}

const GROUP = { event: 'merge_group', action: 'checks_requested' };

describe('failed webhook deliveries', () => {
  it.each<[string, failed: Parameters<World['sentWebhooks']['fails']>[0][], asked: string[]]>([
    ['unless another attempt arrived', [{ guid: 'lost' }, { guid: 'came', minutes: 9 }], ['1']],
    ['by their newest attempt', [30, 10].map((minutes) => ({ guid: 'lost', minutes })), ['2']],
    ['for three days', [1, -1].map((more) => ({ guid: `${more}`, minutes: 3 * DAY + more })), ['2']],
  ])('are requested again %s', async (_what, failed, asked) => {
    const w = world();
    for (const attempt of failed) w.sentWebhooks.fails(attempt);
    await w.deliveries.markProcessed('came', 'pull_request', 5);
    expect(await reconcile(w)).toMatchObject({ redelivered: asked.length });
    expect(w.sentWebhooks.asked).toEqual(asked);
  });

  it('count as missed for their installation once a redelivery has failed too', async () => {
    const w = world();
    const twice = (guid: string, installation: number | null) => {
      w.sentWebhooks.fails({ guid, installation, minutes: 6 });
      w.sentWebhooks.fails({ guid, installation, minutes: 1 });
    };
    twice('one', 5);
    twice('two', 5);
    twice('three', 6);
    twice('four', null);
    twice('came', 6);
    await w.deliveries.markProcessed('came', 'pull_request', 6);
    w.sentWebhooks.fails({ guid: 'the first attempt', installation: 6 });
    w.sentWebhooks.fails({ guid: 'under way', installation: 6, minutes: 6 });
    w.sentWebhooks.fails({ guid: 'under way', installation: 6, minutes: 0.9 });
    expect((await reconcile(w)).missed).toEqual({ 5: 2, 6: 1, 0: 1 });
  });

  it('are requested again with merge groups and re-runs first', async () => {
    const w = world();
    const attempts: [event: string, action: string][] = [
      ['pull_request', 'opened'],
      ['check_suite', 'rerequested'],
      ['check_suite', 'requested'],
      ['merge_group', 'checks_requested'],
      ['check_run', 'rerequested'],
      ['check_suite', 'completed'],
      ['check_run', 'created'],
    ];
    for (const [event, action] of attempts) w.sentWebhooks.fails({ guid: event + action, event, action });
    await reconcile(w);
    const asked = w.sentWebhooks.asked.map((id) => attempts[Number(id) - 1]?.join('.'));
    expect(asked.slice(0, 3).sort()).toEqual([
      'check_run.rerequested',
      'check_suite.rerequested',
      'merge_group.checks_requested',
    ]);
    // Nothing acts on the last two, which are about other Apps' checks.
    expect(asked).toHaveLength(5);
  });

  it('are requested again at most twenty-five per round, the irreplaceable ones first', async () => {
    const w = world();
    for (let count = 1; count <= 40; count += 1) w.sentWebhooks.fails({ guid: `pull-${count}` });
    w.sentWebhooks.fails({ id: '99', guid: 'group', ...GROUP, minutes: 14 });
    expect(await reconcile(w)).toMatchObject({ redelivered: 25 });
    expect([w.sentWebhooks.asked[0], w.sentWebhooks.asked.length]).toEqual(['99', 25]);
  });

  it('are listed from 15 minutes before the previous round', async () => {
    const w = world();
    await reconcile(w);
    w.clock.pass(2 * HOUR * MINUTE_MS);
    w.sentWebhooks.fails({ id: '1', guid: 'while we were away', minutes: 2 * HOUR - 1 });
    w.sentWebhooks.fails({ id: '2', guid: 'under way then', minutes: 2 * HOUR + 14 });
    w.sentWebhooks.fails({ id: '3', guid: 'seen then', minutes: 2 * HOUR + 16 });
    await reconcile(w);
    expect(w.sentWebhooks.asked.sort()).toEqual(['1', '2']);
  });

  it('are a fault of the round if the list of them may not be whole, and the listed ones are requested again', async () => {
    const w = world();
    w.sentWebhooks.isWhole = false;
    w.sentWebhooks.fails({ guid: 'lost', ...GROUP });
    expect(await reconcile(w)).toMatchObject({
      redelivered: 1,
      faults: [{ repository: 'the list of deliveries' }],
    });
  });

  it('are given up after four attempts', async () => {
    const w = world();
    w.sentWebhooks.fails({ guid: 'poison', ...GROUP });
    await rounds(w, 48);
    expect(w.sentWebhooks.attempts).toHaveLength(4);
  });

  it('are all requested in the end if there are too many for one round', async () => {
    const w = world();
    await reconcile(w);
    w.clock.pass(2 * HOUR * MINUTE_MS);
    for (let count = 1; count <= 60; count += 1)
      w.sentWebhooks.fails({ guid: `lost-${count}`, ...GROUP, minutes: HOUR });
    w.sentWebhooks.arrive = ({ guid, event }) => w.deliveries.markProcessed(guid, event, 5);
    await rounds(w, 5);
    expect(new Set(w.sentWebhooks.asked).size).toBe(60);
  });

  it('are requested again by the next round if GitHub could not list them in this one', async () => {
    const w = world();
    await reconcile(w);
    w.clock.pass(2 * HOUR * MINUTE_MS);
    w.sentWebhooks.fails({ guid: 'lost', ...GROUP, minutes: HOUR });
    w.sentWebhooks.arrive = ({ guid, event }) => w.deliveries.markProcessed(guid, event, 5);
    w.stage.fail('sentWebhooks.listFailed', 'githubUnavailable');
    await rounds(w, 3);
    expect(w.sentWebhooks.asked).toHaveLength(1);
  });

  it('do not wait for one whose request fails, and that one is tried again', async () => {
    const w = world();
    w.sentWebhooks.fails({ guid: 'one' });
    w.sentWebhooks.fails({ guid: 'two' });
    w.sentWebhooks.arrive = ({ guid, event }) => w.deliveries.markProcessed(guid, event, 5);
    w.stage.fail('sentWebhooks.redeliver', 'githubUnavailable');
    expect(await reconcile(w)).toMatchObject({ redelivered: 1 });
    w.clock.pass(5 * MINUTE_MS);
    expect(await reconcile(w)).toMatchObject({ redelivered: 1 });
    expect(new Set(w.sentWebhooks.asked).size).toBe(2);
  });

  it('do not wait behind twenty-five that keep failing', async () => {
    const w = world();
    for (let count = 1; count <= 25; count += 1) w.sentWebhooks.fails({ guid: `poison-${count}`, ...GROUP });
    await rounds(w, 6);
    w.sentWebhooks.fails({ id: '99', guid: 'a late one', ...GROUP, minutes: 6 });
    w.sentWebhooks.fails({ id: '98', guid: 'another event' });
    await rounds(w, 6);
    expect(w.sentWebhooks.asked).toEqual(expect.arrayContaining(['98', '99']));
  });
});

it('keeps what the watch goes by when the App is installed again under another id', async () => {
  const w = world();
  await reconcile(w);
  const { saved } = w.openPulls;
  const [installed] = w.installations.all;
  if (!installed) throw new Error('no installation');
  w.stage.gate = async (call) => {
    if (call !== 'installations.repositories') return;
    w.installations.all.splice(0, 1, { ...installed, id: installed.id + 1 });
    await w.organizations.save({ ...installed, id: installed.id + 1 });
  };
  expect(await reconcile(w)).toMatchObject({ faults: [] });
  expect(saved).toEqual([expect.objectContaining({ head: HEAD })]);
  expect(w.organizations.stored).toMatchObject([{ installationId: installed.id + 1 }]);
});

it('judges every open head again, once more after a change meanwhile, and leaves the rest to the next round', async () => {
  const w = world();
  const org = await w.organizations.save(anInstallation());
  const deployments: number[] = [];
  const judgeAgain = createJudgeAgain(w, async ({ orgId }) => void deployments.push(orgId));
  const rounds = () => w.count('installations.repositories');
  let open = () => {};
  w.stage.gate = (call) =>
    call === 'installations.repositories'
      ? new Promise<void>((resolve) => (open = resolve))
      : Promise.resolve();
  judgeAgain(org);
  await until('the first round', () => rounds() === 1);
  // The round that runs may have missed any of these.
  judgeAgain(org);
  judgeAgain(org);
  w.stage.gate = async () => undefined;
  open();
  await until('the second round', () => rounds() === 2 && w.checkRuns.created.length === 1);
  await until('its end', () => w.stage.calls.at(-1) === 'openPulls.ofRepository');
  expect([rounds(), deployments, w.faults]).toEqual([2, [9, 9], []]);

  w.stage.fail('installations.get', 'githubUnavailable');
  judgeAgain(org);
  await until('the failure', () => w.faults.length === 1);
  expect(w.faults).toEqual([{ repository: 'octo-org/*' }]);
  judgeAgain(org);
  await until('a later round', () => rounds() === 3);
});

describe('the order of a reconciliation', () => {
  it('takes a wrong success away before it covers new heads', async () => {
    const w = world();
    w.approvals.put(anApproval());
    await reconcile(w);
    expect(w.shown(HEAD)?.conclusion).toBe('success');
    // As after a new installation: only GitHub knows which head is green.
    await w.openPulls.removeRepository(aPull().repo.id);
    w.pulls.all = [aPull({ number: 8, head: OTHER }), aPull({ base: 'release' })];
    await reconcile(w);
    expect(w.checkRuns.created.slice(-2).map(({ head }) => head)).toEqual([HEAD, OTHER]);
  });
});
