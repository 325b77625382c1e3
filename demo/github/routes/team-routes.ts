import { type Request, type RequestHandler, type Response, Router } from 'express';
import { callerOf } from '../authenticate.ts';
import { sendWithETag } from '../etag.ts';
import { forward, readBody } from '../forward.ts';
import type { Account } from '../github-objects.ts';
import { paginate, refuse, relay } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';
import { senderOf } from '../sender.ts';

type TeamParams = { org: string; team: string; username: string };

/** Teams, which the emulator shows to everybody and about which it sends no webhook. */
export function teamRoutes({ emulator, origin, webhooks }: RouteDeps): Router {
  const router = Router();
  const team = '/orgs/:org/teams/:team';

  const readTeam = ({ org, team: slug }: { org?: unknown; team?: unknown }) =>
    emulator.get<object>(`/orgs/${org}/teams/${slug}`);

  const requireVisible: RequestHandler<TeamParams> = async (req, res, next) => {
    if (callerOf(res).kind !== 'anonymous' && (await readTeam(req.params))) next();
    else refuse(res, 404, 'Not Found');
  };
  router.use(team, requireVisible);

  const listMembers: RequestHandler<TeamParams> = async (req, res) => {
    const members = await emulator.list<Account>(`/orgs/${req.params.org}/teams/${req.params.team}/members`);
    sendWithETag(req as unknown as Request, res, paginate(req as unknown as Request, res, members));
  };
  router.get(`${team}/members`, listMembers);

  const sendWebhook = async (res: Response, action: string, { org, team: slug, username }: TeamParams) => {
    const member = await emulator.get<Account>(`/users/${username}`);
    const sender = await senderOf(emulator, res);
    const payload = { action, scope: 'team', member, sender, team: await readTeam({ org, team: slug }) };
    webhooks.send(org, { name: 'membership', payload });
  };
  const change: RequestHandler<TeamParams> = async (req, res) => {
    const { org, username } = req.params;
    const isMember = (await emulator.get(`/orgs/${org}/memberships/${username}`)) !== undefined;
    if (req.method === 'PUT' && !isMember) {
      // Somebody who isn't in the organization is only invited. The emulator would make them a member of it.
      res.json({ url: `${origin}${req.path}`, role: 'member', state: 'pending' });
      return;
    }
    const answer = await forward(emulator, req as unknown as Request);
    if (answer.status < 300) await sendWebhook(res, req.method === 'PUT' ? 'added' : 'removed', req.params);
    relay(res, answer);
  };
  router.put(`${team}/memberships/:username`, readBody, change);
  router.delete(`${team}/memberships/:username`, readBody, change);

  return router;
}
