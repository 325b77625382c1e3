import { describe, expect, it } from '@jest/globals';
import { reconcile } from '../../../src/approvals/reconcile/reconcile.ts';
import {
  silentInstallations,
  watchGreenHeads,
  watchIntervalMs,
} from '../../../src/approvals/reconcile/watch-green-heads.ts';
import { anApproval, aPull, HEAD, REPO } from '../../support/fakes.ts';
import { until } from '../../support/until.ts';
import { OTHER, world } from './world.ts';

const WORLDS = 'ef'.repeat(20);
const MINUTE = 60_000;

/** A green head, ten minutes after the product began to listen. */
async function green() {
  const w = world();
  w.approvals.put(anApproval());
  await reconcile(w);
  const listening = { ...w, listeningSince: w.clock.now() };
  w.clock.pass(10 * MINUTE);
  w.stage.calls.splice(0);
  return {
    ...listening,
    /** Changes the open pull requests now, without a webhook. */
    quietly(pulls: Parameters<typeof aPull>[0][]) {
      w.pulls.all = pulls.map((change) => aPull(change));
      for (const { number } of w.pulls.all) w.pulls.times.set(number, w.clock.now());
    },
    async nextLook() {
      w.clock.pass(30_000);
      await watchGreenHeads(listening);
    },
    silent: () => silentInstallations(listening),
  };
}

describe('looking at green heads', () => {
  it.each<[string, Parameters<typeof aPull>[0][]]>([
    ['a second pull request with the head', [{}, { number: 8, base: 'release' }]],
    ['another base', [{ base: 'release' }]],
  ])('takes green away within 30 seconds without a webhook: %s', async (_what, pulls) => {
    const w = await green();
    w.quietly(pulls);
    await w.nextLook();
    expect([w.shown(HEAD)?.status, w.faults]).toEqual(['in_progress', []]);
  });

  it('covers a new head, and writes nothing if nothing changed', async () => {
    const w = await green();
    w.quietly([{ head: OTHER }]);
    await w.nextLook();
    expect(w.shown(OTHER)?.status).toBe('in_progress');
    w.approvals.put(anApproval({ head: OTHER }));
    await reconcile(w);
    w.stage.calls.splice(0);
    await w.nextLook();
    expect(w.stage.calls.filter((call) => /^(pullRequests|checkRuns)\./.test(call))).toEqual([
      'pullRequests.listRecentlyUpdated',
    ]);
  });

  it('begins with the head that is green, even if the list begins with another head', async () => {
    const w = await green();
    w.quietly([{ number: 8, head: OTHER }]);
    await w.nextLook();
    w.quietly([{ number: 8, head: OTHER, base: 'release' }, { base: 'release' }]);
    await w.nextLook();
    expect(w.checkRuns.created.slice(-2).map(({ head }) => head)).toEqual([HEAD, OTHER]);
  });

  it('takes green away in one repository before it covers a new head in another', async () => {
    const w = await green();
    const inWorld = { number: 1, head: WORLDS, repo: { ...aPull().repo, id: 43, name: 'world' } };
    w.quietly([{}, inWorld]);
    w.approvals.put(anApproval({ repoId: 43, pr: 1, head: WORLDS }));
    await reconcile(w);
    w.quietly([{ head: OTHER }, { ...inWorld, base: 'release' }]);
    await w.nextLook();
    expect(w.checkRuns.created.slice(-2).map(({ head }) => head)).toEqual([WORLDS, OTHER]);
  });

  it('leaves new heads to the next look if GitHub lets their checks wait for longer than a look', async () => {
    const w = await green();
    const heads = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6'].map((hex) => hex.repeat(20));
    w.quietly([{}, ...heads.map((head, at) => ({ number: 20 + at, head }))]);
    const { create } = w.checkRuns;
    w.checkRuns.create = async (...write) => {
      w.clock.pass(20_000);
      return create.apply(w.checkRuns, write);
    };
    await w.nextLook();
    const covered = heads.filter((head) => w.shown(head)).length;
    expect([covered > 0, covered < heads.length]).toEqual([true, true]);
    await w.nextLook();
    expect(heads.filter((head) => w.shown(head))).toEqual(heads);
  });

  it('takes green away even if the process died right after GitHub showed it', async () => {
    const w = world();
    await reconcile(w);
    w.approvals.put(anApproval());
    const { update } = w.checkRuns;
    w.checkRuns.update = async (...write) => {
      await update.apply(w.checkRuns, write);
      throw new Error('The process died.');
    };
    await reconcile(w);
    expect(w.shown(HEAD)?.conclusion).toBe('success');
    w.checkRuns.update = update;
    w.pulls.all = [aPull({ base: 'release' })];
    w.clock.pass(MINUTE);
    await watchGreenHeads(w);
    expect(w.shown(HEAD)?.status).toBe('in_progress');
  });

  it('asks nothing more once the process is about to end', async () => {
    const w = await green();
    await watchGreenHeads({ ...w, isStopping: () => true });
    expect(w.count('pullRequests.listRecentlyUpdated')).toBe(0);
  });

  it('asks only about repositories with a green head', async () => {
    const w = world();
    await reconcile(w);
    await watchGreenHeads(w);
    expect(w.count('pullRequests.listRecentlyUpdated')).toBe(0);
  });

  it('takes turns if there are more than 150 repositories, and looks at each equally often', async () => {
    const w = await green();
    const asked: number[][] = [];
    const repositories = Array.from({ length: 400 }, (_, id) => ({ ...REPO, id, name: `r${id}` }));
    w.openPulls.greenRepositories = async () => repositories;
    w.pulls.listRecentlyUpdated = async ({ name }) => {
      asked.at(-1)?.push(Number(name.slice(1)));
      return [];
    };
    const look = async () => {
      asked.push([]);
      w.clock.pass(30_000);
      await watchGreenHeads(w);
    };
    for (let slot = 0; slot < 3; slot += 1) await look();
    expect(Math.max(...asked.map(({ length }) => length))).toBeLessThanOrEqual(150);
    expect(new Set(asked.flat()).size).toBe(400);
    const intervals = [0, 150, 151, 400].map((count) =>
      watchIntervalMs(REPO.installation, repositories.slice(0, count)),
    );
    expect(intervals).toEqual([30_000, 30_000, 60_000, 90_000]);
  });

  it('gives each installation a share, so that the size of one delays no other', async () => {
    const w = await green();
    const asked: number[] = [];
    const ofStranger = Array.from({ length: 1_500 }, (_, id) => ({ ...REPO, id, name: `r${id}` }));
    const ours = { ...REPO, installation: 6, id: 9_000, name: 'ours' };
    const all = [...ofStranger, ours];
    w.openPulls.greenRepositories = async () => all;
    w.pulls.listRecentlyUpdated = async ({ installation }) => {
      asked.push(installation);
      return [];
    };
    for (let slot = 1; slot <= 3; slot += 1) {
      w.clock.pass(30_000);
      await watchGreenHeads(w);
      expect(asked.filter((one) => one === 6)).toHaveLength(slot);
    }
    expect(asked.length).toBeLessThanOrEqual(3 * 150);
    expect([5, 6].map((one) => watchIntervalMs(one, all))).toEqual([11 * 30_000, 30_000]);
  });

  it('looks at the other installations while GitHub answers nothing about one', async () => {
    const w = await green();
    const silent = Array.from({ length: 20 }, (_, id) => ({ ...REPO, id, name: `r${id}` }));
    w.openPulls.greenRepositories = async () => [
      ...silent,
      { ...REPO, installation: 6, id: 9, name: 'ours' },
    ];
    const asked: number[] = [];
    const end = new AbortController();
    w.pulls.listRecentlyUpdated = async ({ installation }) => {
      asked.push(installation);
      if (installation !== 6) await new Promise((resolve) => end.signal.addEventListener('abort', resolve));
      return [];
    };
    w.clock.pass(30_000);
    const look = watchGreenHeads(w);
    await until('a look at the other installation', () => asked.includes(6));
    w.clock.pass(30_001);
    end.abort();
    await look;
    // Its own time has ended, so that the next look comes in time.
    expect(asked.length).toBeLessThan(10);
  });

  it('continues if one repository fails, and tries that one again', async () => {
    const w = await green();
    w.quietly([{ base: 'release' }]);
    w.stage.fail('pullRequests.listRecentlyUpdated', 'githubUnavailable');
    await w.nextLook();
    expect(w.faults).toEqual([{ repository: 'octo-org/hello' }]);
    await w.nextLook();
    expect(w.shown(HEAD)?.status).toBe('in_progress');
  });
});

