import type { ActivityData } from '../../contract/activity.ts';
import { noticesTo } from '../../notices/notices-to.ts';
import type { DeploymentDeps } from '../deps.ts';
import { keyOf, type ShownRun } from '../judge/judge-deployment.ts';
import { isSameEnvironment, nameOf } from '../ports.ts';

/** The parts of a log entry that name a deployment. */
const deploymentData = ({ repo, run, environment, org }: ShownRun): ActivityData => ({
  ...{ sha: run.head, run: run.id, environment, base: run.ref },
  ...{ repo: repo.name, org: org.name },
});

/**
 * Logs that somebody started jobs that wait without OTP Guard's approval, and notifies the owners. Calling it again changes
 * nothing.
 *
 * @returns False if GitHub shows nobody who did.
 */
export async function logBypass(deps: DeploymentDeps, shown: ShownRun): Promise<boolean> {
  const { repo, run, environment, org } = shown;
  if (run.isCancelled) return false;
  const reviews = (await deps.workflowRuns.reviews(repo, run.id)) ?? [];
  const isOfThis = (name: string) => isSameEnvironment(name, environment);
  const approvals = reviews.filter(
    ({ state, environments }) => state === 'approved' && environments.some(isOfThis),
  );
  const found = approvals.findLast(({ by }) => by?.isMachine === false);
  if (!found?.by) return false;
  // A reviewer whom GitHub asks too starts nothing alone, and only after an App's approval together with it.
  const isAlone = approvals.every(({ by }) => by?.isMachine === false);
  const isReviewed = await deps.workflowRuns.hasReviewers(repo, environment);
  if (isReviewed && !isAlone) return false;
  // The approval can also be that of an earlier attempt.
  const isSure = !isReviewed && run.attempt === 1;
  if (!isSure && !(await deps.workflowRuns.hasStarted(repo, run, environment))) return false;
  const { id, login } = found.by;
  const [owners, userId] = await Promise.all([
    deps.memberships.ownersToNotify(org.id),
    deps.users.userIdOf(id),
  ]);
  await deps.findings.add(`deploy-bypass:${nameOf(keyOf(shown))}`, {
    activity: {
      activity: 'deployBypass',
      userId: userId ?? '',
      orgRecordId: org.id,
      data: { ...deploymentData(shown), login },
      facts: { repoId: run.repoId },
      personFacts: { by: { id, login } },
    },
    notices: noticesTo(owners, 'deployBypassed', {
      ...{ org: org.name, by: login, label: repo.name, run: run.id, environment },
    }),
  });
  return true;
}

/** Logs a run that OTP Guard refuses, with the person who started it. Calling it again changes nothing. */
export async function logRefusal(
  deps: DeploymentDeps,
  shown: ShownRun,
  why: NonNullable<ActivityData['why']>,
): Promise<void> {
  const { org, run } = shown;
  const { startedBy: by } = run;
  const userId = by && (await deps.users.userIdOf(by.id));
  await deps.findings.add(`deploy-refusal:${nameOf(keyOf(shown))}`, {
    activity: {
      activity: 'deployRefuse',
      userId: userId ?? '',
      orgRecordId: org.id,
      data: { ...deploymentData(shown), why, login: by?.login ?? '' },
      facts: { repoId: run.repoId },
      personFacts: by ? { by: { id: by.id, login: by.login } } : {},
    },
    notices: [],
  });
}
