import type { ActivityData } from '../../contract/activity.ts';
import { noticesTo } from '../../notices/notices-to.ts';
import type { NewNotice } from '../../notices/ports.ts';
import type { Contributor } from '../../policies/details.ts';
import type { DeploymentDeps } from '../deps.ts';
import { keyOf, type ShownRun } from '../judge/judge-deployment.ts';
import { nameOf, type RunReview } from '../ports.ts';

/**
 * Logs that somebody started jobs that wait without OTP Guard's approval, and notifies the owners. Calling it again changes
 * nothing.
 *
 * @param reviews What GitHub lists of reviews of the environment.
 * @returns False if it shows nobody who did.
 */
export async function logBypass(
  deps: DeploymentDeps,
  shown: ShownRun,
  reviews: RunReview[],
): Promise<boolean> {
  const { repo, run, environment, org } = shown;
  if (run.isCancelled) return false;
  const approvals = reviews.filter(({ state }) => state === 'approved');
  const people = approvals.flatMap(({ by }) => (by?.isMachine === false ? [by] : []));
  const by = people.at(-1);
  if (!by) return false;
  // A reviewer whom GitHub asks too starts nothing alone, and only after an App's approval together with it.
  const isReviewed = await deps.workflowRuns.hasReviewers(repo, environment);
  if (isReviewed && people.length < approvals.length) return false;
  // The approval can also be that of an earlier attempt.
  const isSure = !isReviewed && run.attempt === 1;
  if (!isSure && !(await deps.workflowRuns.hasStarted(repo, run, environment))) return false;
  const about = { org: org.name, by: by.login, label: repo.name, run: run.id, environment };
  const notices = noticesTo(await deps.memberships.ownersToNotify(org.id), 'deployBypassed', about);
  await addFinding(deps, shown, { activity: 'deployBypass', by, data: {}, notices });
  return true;
}

/** Logs a run that OTP Guard refuses, with the person who started it. Calling it again changes nothing. */
export const logRefusal = (deps: DeploymentDeps, shown: ShownRun, why: NonNullable<ActivityData['why']>) =>
  addFinding(deps, shown, { activity: 'deployRefuse', by: shown.run.startedBy, data: { why }, notices: [] });

type Finding = {
  activity: 'deployBypass' | 'deployRefuse';
  by: Contributor | null;
  data: ActivityData;
  notices: NewNotice[];
};

async function addFinding(
  deps: DeploymentDeps,
  shown: ShownRun,
  { activity, by, data, notices }: Finding,
): Promise<void> {
  const { repo, run, environment, org } = shown;
  const userId = by && (await deps.users.userIdOf(by.id));
  const about = { sha: run.head, run: run.id, environment, base: run.ref, repo: repo.name, org: org.name };
  await deps.findings.add(`${activity}:${nameOf(keyOf(shown))}`, {
    activity: {
      ...{ activity, userId: userId ?? '', orgRecordId: org.id },
      data: { ...about, ...data, login: by?.login ?? '' },
      facts: { repoId: run.repoId },
      personFacts: by ? { by: { id: by.id, login: by.login } } : {},
    },
    notices,
  });
}
