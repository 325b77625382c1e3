import express, { type Request, type RequestHandler, Router } from 'express';
import type { Repository } from '../github-objects.ts';
import { listRepositories } from '../repositories.ts';
import type { RouteDeps } from '../route-deps.ts';
import { checksOf, type Ruleset } from '../rulesets.ts';
import { html } from './html.ts';
import { requireOwnOrigin, sendMissing, sendPage } from './layout.ts';
import { repositoryOf } from './repository-of.ts';

const readForm = express.urlencoded({ extended: false, limit: '1mb' });
const fieldOf = ({ body }: Request, name: string) => String((body as Record<string, unknown>)?.[name] ?? '');

/** The rulesets of an organization or a repository, and where the API has them. */
type Scope = { rulesets: Ruleset[]; repositories: Repository[]; path: string };

/** The pages on which owners see, import and switch off rulesets. Their forms send the API's requests, as octocat. */
export function rulePageRoutes({ emulator, rulesets, apiUrl, credentials }: RouteDeps): Router {
  const router = Router();
  const settings = ['/organizations/:owner/settings/rules', '/:owner/:repo/settings/rules'];
  const details = [...settings.map((path) => `${path}/:id`), '/:owner/:repo/rules/:id'];

  /** Undefined if there is no such organization or repository. */
  const scopeOf = async (req: Request): Promise<Scope | undefined> => {
    if (req.params.repo === undefined) {
      const org = encodeURIComponent(String(req.params.owner));
      const account = await emulator.get<Repository['owner']>(`/orgs/${org}`);
      if (!account) return undefined;
      const repositories = await listRepositories(emulator, { ...account, type: 'Organization' });
      const own = rulesets.of({ source_type: 'Organization', sourceId: account.id });
      return { rulesets: own, repositories, path: `/orgs/${org}/rulesets` };
    }
    const repo = await emulator.get<Repository>(`/repos/${repositoryOf(req)}`);
    if (!repo) return undefined;
    const own = rulesets.of({ source_type: 'Repository', sourceId: repo.id });
    return { rulesets: own, repositories: [repo], path: `/repos/${repo.full_name}/rulesets` };
  };

  const send = async (method: string, path: string, body: string) => {
    const headers = { authorization: `Bearer ${credentials.adminToken}`, 'content-type': 'application/json' };
    return (await fetch(`${apiUrl}${path}`, { method, headers, body })).ok;
  };

  const showAll: RequestHandler = async (req, res) => {
    const scope = await scopeOf(req);
    if (!scope) return sendMissing(res);
    const repositories = scope.repositories.map((repo) => {
      const { full_name, default_branch } = repo;
      const active = rulesets.forBranch(repo, default_branch).filter((one) => one.enforcement === 'active');
      const checks = [...new Set(active.flatMap(checksOf).map(({ context }) => context))];
      const text = checks.length > 0 ? `requires ${checks.join(', ')}` : 'requires no check';
      return html`<li><span class="grow">${full_name}</span> <code>${default_branch}</code> ${text}</li>`;
    });
    const own = scope.rulesets.map(
      ({ id, name, enforcement }) =>
        html`<li><a class="grow" href="${req.path}/${id}">${name}</a> ${enforcement}</li>`,
    );
    const body = html`<h1>Rulesets</h1>${own.length > 0 && html`<ul class="list">${own}</ul>`}
<section><h2>Repositories</h2><ul class="list">${repositories}</ul></section>
<form method="post"><p><label for="ruleset">Import a ruleset: paste the file</label></p>
<p><textarea id="ruleset" name="ruleset" rows="12" cols="60" required></textarea></p>
<button class="primary">Create</button></form>`;
    sendPage(res, { title: 'Rulesets', body });
  };

  const importFile: RequestHandler = async (req, res) => {
    const scope = await scopeOf(req);
    if (!scope) return sendMissing(res);
    if (await send('POST', scope.path, fieldOf(req, 'ruleset'))) {
      res.redirect(303, req.path);
      return;
    }
    sendPage(res, { title: 'Invalid ruleset', body: html`<h1>This isn't a ruleset</h1>`, status: 422 });
  };
  router.get(settings, showAll).post(settings, requireOwnOrigin, readForm, importFile);

  const findIn = (scope: Scope | undefined, req: Request) =>
    scope?.rulesets.find(({ id }) => id === Number(req.params.id));

  const show: RequestHandler = async (req, res) => {
    const ruleset = findIn(await scopeOf(req), req);
    if (!ruleset) return sendMissing(res);
    const next = ruleset.enforcement === 'active' ? 'disabled' : 'active';
    const actors = ruleset.bypass_actors.map(
      ({ actor_type, actor_id, bypass_mode }) => html`<li>${actor_type} ${actor_id} (${bypass_mode})</li>`,
    );
    const body = html`<h1>${ruleset.name}</h1><p>Enforcement: ${ruleset.enforcement}</p>
<h2>Bypass list</h2>${actors.length > 0 ? html`<ul class="list">${actors}</ul>` : html`<p class="muted">Nobody.</p>`}
<h2>Rules</h2><pre>${JSON.stringify(ruleset.rules, null, 2)}</pre>
<form method="post"><input type="hidden" name="enforcement" value="${next}">
<button>Set to ${next} as octocat</button></form>`;
    sendPage(res, { title: ruleset.name, body });
  };

  const change: RequestHandler = async (req, res) => {
    const scope = await scopeOf(req);
    const ruleset = findIn(scope, req);
    if (!scope || !ruleset) return sendMissing(res);
    await send(
      'PUT',
      `${scope.path}/${ruleset.id}`,
      JSON.stringify({ enforcement: fieldOf(req, 'enforcement') }),
    );
    res.redirect(303, req.path);
  };
  router.get(details, show).post(details, requireOwnOrigin, readForm, change);

  return router;
}