describe('webhooks that stop', () => {
  it('are reported once if none came for two minutes after a change, until they arrive again', async () => {
    const w = await green();
    w.quietly([{ base: 'release' }]);
    const began = new Date(w.clock.now().getTime() + 30_000);
    for (let look = 0; look < 4; look += 1) await w.nextLook();
    expect([await w.silent(), w.silences]).toEqual([[], []]);
    for (let look = 0; look < 3; look += 1) await w.nextLook();
    expect(await w.silent()).toEqual([{ installation: 5, at: began }]);
    expect(w.silences).toEqual([{ installation: 5, since: began }]);
    await w.deliveries.markProcessed('one', 'push', 5);
    expect(await w.silent()).toEqual([]);
  });

  it('are noticed by a reconciliation too', async () => {
    const w = await green();
    w.quietly([{}, { number: 8, head: OTHER }]);
    await reconcile(w);
    w.clock.pass(2 * MINUTE + 1);
    expect(await w.silent()).toHaveLength(1);
  });

  it.each<[string, (w: Awaited<ReturnType<typeof green>>) => unknown]>([
    ['nothing happens', () => undefined],
    [
      'it changed in the first minute after the process began to listen',
      (w) => w.pulls.times.set(7, new Date(w.listeningSince.getTime() + MINUTE)),
    ],
    ['a webhook is only late', (w) => w.deliveries.markProcessed('one', 'pull_request', 5)],
    ['it changed while no process was listening', (w) => w.pulls.times.set(7, w.listeningSince)],
  ])('are not suspected if %s', async (what, change) => {
    const w = await green();
    if (what !== 'nothing happens') w.quietly([{ base: 'release' }]);
    if (!what.includes('late')) await change(w);
    await w.nextLook();
    if (what.includes('late')) await change(w);
    for (let look = 0; look < 60; look += 1) await w.nextLook();
    expect([await w.silent(), w.silences]).toEqual([[], []]);
  });
});
