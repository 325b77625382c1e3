import { setTimeout as delay } from 'node:timers/promises';
import type { DeploymentKey } from '../../approvals/ports.ts';
import type { RepositoryRef } from '../../organizations/ports.ts';
import type { DeploymentDeps } from '../deps.ts';
import { keyOf, type ShownRun } from '../judge/judge-deployment.ts';
import { syncDeployment } from './sync-deployment.ts';

/** What GitHub's webhook says: that a job wants to deploy to an environment. */
export type RequestedDeployment = {
  repo: RepositoryRef & { id: number };
  environment: string;
  /** The address to which GitHub wants the review. */
  callbackUrl: string;
  /** The commit; null if the webhook doesn't have it. */
  head: string | null;
};

/** GitHub can show a run so much later than it asks about it. */
const PAUSES_MS = [1_000, 4_000, 15_000];

/**
 * Answers GitHub's request for a deployment: stores it, then tells GitHub what it waits for, or reviews it. All jobs of an
 * attempt that want to deploy to one environment are one deployment.
 *
 * @throws AppError `githubUnavailable`, `storeUnavailable`; GitHub's redelivery and the reconciliation try again.
 */
export async function onRequested(
  deps: DeploymentDeps & { githubApiUrl: string },
  { repo, environment, callbackUrl, head }: RequestedDeployment,
): Promise<void> {
  const asked = deps.clock.now();
  const id = runIn(callbackUrl, `${deps.githubApiUrl}/repos/${repo.owner}/${repo.name}`);
  if (id === null) return;
  const { workflowRuns, sleep = delay } = deps;
  let run = await workflowRuns.get(repo, id);
  for (const ms of PAUSES_MS) if (!run) run = await sleep(ms).then(() => workflowRuns.get(repo, id));
  if (run?.repoId !== repo.id) return;
  const key = await request(deps, { repo, run, environment, head: head ?? run.head });
  await syncDeployment(deps, key, { asked });
  // The attempt before has ended: with this, no list shows it any more.
  if (key.attempt > 1) await syncDeployment(deps, { ...key, attempt: key.attempt - 1 });
}

/** Stores a request, or that a known one is due. */
export async function request(
  deps: DeploymentDeps,
  { repo, run, environment, head }: Omit<ShownRun, 'org'> & { head: string },
): Promise<DeploymentKey> {
  const { ref, event, workflow, ownerId: orgId } = run;
  const key = keyOf({ run, environment });
  await deps.deployments.request({ ...key, orgId, repo, head, ref, event, workflow });
  return key;
}

const CALLBACK = /^\/actions\/runs\/([1-9][0-9]{0,15})\/deployment_protection_rule$/;

/** The run of a callback address, which is exactly that of a run of this repository; null for any other address. */
export function runIn(callbackUrl: string, repository: string): number | null {
  if (!callbackUrl.startsWith(repository)) return null;
  const id = Number(CALLBACK.exec(callbackUrl.slice(repository.length))?.[1] ?? Number.NaN);
  return Number.isSafeInteger(id) ? id : null;
}
