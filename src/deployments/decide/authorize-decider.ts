import {
  type AuthorizedTarget,
  askGitHub,
  findAccount,
  keepUpToDate,
  repositoryOf,
  requireAccess,
} from '../../approvals/approve/authorize-approver.ts';
import type { DeploymentTarget } from '../../contract/deployments.ts';
import type { Person } from '../../people/ports.ts';
import { AppError } from '../../shared/app-error.ts';
import type { DeploymentDeps } from '../deps.ts';
import { keyOf, type ShownRun } from '../judge/judge-deployment.ts';
import type { Deployment } from '../ports.ts';

/** A deployment that GitHub confirmed, with GitHub's own names and ids. */
export type AuthorizedDeployment = Pick<AuthorizedTarget, 'org' | 'repo' | 'fromOutside'> & {
  shown: ShownRun;
  deployment: Deployment;
};

/**
 * Reads from GitHub whether this person may decide about a deployment: the same as for a pull request of its repository. The
 * client's fields only say what to read.
 *
 * @throws AppError `deploymentNotFound` if the run isn't in a repository of the account, or if GitHub didn't ask about it;
 *   `runMoved` for another attempt than the one that the person saw or that GitHub asked about; `noRepositoryAccess`; each
 *   refusal of `askGitHub`.
 */
export async function authorizeDecider(
  deps: DeploymentDeps,
  person: Pick<Person, 'githubId' | 'login'>,
  target: DeploymentTarget,
): Promise<AuthorizedDeployment> {
  const knownAccount = await findAccount(deps, target);
  if (knownAccount.account?.orgId !== target.ownerID) throw new AppError('installationNotFound');
  const named = repositoryOf(target);
  const asked = await askGitHub(deps, { person, target, knownAccount }, () =>
    deps.workflowRuns.get(named, target.run),
  );
  const { installation, standing, permission, subject: run } = asked;
  requireAccess(installation, permission);
  const org = await keepUpToDate(deps, knownAccount.stored, installation);
  if (run?.ownerId !== org.orgId) throw new AppError('deploymentNotFound');
  if (target.attempt !== undefined && target.attempt !== run.attempt) throw new AppError('runMoved');
  const key = keyOf({ run, environment: target.environment });
  const found = await deps.deployments.find(key);
  // The link to the attempt before is still on GitHub, and this one may not have reached the environment.
  if (!found && (await deps.deployments.find({ ...key, attempt: key.attempt - 1 })))
    throw new AppError('runMoved');
  if (found?.orgId !== org.orgId || found.head !== run.head) throw new AppError('deploymentNotFound');
  const { environment } = found;
  const repo = { ...named, ...run.repo };
  return {
    org,
    repo,
    fromOutside: standing === 'outside',
    shown: { repo, run, environment, org },
    // Until it's looked at again, the record can say that a run waits which GitHub shows as ended.
    deployment: found.state === 'waiting' && run.hasEnded ? { ...found, state: 'ended' } : found,
  };
}
