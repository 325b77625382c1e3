import { describe, expect, it } from '@jest/globals';
import { keyOf } from '../../../src/deployments/judge/judge-deployment.ts';
import type { WorkflowRun } from '../../../src/deployments/ports.ts';
import { retryDeployments } from '../../../src/deployments/review/retry-deployments.ts';
import { syncDeployment } from '../../../src/deployments/review/sync-deployment.ts';
import { UNMEETABLE_POLICY } from '../../../src/policies/policy.ts';
import { AppError } from '../../../src/shared/app-error.ts';
import { aDecision, aDenial, anInstallation, REPO } from '../../support/fakes.ts';
import { aPolicy } from '../../support/policies.ts';
import { world as wholeWorld } from '../approvals/world.ts';

/** A run that waits at `release`, and was told so. */
async function world() {
  const deps = wholeWorld();
  await deps.organizations.save(anInstallation());
  deps.members.set(9, 11, 'member');
  const run = deps.workflowRuns.put();
  const { head, ref, event, workflow } = run;
  const key = keyOf({ run, environment: 'release' });
  const request = () =>
    deps.deployments.request({ ...key, orgId: 9, repo: REPO, head, ref, event, workflow });
  await request();
  return {
    ...deps,
    /** Mona approves, which makes the deployment due. */
    approve: async () => {
      deps.clock.pass(1);
      deps.decisions.put({ at: new Date(deps.clock.now()) });
      await request();
    },
    sync: () => syncDeployment(deps, key),
    states: () => deps.workflowRuns.written.map(({ state }) => state),
  };
}

describe('an approval that GitHub can’t take back', () => {
  type Asked = Awaited<ReturnType<typeof world>>;
  const GET = 'workflowRuns.get';
  const change = (w: Asked, to: Partial<WorkflowRun>) => Object.assign(w.workflowRuns.runs[0] ?? {}, to);

  /** A rule that asks GitHub about people, too. */
  const ruled = (require: object = {}) => aPolicy([{ when: { refs: ['main'] }, require }]);

  /** Lets this happen at a step on the way, before or after the effect of a call. */
  async function syncWith(w: Asked, step: number, happens: (w: Asked) => void): Promise<string[]> {
    const steps: string[] = [];
    w.stage.gate = async (call) => {
      if (steps.push(call) === step + 1) happens(w);
    };
    w.clock.pass(1);
    await w.sync().catch((error: unknown) => expect(error).toBeInstanceOf(AppError));
    w.stage.gate = async () => undefined;
    return steps;
  }

  /** The last step at which a change must be noticed: what the store has is read last, and the run right before it. */
  const lastOf = (steps: string[], isOfRun: boolean) =>
    steps.lastIndexOf(isOfRun ? GET : `${GET} answered`, steps.lastIndexOf('workflowRuns.review'));

  it.each<[what: string, happens: (w: Asked) => void, states: string[], isOfRun?: boolean]>([
    ['the policy asks for more', (w) => (w.policies.policy = ruled({ approvals: 2 })), []],
    ['the policy isn’t ours', (w) => (w.policies.policy = UNMEETABLE_POLICY), []],
    ['its approval is withdrawn', (w) => void w.decisions.stored.splice(0), []],
    ['its commit is denied', (w) => w.approvals.put(aDenial()), []],
    ['somebody rejects it', (w) => w.decisions.put({ decision: 'reject', githubId: 2 }), ['rejected']],
    ['the approval expires', (w) => void (w.decisions.stored[0] ?? aDecision()).at.setTime(0), []],
    ['the reading gets old', (w) => w.clock.pass(40_001), ['approved']],
    ['the run is cancelled', (w) => change(w, { hasEnded: true, isCancelled: true }), [], true],
    ['the run is started again', (w) => change(w, { attempt: 2 }), [], true],
    ['another repository gets its name', (w) => change(w, { repoId: 43 }), [], true],
  ])('isn’t given if %s on the way, at any step', async (_what, happens, states, isOfRun = false) => {
    const begin = async () => {
      const w = await world();
      w.policies.policy = ruled();
      await w.sync();
      await w.approve();
      return w;
    };
    const plain = await begin();
    const steps = await syncWith(plain, Number.POSITIVE_INFINITY, () => undefined);
    expect(plain.states()).toEqual(['pending', 'approved']);
    const last = lastOf(steps, isOfRun);
    expect(last).toBeGreaterThan(steps.indexOf('policies.inForce'));
    for (let step = steps.indexOf(GET, steps.indexOf('deployments.find')); step <= last; step += 1) {
      const w = await begin();
      await syncWith(w, step, happens);
      expect([step, ...w.states()]).not.toContain('approved');
      // The next try goes by what is there now.
      w.clock.pass(1);
      await retryDeployments(w, new Map());
      expect([step, ...w.states().filter((state) => state !== 'pending')]).toEqual([step, ...states]);
    }
  });
});
