import { Router } from 'express';
import type { RouteDeps } from '../route-deps.ts';
import { deploymentRoutes } from './deployment-routes.ts';
import { environmentRoutes } from './environment-routes.ts';
import { localActionsRoutes } from './local-routes.ts';
import { reviewRoutes } from './review-routes.ts';
import { runRoutes } from './run-routes.ts';

/** GitHub Actions and deployments. */
export function actionsRoutes(deps: RouteDeps): Router {
  const router = Router();
  router.use(
    runRoutes(deps),
    reviewRoutes(deps),
    environmentRoutes(deps),
    deploymentRoutes(deps),
    localActionsRoutes(deps),
  );
  return router;
}
