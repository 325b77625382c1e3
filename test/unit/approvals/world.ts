import { jest } from '@jest/globals';
import type { CheckRuns, Spot } from '../../../src/approvals/ports.ts';
import { anInstallation, aPull, aRepository, fakeGitHub, fakeStores } from '../../support/fakes.ts';

export const PLACES = { publicUrl: 'https://guard.example.org', githubUrl: 'https://github.com' };

/** One installation with two repositories, `hello` with the open pull request `aPull()`, and `world` without any. */
export function world() {
  const stores = fakeStores();
  const faults: Spot[] = [];
  const repaired: Spot[] = [];
  const deps = {
    ...stores,
    ...fakeGitHub(stores.stage, stores.clock),
    places: PLACES,
    onFault: (_error: unknown, at: Spot) => void faults.push(at),
    onRepair: (at: Spot) => void repaired.push(at),
  };
  const repositories = [aRepository(), aRepository({ id: 43, name: 'world' })];
  deps.installations.all.push({ ...anInstallation(), repositories });
  deps.pulls.all = [aPull()];
  return {
    ...deps,
    faults,
    repaired,
    /** What GitHub shows of a head. */
    shown: (head: string) => deps.checkRuns.shown(head)?.content,
    count: (call: string) => deps.stage.calls.filter((one) => one === call).length,
  };
}

/** Time stands still until a test lets it pass; promises settle as ever. */
export const fakeTimers = () =>
  void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });

/** The ids of the runs that are written to from now on. */
export function watchUpdates(checkRuns: CheckRuns): number[] {
  const updated: number[] = [];
  const { update } = checkRuns;
  checkRuns.update = (repo, id, content) => {
    updated.push(id);
    return update.call(checkRuns, repo, id, content);
  };
  return updated;
}

export type World = ReturnType<typeof world>;
