import { jest } from '@jest/globals';
import type { CheckRuns } from '../../../src/approvals/ports.ts';
import type { SyncTarget } from '../../../src/approvals/sync-target.ts';
import {
  anInstallation,
  aPull,
  aRepository,
  fakeGitHub,
  fakeStores,
  HEAD,
  REPO,
} from '../../support/fakes.ts';

export const ORIGINS = { publicUrl: 'https://guard.example.org', githubUrl: 'https://github.com' };

/** The head of `aPull()`. */
export const HEAD_REF = { repo: REPO, repoId: 42, head: HEAD };
/** Another commit. */
export const OTHER = 'cd'.repeat(20);

/** One installation with two repositories, `hello` with the open pull request `aPull()`, and `world` without any. */
export function world() {
  const stores = fakeStores();
  const faults: SyncTarget[] = [];
  const repaired: SyncTarget[] = [];
  const forged: SyncTarget[] = [];
  const silences: { installation: number; since: Date }[] = [];
  const deps = {
    ...stores,
    ...fakeGitHub(stores.stage, stores.clock),
    origins: ORIGINS,
    // With jest's timers, which a test can move.
    sleep: (ms: number) => new Promise((done) => setTimeout(done, ms)),
    onSyncFailed: (_error: unknown, target: SyncTarget) => void faults.push(target),
    onRepaired: (target: SyncTarget) => void repaired.push(target),
    onForgedCheck: (target: SyncTarget) => void forged.push(target),
    onSilence: (silence: { installation: number; since: Date }) => void silences.push(silence),
  };
  const repositories = [aRepository(), aRepository({ id: 43, name: 'world' })];
  deps.installations.all.push({ ...anInstallation(), repositories });
  deps.pulls.all = [aPull()];
  return {
    ...deps,
    faults,
    repaired,
    forged,
    silences,
    /** The requests so far that wrote runs. */
    writes: () => deps.stage.calls.filter((call) => /^checkRuns\.(create|update)$/.test(call)),
    /** The run that GitHub shows on a head. */
    shown: (head: string) => deps.checkRuns.shown(head)?.content,
    count: (call: string) => deps.stage.calls.filter((one) => one === call).length,
  };
}

/** Time stands still until a test lets it pass; promises settle as ever. */
export const fakeTimers = () =>
  void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });

/** Records the ids of the runs that are updated from now on. */
export function watchUpdates(checkRuns: CheckRuns): number[] {
  const updated: number[] = [];
  const { update } = checkRuns;
  checkRuns.update = (repo, id, ...rest) => {
    updated.push(id);
    return update.call(checkRuns, repo, id, ...rest);
  };
  return updated;
}

/** Records the priorities of the runs that are created, or updated, from now on. */
export function watchPriorities(checkRuns: CheckRuns, write: 'create' | 'update' = 'create'): string[] {
  const priorities: string[] = [];
  const before = checkRuns[write] as (...input: unknown[]) => Promise<never>;
  checkRuns[write] = (...input: unknown[]) => {
    priorities.push(String(input[3]));
    return before.apply(checkRuns, input);
  };
  return priorities;
}

export type World = ReturnType<typeof world>;
