import { describe, expect, it } from '@jest/globals';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { problems } from '../../../src/contract/problems.ts';
import { decide } from '../../../src/deployments/decide/decide.ts';
import { deployOptions } from '../../../src/deployments/decide/deploy-options.ts';
import { keyOf } from '../../../src/deployments/judge/judge-deployment.ts';
import { reconcileDeployments } from '../../../src/deployments/review/reconcile-deployments.ts';
import { retryDeployments } from '../../../src/deployments/review/retry-deployments.ts';
import { AppError } from '../../../src/shared/app-error.ts';
import { anInstallation, REPO } from '../../support/fakes.ts';
import { world as approvalWorld, mona, target as ofPull } from '../approvals/approval-world.ts';

const { pr: _, head: __, repoID: ___, ...repository } = ofPull;
const target = { ...repository, run: 77, environment: 'release', attempt: 1 };
const HOUR_MS = 60 * 60_000;
const REASON = 'Not on a Friday';

/** Mona, who decides about a release that waits. */
async function world() {
  const w = await approvalWorld();
  const run = w.workflowRuns.put();
  const { head, ref, event, workflow } = run;
  const key = keyOf({ run, environment: 'release' });
  await w.deployments.request({ ...key, orgId: 9, repo: REPO, head, ref, event, workflow });
  return {
    ...w,
    async decide(reason?: string) {
      const { options } = await deployOptions(w, { person: mona, target, reason, method: undefined });
      const response = w.key.get(options) as AuthenticationResponseJSON;
      return decide(w, { person: mona, target, reason, proof: { response } });
    },
    state: () => w.deployments.stored[0]?.state,
    states: () => w.workflowRuns.written.map(({ state }) => state),
    /** Lets an hour pass in which the scheduler tries again. Returns how often it asked GitHub about the run. */
    async anHour() {
      const pauses = new Map();
      w.stage.calls.splice(0);
      for (let passed = 0; passed < HOUR_MS; passed += 15_000) {
        await retryDeployments(w, pauses).catch(() => undefined);
        w.clock.pass(15_000);
      }
      return w.stage.calls.filter((call) => call === 'workflowRuns.get').length;
    },
  };
}
type World = Awaited<ReturnType<typeof world>>;

const REVIEW = 'workflowRuns.review';
const SAFE = { passed: false, reported: false };
const UNKNOWN = "OTP Guard can't tell yet what else the deployment needs.";

type Taken = {
  /** Happens right before this call that follows from the stored decision: the review, if it isn't named. */
  happens(w: World): void;
  at?: string;
  /** How GitHub refuses from then on. */
  refusal?: ConstructorParameters<typeof AppError>[0];
  answer: object;
  state: string;
  /** How often the scheduler asks about the run in the next hour, at most. */
  most: number;
  restore?(w: World): unknown;
};

describe('a decision while GitHub takes away', () => {
  const suspend = (isSuspended: boolean) => (w: World) =>
    w.organizations.save(anInstallation({ suspended: isSuspended }));

  it.each<[string, Taken]>([
    [
      'our rule of the environment',
      {
        happens: (w) => Object.assign(w.workflowRuns, { isAsked: false, gated: false }),
        answer: { passed: false, reported: true, needs: problems.deploymentDecided[1] },
        state: 'ended',
        most: 0,
      },
    ],
    [
      'our rule, which is on again',
      {
        happens: (w) => Object.assign(w.workflowRuns, { isAsked: false }),
        answer: { reported: false },
        state: 'waiting',
        most: 0,
        restore: (w) => Object.assign(w.workflowRuns, { isAsked: true }),
      },
    ],
    [
      'the permission to review',
      {
        happens: () => undefined,
        refusal: 'permissionMissing',
        answer: { ...SAFE, needs: problems.permissionMissing[1] },
        state: 'waiting',
        most: 20,
        restore: () => undefined,
      },
    ],
    [
      'the permission to read runs',
      {
        happens: () => undefined,
        at: 'workflowRuns.get',
        refusal: 'permissionMissing',
        answer: { ...SAFE, needs: problems.permissionMissing[1] },
        state: 'waiting',
        most: 20,
        restore: () => undefined,
      },
    ],
    [
      'the installation, which is suspended',
      {
        happens: suspend(true),
        refusal: 'installationSuspended',
        answer: { ...SAFE, needs: problems.installationSuspended[1] },
        state: 'waiting',
        most: 0,
        restore: suspend(false),
      },
    ],
    [
      'the repository from the installation',
      {
        happens: (w) => w.workflowRuns.runs.splice(0),
        refusal: 'githubUnavailable',
        answer: { ...SAFE, needs: UNKNOWN },
        state: 'waiting',
        most: 1,
        restore: (w) => w.workflowRuns.put(),
      },
    ],
  ])('%s is never shown as taken, and costs less and less', async (_what, taken) => {
    const { happens, at = REVIEW, refusal, answer, state, most, restore } = taken;
    for (const reason of [undefined, REASON]) {
      const w = await world();
      let isTaken = false;
      w.stage.gate = async (call) => {
        const isNow = call === at && w.decisions.stored.length > 0;
        if (isNow && !isTaken) happens(w);
        isTaken ||= isNow;
        if (isTaken && call === at && refusal) throw new AppError(refusal);
      };
      const given = await w.decide(reason);
      expect(given).toMatchObject(answer);
      expect([w.state(), w.states()]).toEqual([state, []]);
      expect(await w.anHour()).toBeLessThanOrEqual(most);
      expect([w.state(), w.states()]).toEqual([state, []]);
      if (!restore) continue;
      w.stage.gate = async () => undefined;
      await restore(w);
      await reconcileDeployments(w);
      const taken = reason === undefined ? 'approved' : 'rejected';
      expect([w.state(), w.states()]).toEqual([taken, [taken]]);
    }
  });

  it('a permission for good is tried for 30 days', async () => {
    const w = await world();
    w.stage.gate = async (call) => {
      if (call === REVIEW) throw new AppError('permissionMissing');
    };
    await w.decide();
    w.clock.pass(30 * 24 * HOUR_MS - 1);
    expect(await w.anHour()).toBeGreaterThan(0);
    expect(await w.anHour()).toBe(0);
    await reconcileDeployments(w);
    expect(w.state()).toBe('expired');
  });
});
