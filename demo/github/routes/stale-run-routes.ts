import { Router } from 'express';
import { STORED_STALE_CONCLUSION } from '../checks.ts';
import { jsonBodyOf, readBody } from '../forward.ts';
import type { CheckRun } from '../github-objects.ts';
import { requireAdmin } from '../require-caller.ts';
import { refuse } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';

/**
 * `POST /_local/stale` with `{ head }` does what GitHub does after 14 days: completes every incomplete run on
 * the commit as `stale`, without a webhook (GitHub: "Check statuses and conclusions").
 */
export function staleRunRoutes({ emulator, checks }: RouteDeps): Router {
  const router = Router();
  router.post('/_local/stale', requireAdmin, readBody, async (req, res) => {
    const { head } = jsonBodyOf(req);
    if (typeof head !== 'string') {
      refuse(res, 422, 'head is missing');
      return;
    }
    const stale: number[] = [];
    for (const { repo, id } of checks.placesOf(head)) {
      const path = `/repos/${repo}/check-runs/${id}`;
      const run = await emulator.get<CheckRun>(path);
      if (run && run.status !== 'completed') {
        checks.markStale(id);
        const body = { status: 'completed', conclusion: STORED_STALE_CONCLUSION };
        await emulator.send({ method: 'PATCH', path, body });
        stale.push(id);
      }
    }
    res.json({ stale });
  });
  return router;
}
