import { RETRY_PAUSES, type RetryPauses, retryHeads } from '../../approvals/retry-heads.ts';
import type { DeploymentDeps } from '../deps.ts';
import type { Deployment } from '../ports.ts';
import { syncDeployment } from './sync-deployment.ts';

/** Updates GitHub for decisions and requests that a crash or an outage left. @throws The first failure, after each had its turn. */
export async function retryDeployments(
  deps: DeploymentDeps,
  pauses: RetryPauses,
  firstMs = RETRY_PAUSES.firstMs,
): Promise<void> {
  const retry = async (deployment: Deployment) => void (await syncDeployment(deps, deployment));
  const due = await deps.deployments.due();
  await retryHeads(deps, pauses, due, { ...RETRY_PAUSES, firstMs, retry });
}
