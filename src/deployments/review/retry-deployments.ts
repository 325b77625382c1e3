import { inTurn } from '../../shared/work.ts';
import type { DeploymentDeps } from '../deps.ts';
import { syncDeployment } from './sync-deployment.ts';

/** Updates GitHub for decisions and requests that a crash or an outage left. @throws The first failure, after each had its turn. */
export async function retryDeployments(deps: DeploymentDeps): Promise<void> {
  await inTurn(await deps.deployments.due(), async (deployment) => {
    if (!deps.isStopping?.()) await syncDeployment(deps, deployment);
  });
}
