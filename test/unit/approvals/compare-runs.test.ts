import { describe, expect, it } from '@jest/globals';
import { AppError } from '../../../src/app-error.ts';
import { compareRun, compareRuns, createRestore } from '../../../src/approvals/compare-runs.ts';
import { trackAll } from '../../../src/approvals/track.ts';
import { anApproval, aPull, HEAD, REPO } from '../../support/fakes.ts';
import { type World, watchUpdates, world } from './world.ts';

const AT = { repo: REPO, repoId: 42, head: HEAD };
const OTHER = 'cd'.repeat(20);
const MINUTE = 60_000;

/** One head with its run, waiting or approved, and nothing noted of how it came to be. */
async function covered(
  options: { approved?: boolean } = {},
): Promise<World & { run: number; updated: number[] }> {
  const w = world();
  if (options.approved) w.approvals.put(anApproval());
  await trackAll(w);
  w.repaired.splice(0);
  w.stage.calls.splice(0);
  return { ...w, run: w.checkRuns.made[0]?.id ?? 0, updated: watchUpdates(w.checkRuns) };
}

const writes = (w: World) => w.stage.calls.filter((call) => /^checkRuns\.(create|update)$/.test(call));
/** One run more, that was made to wait and then completed; nothing was written to those before. */
function expectNewSuccess(w: World & { updated: number[] }, before: number[]): void {
  expect(writes(w)).toEqual(['checkRuns.create', 'checkRuns.update']);
  const newest = w.checkRuns.made.at(-1)?.id;
  expect(before).not.toContain(newest);
  expect(w.updated).toEqual([newest]);
  expect(w.shown(HEAD)).toMatchObject({ status: 'completed', conclusion: 'success' });
}
const settle = async () => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((done) => setImmediate(done));
};

describe('comparing a run with what GitHub shows', () => {
  it.each([false, true])('writes nothing if both are the same (approved: %p)', async (approved) => {
    const w = await covered({ approved });
    await compareRun(w, AT);
    expect([writes(w), w.repaired, w.faults]).toEqual([[], [], []]);
  });

  const DIFFERENT: [string, (w: World & { run: number }) => void][] = [
    ['somebody asked for a re-run', (w) => w.checkRuns.change(w.run, { status: 'queued', conclusion: null })],
    [
      'GitHub let it go stale',
      (w) => w.checkRuns.change(w.run, { status: 'completed', conclusion: 'stale' }),
    ],
    [
      'it is another run',
      (w) =>
        void w.checkRuns.made.push({
          id: 9,
          head: HEAD,
          content: { status: 'completed', conclusion: 'success', detailsUrl: '', title: '', summary: '' },
        }),
    ],
    ['GitHub shows none', (w) => w.checkRuns.lose(w.run)],
  ];

  it.each(DIFFERENT)('gives a waiting head one new run that waits, if %s', async (_what, change) => {
    const w = await covered();
    change(w);
    await compareRun(w, AT);
    expect(writes(w)).toEqual(['checkRuns.create']);
    expect(w.shown(HEAD)).toMatchObject({ status: 'in_progress' });
    expect(w.repaired).toEqual([{ repository: 'octo-org/hello', head: HEAD }]);
    await compareRun(w, AT);
    expect(writes(w)).toHaveLength(1);
  });

  it.each(DIFFERENT)('gives an approved head one new run that passes, if %s', async (_what, change) => {
    const w = await covered({ approved: true });
    change(w);
    if (w.shown(HEAD)?.conclusion === 'success' && w.checkRuns.made.at(-1)?.id === 9)
      w.checkRuns.change(9, { status: 'queued', conclusion: null });
    const before = w.checkRuns.made.map(({ id }) => id);
    await compareRun(w, AT);
    expectNewSuccess(w, before);
    await compareRun(w, AT);
    expect(writes(w)).toHaveLength(2);
  });

  it.each(['failure', 'cancelled', 'neutral', 'timed_out'])(
    'repairs an approved head that GitHub shows as %s',
    async (conclusion) => {
      const w = await covered({ approved: true });
      w.checkRuns.change(w.run, { status: 'completed', conclusion });
      await compareRun(w, AT);
      expectNewSuccess(w, [w.run]);
    },
  );

  it('makes a waiting head wait again if GitHub shows it as passed', async () => {
    const w = await covered();
    w.checkRuns.change(w.run, { status: 'completed', conclusion: 'success' });
    await compareRun(w, AT);
    expect(w.checkRuns.made).toHaveLength(2);
    expect(w.shown(HEAD)?.status).toBe('in_progress');
  });

  it('creates the run of a head if none is known, or the last attempt failed', async () => {
    const w = world();
    await compareRun(w, AT);
    expect(w.shown(HEAD)?.status).toBe('in_progress');
    const second = world();
    second.stage.fail('checkRuns.create', new AppError('githubUnavailable'));
    await compareRun(second, AT);
    expect(second.faults).toHaveLength(1);
    await compareRun(second, AT);
    expect(second.checkRuns.made).toHaveLength(1);
  });

  it.each(['runs.latest', 'checkRuns.find', 'checkRuns.create', 'approvals.ofHead'])(
    'logs a fault and repairs the run the next time: %s',
    async (call) => {
      const w = await covered();
      w.checkRuns.lose(w.run);
      w.stage.fail(call, new AppError('githubUnavailable'));
      await compareRun(w, AT);
      expect(w.faults).toEqual([{ repository: 'octo-org/hello', head: HEAD }]);
      await compareRun(w, AT);
      expect(w.shown(HEAD)?.status).toBe('in_progress');
    },
  );
});

