import { type RequestHandler, type Response, Router } from 'express';
import { callerOf } from '../authenticate.ts';
import { forward, readBody } from '../forward.ts';
import type { Membership } from '../github-objects.ts';
import { refuse, relay } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';
import { senderOf } from '../sender.ts';

/** The emulator changes memberships; these routes refuse other organizations' Apps and send the webhooks. */
export function membershipRoutes({ emulator, webhooks, installations }: RouteDeps): Router {
  const router = Router();

  const membershipOf = (org: string, username: string) =>
    emulator.get<Membership>(`/orgs/${org}/memberships/${username}`);

  const sendWebhook = async (res: Response, action: string, membership: Membership) => {
    const payload = { action, membership, sender: await senderOf(emulator, res) };
    webhooks.send(membership.organization.login, { name: 'organization', payload });
  };

  /** An installation may read the members and teams of its own organization only. */
  const requireOwnInstallation: RequestHandler = (req, res, next) => {
    const caller = callerOf(res);
    const installation = installations.findByLogin(String(req.params.org));
    if (caller.kind === 'installation' && caller.installation !== installation?.id) {
      refuse(res, 403, 'Resource not accessible by integration');
      return;
    }
    next();
  };
  router.use('/orgs/:org/members', requireOwnInstallation);
  router.use('/orgs/:org/memberships', requireOwnInstallation);
  router.use('/orgs/:org/teams', requireOwnInstallation);

  const remove: RequestHandler<{ org: string; username: string }> = async (req, res) => {
    const { org, username } = req.params;
    const membership = await membershipOf(org, username);
    const answer = await forward(emulator, req, `/orgs/${org}/members/${username}`);
    if (answer.status === 204 && membership) await sendWebhook(res, 'member_removed', membership);
    relay(res, answer);
  };
  router.delete('/orgs/:org/members/:username', readBody, remove);
  router.delete('/orgs/:org/memberships/:username', readBody, remove);

  const add: RequestHandler<{ org: string; username: string }> = async (req, res) => {
    const { org, username } = req.params;
    const before = await membershipOf(org, username);
    const answer = await forward(emulator, req);
    const after = await membershipOf(org, username);
    if (answer.status === 200 && !before && after) await sendWebhook(res, 'member_added', after);
    relay(res, answer);
  };
  router.put('/orgs/:org/memberships/:username', readBody, add);

  return router;
}
