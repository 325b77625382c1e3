import { type RequestHandler, Router } from 'express';
import { findAccount } from '../accounts.ts';
import { callerOf } from '../authenticate.ts';
import type { Account, Membership } from '../github-objects.ts';
import { paginate, refuse } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';

const requirePerson: RequestHandler = (_req, res, next) => {
  const { kind } = callerOf(res);
  if (kind === 'user' || kind === 'personal') next();
  else if (kind === 'anonymous') refuse(res, 401, 'Requires authentication');
  else refuse(res, 403, 'Resource not accessible by integration');
};

/** A user by id, and the memberships of the person whose token it is. */
export function userRoutes({ emulator, requested, behindSso }: RouteDeps): Router {
  const router = Router();

  // https://docs.github.com/en/rest/users/users#get-a-user-using-their-id
  router.get(/^\/user\/([0-9]+)$/, async (req, res) => {
    const id = Number(req.params[0]);
    const found = await findAccount(emulator, id);
    if (found) res.json(found);
    else refuse(res, 404, 'Not Found');
  });
  router.use('/user', requirePerson);

  // https://docs.github.com/en/rest/users/emails: needs the App's permission "Email addresses".
  router.get(['/user/emails', '/user/public_emails'], (_req, res, next) => {
    const isAllowed = callerOf(res).kind === 'personal' || requested.permissions.email_addresses;
    if (isAllowed) next();
    else refuse(res, 403, 'Resource not accessible by integration');
  });

  const membershipsOf = async (login: string, token: string) => {
    const orgs = await emulator.get<Account[]>('/user/orgs', token);
    const found = await Promise.all(
      (orgs ?? []).map((org) => emulator.get<Membership>(`/orgs/${org.login}/memberships/${login}`)),
    );
    const known = found.filter((membership) => membership !== undefined);
    return known.filter(({ organization }) => !behindSso.has(organization.id));
  };

  router.get('/user/memberships/orgs', async (req, res) => {
    const caller = callerOf(res);
    if (caller.kind !== 'user' && caller.kind !== 'personal') return;
    const { state } = req.query;
    const all = await membershipsOf(caller.login, caller.emulatorToken);
    const found = all.filter((membership) => state === undefined || membership.state === state);
    res.json(paginate(req, res, found));
  });

  router.get('/user/memberships/orgs/:org', async (req, res) => {
    const caller = callerOf(res);
    if (caller.kind !== 'user' && caller.kind !== 'personal') return;
    const all = await membershipsOf(caller.login, caller.emulatorToken);
    const found = all.find(({ organization }) => organization.login === req.params.org);
    if (found) res.json(found);
    else refuse(res, 404, 'Not Found');
  });

  return router;
}
