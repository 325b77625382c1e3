import { type RequestHandler, Router } from 'express';
import { refuse, relay } from './answers.ts';
import { forward, readBody } from './forward.ts';
import { callerOf } from './gate.ts';
import type { Local } from './local.ts';
import type { Account, Membership } from './shapes.ts';

/** Members come and go through the emulator; this refuses strangers' Apps and sends the webhooks. */
export function membershipRoutes(local: Local): Router {
  const router = Router();
  const { upstream, hooks, installations } = local;

  const membershipOf = (org: string, username: string) =>
    upstream.get<Membership>(`/orgs/${org}/memberships/${username}`);

  const tell = async (action: string, membership: Membership, token?: string) => {
    const sender = await upstream.get<Account>('/user', token);
    hooks.emit(membership.organization.login, {
      name: 'organization',
      payload: { action, membership, sender },
    });
  };

  /** Members are the organization's own business: an installation elsewhere may not read them. */
  const requireOwnInstallation: RequestHandler = (req, res, next) => {
    const caller = callerOf(res);
    const own = installations.on(String(req.params.org));
    if (caller.kind === 'installation' && caller.installation !== own?.id) {
      refuse(res, 403, 'Resource not accessible by integration');
      return;
    }
    next();
  };
  router.use('/orgs/:org/members', requireOwnInstallation);
  router.use('/orgs/:org/memberships', requireOwnInstallation);

  const remove: RequestHandler<{ org: string; username: string }> = async (req, res) => {
    const { org, username } = req.params;
    const membership = await membershipOf(org, username);
    const answer = await forward(upstream, req, `/orgs/${org}/members/${username}`);
    const caller = callerOf(res);
    if (answer.status === 204 && membership) {
      await tell('member_removed', membership, 'inner' in caller ? caller.inner : undefined);
    }
    relay(res, answer);
  };
  router.delete('/orgs/:org/members/:username', readBody, remove);
  router.delete('/orgs/:org/memberships/:username', readBody, remove);

  router.put('/orgs/:org/memberships/:username', readBody, async (req, res) => {
    const { org, username } = req.params as { org: string; username: string };
    const before = await membershipOf(org, username);
    const answer = await forward(upstream, req);
    const after = await membershipOf(org, username);
    const caller = callerOf(res);
    if (answer.status === 200 && !before && after) {
      await tell('member_added', after, 'inner' in caller ? caller.inner : undefined);
    }
    relay(res, answer);
  });

  return router;
}
