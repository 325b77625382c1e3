import { type Request, type RequestHandler, Router } from 'express';
import { forward, jsonBodyOf, readBody } from '../forward.ts';
import type { Account, Pull } from '../github-objects.ts';
import { createPullEvents } from '../pull-events.ts';
import { refuse, relay } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';

type Team = { id: number; slug: string };
type ReviewedPull = Pull & { requested_reviewers: Account[]; requested_teams: Team[] };

const FROM_AUTHOR = 'Review cannot be requested from pull request author.';

const missingIn = <T extends { id: number }>(some: T[], all: T[]) =>
  all.filter(({ id }) => !some.some((one) => one.id === id));

/** Whom each webhook names (GitHub: "Webhook events and payloads", pull_request). */
const named = (before: ReviewedPull, after: ReviewedPull) => [
  ...missingIn(before.requested_reviewers, after.requested_reviewers).map((account) => ({
    requested_reviewer: account,
  })),
  ...missingIn(before.requested_teams, after.requested_teams).map((team) => ({ requested_team: team })),
];

/** Requested reviews. The emulator sends one webhook for all of them, and none when a request is removed. */
export function reviewRequestRoutes(deps: RouteDeps): Router {
  const router = Router();
  const { emulator } = deps;
  const sendWebhook = createPullEvents(deps);
  const readPull = ({ params }: Request) =>
    emulator.get<ReviewedPull>(`/repos/${params.owner}/${params.repo}/pulls/${params.number}`);

  const change: RequestHandler = async (req, res) => {
    const before = await readPull(req);
    const { reviewers = [] } = jsonBodyOf(req) as { reviewers?: string[] };
    const isAdded = req.method === 'POST';
    if (isAdded && reviewers.some((login) => login === before?.user?.login)) {
      refuse(res, 422, FROM_AUTHOR);
      return;
    }
    const answer = await forward(emulator, req);
    const after = await readPull(req);
    if (answer.status < 300 && before && after) {
      const changes = isAdded ? named(before, after) : named(after, before);
      const action = isAdded ? 'review_requested' : 'review_request_removed';
      for (const one of changes) await sendWebhook(res, action, after, one);
    }
    relay(res, answer.status === 200 && isAdded ? { ...answer, status: 201 } : answer);
  };
  const path = '/repos/:owner/:repo/pulls/:number/requested_reviewers';
  router.post(path, readBody, change);
  router.delete(path, readBody, change);

  return router;
}
