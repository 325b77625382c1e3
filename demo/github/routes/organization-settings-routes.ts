import { type Request, type RequestHandler, Router } from 'express';
import { requireOrganizationAdministration } from '../administration.ts';
import { sendWithETag } from '../etag.ts';
import { jsonBodyOf, readBody } from '../forward.ts';
import type { Account } from '../github-objects.ts';
import { requireAdmin } from '../require-caller.ts';
import { paginate, refuse } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';

const BASE_ROLES = ['read', 'triage', 'write', 'maintain'];

/**
 * The parts of an organization that only owners see: its installed Apps, and its own repository roles (GitHub
 * Enterprise: "REST API endpoints for custom repository roles").
 * `POST /_local/organizations/{org}/installations` with `{ app_slug, permissions, events }` installs another App there,
 * `POST …/{id}/tokens` gives a token with which it writes check runs, and `DELETE …/{id}` removes it.
 */
export function organizationSettingsRoutes(deps: RouteDeps): Router {
  const { emulator, installations, roles, tokens, appKey } = deps;
  const router = Router();
  const readOrg = (req: Request) => emulator.get<Account>(`/orgs/${req.params.org}`);

  const listInstallations: RequestHandler = async (req, res) => {
    const org = await readOrg(req);
    if (!org) return;
    const ours = installations.findByLogin(org.login);
    const all = [...(ours ? [ours] : []), ...installations.ofOthers(org)];
    sendWithETag(req, res, { total_count: all.length, installations: paginate(req, res, all) });
  };
  router.get('/orgs/:org/installations', requireOrganizationAdministration(deps, 'read'), listInstallations);

  const install: RequestHandler = async (req, res) => {
    const org = await readOrg(req);
    const { app_slug, permissions, events = [] } = jsonBodyOf(req);
    const access = { permissions: permissions as Record<string, string>, events: events as string[] };
    const app = { app_slug: String(app_slug), ...access };
    const made = org && installations.installOther(org, app);
    if (made) res.status(201).json(made);
    else refuse(res, 404, 'Not Found');
  };
  const local = '/_local/organizations/:org/installations';
  router.post(local, requireAdmin, readBody, install);

  const issueToken: RequestHandler = async (req, res) => {
    const org = await readOrg(req);
    const found = org && installations.ofOthers(org).find(({ id }) => id === Number(req.params.id));
    if (!found) {
      refuse(res, 404, 'Not Found');
      return;
    }
    // The emulator knows one App, and our routes know whose token it is.
    const path = `/app/installations/${installations.emulatorIdOf(found)}/access_tokens`;
    const { json } = await emulator.send({ method: 'POST', path, token: appKey.sign() });
    const { token, expires_at } = json as { token: string; expires_at: string };
    const expires = Date.parse(expires_at);
    tokens.add(token, { kind: 'installation', installation: found.id, emulatorToken: token, expires });
    res.status(201).json({ token, expires_at, permissions: found.permissions });
  };
  router.post(`${local}/:id/tokens`, requireAdmin, issueToken);

  router.delete(`${local}/:id`, requireAdmin, (req, res) => {
    const id = Number(req.params.id);
    installations.removeOther(id);
    tokens.revoke((issued) => issued.kind === 'installation' && issued.installation === id);
    res.status(204).end();
  });

  const path = '/orgs/:org/custom-repository-roles';
  const listRoles: RequestHandler = async (req, res) => {
    const org = await readOrg(req);
    const custom_roles = org ? roles.custom.of(org) : [];
    sendWithETag(req, res, { total_count: custom_roles.length, custom_roles });
  };

  /** The values in a request; undefined if GitHub refuses them. */
  const valuesIn = (body: Record<string, unknown>) => {
    const { name, description = null, base_role, permissions = [] } = body;
    if (typeof name !== 'string' || !BASE_ROLES.includes(String(base_role)) || !Array.isArray(permissions))
      return undefined;
    const text = description === null ? null : String(description);
    return { name, description: text, base_role: String(base_role), permissions: permissions.map(String) };
  };

  const addRole: RequestHandler = async (req, res) => {
    const [org, values] = [await readOrg(req), valuesIn(jsonBodyOf(req))];
    if (org && values) res.status(201).json(roles.custom.add(org, values));
    else refuse(res, 422, 'Validation Failed');
  };

  /** Shows, changes or deletes one role. */
  const oneRole: RequestHandler = async (req, res) => {
    const org = await readOrg(req);
    const role = org && roles.custom.of(org).find(({ id }) => id === Number(req.params.id));
    if (!role) refuse(res, 404, 'Not Found');
    else if (req.method === 'PATCH') {
      const values = valuesIn({ ...role, ...jsonBodyOf(req) });
      if (values) res.json(roles.custom.change(role.id, values));
      else refuse(res, 422, 'Validation Failed');
    } else if (req.method === 'GET') sendWithETag(req, res, role);
    else {
      roles.custom.remove(role.id);
      res.status(204).end();
    }
  };
  const mayRead = requireOrganizationAdministration(deps, 'read', 'organization_custom_roles');
  const mayWrite = requireOrganizationAdministration(deps, 'write', 'organization_custom_roles');
  router.get(path, mayRead, listRoles).post(path, mayWrite, readBody, addRole);
  router.get(`${path}/:id`, mayRead, oneRole);
  router.patch(`${path}/:id`, mayWrite, readBody, oneRole).delete(`${path}/:id`, mayWrite, oneRole);

  return router;
}
