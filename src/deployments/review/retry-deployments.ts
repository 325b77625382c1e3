import { type RetryPauses, retryHeads } from '../../approvals/retry-heads.ts';
import type { DeploymentDeps } from '../deps.ts';
import type { Deployment } from '../ports.ts';
import { syncDeployment } from './sync-deployment.ts';

const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/** Updates GitHub for decisions and requests that a crash or an outage left. @throws The first failure, after each had its turn. */
export async function retryDeployments(
  deps: DeploymentDeps,
  pauses: RetryPauses,
  firstMs = FIRST_PAUSE_MS,
): Promise<void> {
  const retry = async (deployment: Deployment) => void (await syncDeployment(deps, deployment));
  const due = await deps.deployments.due();
  await retryHeads(deps, pauses, due, { firstMs, longestMs: LONGEST_PAUSE_MS, retry });
}
