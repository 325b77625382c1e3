import { Router } from 'express';
import { requireAdmin } from './admin.ts';
import { refuse } from './answers.ts';
import { jsonBodyOf, readBody } from './forward.ts';
import type { Local } from './local.ts';
import { STALE_STANDS_AS } from './run-book.ts';
import type { CheckRun } from './shapes.ts';

/**
 * `POST /_local/stale` with `{ head }`: what GitHub does after 14 days. Every incomplete run of the App on the
 * commit is completed as `stale` (GitHub: "Check statuses and conclusions"), and nobody is told.
 */
export function staleRoutes({ upstream, runs }: Local): Router {
  const router = Router();
  router.post('/_local/stale', requireAdmin, readBody, async (req, res) => {
    const { head } = jsonBodyOf(req);
    if (typeof head !== 'string') {
      refuse(res, 422, 'head is missing');
      return;
    }
    const ended: number[] = [];
    for (const { repo, id } of runs.on(head)) {
      const path = `/repos/${repo}/check-runs/${id}`;
      const run = await upstream.get<CheckRun>(path);
      if (!run || run.status === 'completed') continue;
      runs.markStale(id);
      const body = { status: 'completed', conclusion: STALE_STANDS_AS };
      await upstream.send({ method: 'PATCH', path, body });
      ended.push(id);
    }
    res.json({ stale: ended });
  });
  return router;
}
