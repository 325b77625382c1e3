import { RETRY_PAUSES, type RetryPauses, retryHeads } from '../../approvals/retry-heads.ts';
import type { DeploymentDeps } from '../deps.ts';
import { type Deployment, EXPIRE_MS } from '../ports.ts';
import { syncDeployment } from './sync-deployment.ts';

/**
 * Updates GitHub for decisions and requests that a crash or an outage left, as long as their jobs can wait.
 *
 * @throws The first failure, after each had its turn.
 */
export async function retryDeployments(
  deps: DeploymentDeps,
  pauses: RetryPauses,
  firstMs = RETRY_PAUSES.firstMs,
): Promise<void> {
  const retry = async (deployment: Deployment) => void (await syncDeployment(deps, deployment));
  const expired = new Date(deps.clock.now().getTime() - EXPIRE_MS);
  const waiting = (await deps.deployments.due()).filter(({ due }) => due > expired);
  await retryHeads(deps, pauses, waiting, { ...RETRY_PAUSES, firstMs, retry });
}