describe('comparing runs in turn', () => {
  it('starts with those that were compared longest ago, and goes on after a fault', async () => {
    const w = world();
    w.pulls.all = [aPull(), aPull({ number: 8, head: OTHER })];
    await trackAll(w);
    await trackAll(w);
    for (const { id } of [...w.checkRuns.made]) w.checkRuns.lose(id);
    await compareRuns(w, 1);
    expect(w.checkRuns.made.map(({ head }) => head)).toEqual([HEAD]);
    w.clock.pass(MINUTE);
    await compareRuns(w, 1);
    expect(w.checkRuns.made.map(({ head }) => head)).toEqual([HEAD, OTHER]);
    w.clock.pass(MINUTE);
    w.stage.fail('checkRuns.find', new AppError('githubUnavailable'));
    for (const { id } of [...w.checkRuns.made]) w.checkRuns.lose(id);
    await compareRuns(w, 2);
    expect(w.faults).toHaveLength(1);
    expect(w.checkRuns.made.map(({ head }) => head)).toEqual([OTHER]);
  });
});

describe('a head that somebody looks at', () => {
  it('is compared in the background, at most once a minute', async () => {
    const w = await covered();
    const restore = createRestore(w);
    const looks = () => w.count('checkRuns.find');
    restore(AT);
    restore(AT);
    await settle();
    expect(looks()).toBe(1);
    w.clock.pass(MINUTE - 1);
    restore(AT);
    restore({ ...AT, head: OTHER });
    await settle();
    expect(looks()).toBe(1);
    expect(w.stage.calls.filter((call) => call === 'runs.latest').length).toBeGreaterThan(1);
    w.clock.pass(1);
    restore(AT);
    await settle();
    expect(looks()).toBe(2);
  });

  it('is repaired, and a fault is only logged', async () => {
    const w = await covered();
    w.checkRuns.lose(w.run);
    const restore = createRestore(w);
    w.stage.fail('checkRuns.find', new AppError('githubUnavailable'));
    expect(restore(AT)).toBeUndefined();
    await settle();
    expect(w.faults).toHaveLength(1);
    w.clock.pass(MINUTE);
    restore(AT);
    await settle();
    expect(w.shown(HEAD)?.status).toBe('in_progress');
  });
});
