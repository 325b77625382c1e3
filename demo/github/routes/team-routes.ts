import { type Request, type RequestHandler, type Response, Router } from 'express';
import { callerOf } from '../authenticate.ts';
import { sendWithETag } from '../etag.ts';
import { forward, jsonBodyOf, readBody } from '../forward.ts';
import type { Account } from '../github-objects.ts';
import { requireAdmin } from '../require-caller.ts';
import { paginate, refuse, relay } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';
import { senderOf } from '../sender.ts';

type Team = { id: number; slug: string; name: string };
type TeamParams = { org: string; team: string; username: string };

/**
 * Teams. The emulator leaves out the members of child teams, shows every team to everybody, and sends no webhook.
 * `PUT /_local/teams/{org}/{team}` with `{ visible: false }` hides a team from the App.
 */
export function teamRoutes({ emulator, origin, webhooks }: RouteDeps): Router {
  const router = Router();
  const team = '/orgs/:org/teams/:team';
  const parents = new Map<number, number>();
  const hidden = new Set<number>();

  const readTeam = ({ org, team: slug }: { org?: unknown; team?: unknown }) =>
    emulator.get<Team>(`/orgs/${org}/teams/${slug}`);

  const requireVisible: RequestHandler<TeamParams> = async (req, res, next) => {
    const { kind } = callerOf(res);
    const found = kind === 'anonymous' ? undefined : await readTeam(req.params);
    if (found && !(kind === 'installation' && hidden.has(found.id))) next();
    else refuse(res, 404, 'Not Found');
  };
  router.use(team, requireVisible);

  const noteParent: RequestHandler = async (req, res) => {
    const answer = await forward(emulator, req);
    const parent = jsonBodyOf(req).parent_team_id;
    const { id } = (answer.json ?? {}) as Team;
    if (answer.status < 300 && typeof parent === 'number') parents.set(id, parent);
    if (answer.status < 300 && parent === null) parents.delete(id);
    relay(res, answer);
  };
  router.post('/orgs/:org/teams', readBody, noteParent);
  router.patch(team, readBody, noteParent);

  /** The members of the team and of all below it. */
  const membersOf = async (org: string, slug: string): Promise<Account[]> => {
    const teams = await emulator.list<Team>(`/orgs/${org}/teams`);
    const isBelow = ({ id, slug: own }: Team): boolean => {
      const parent = teams.find((one) => one.id === parents.get(id));
      return own === slug.toLowerCase() || (parent !== undefined && isBelow(parent));
    };
    const lists = await Promise.all(
      teams.filter(isBelow).map((one) => emulator.list<Account>(`/orgs/${org}/teams/${one.slug}/members`)),
    );
    const byId = new Map(lists.flat().map((member) => [member.id, member]));
    return [...byId.values()].sort((one, other) => one.id - other.id);
  };

  const listMembers: RequestHandler<TeamParams> = async (req, res) => {
    const members = await membersOf(req.params.org, req.params.team);
    sendWithETag(req, res, paginate(req as unknown as Request, res, members));
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
      // A person outside the organization is only invited. The emulator would make them a member of it.
      res.json({ url: `${origin}${req.path}`, role: 'member', state: 'pending' });
      return;
    }
    const answer = await forward(emulator, req as unknown as Request);
    if (answer.status < 300) await sendWebhook(res, req.method === 'PUT' ? 'added' : 'removed', req.params);
    relay(res, answer);
  };
  router.put(`${team}/memberships/:username`, readBody, change);
  router.delete(`${team}/memberships/:username`, readBody, change);

  const hide: RequestHandler = async (req, res) => {
    const found = await readTeam(req.params);
    if (!found) {
      refuse(res, 404, 'Not Found');
      return;
    }
    if (jsonBodyOf(req).visible === false) hidden.add(found.id);
    else hidden.delete(found.id);
    res.json(found);
  };
  router.put('/_local/teams/:org/:team', requireAdmin, readBody, hide);

  return router;
}
