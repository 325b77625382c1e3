import express, { type Request, type RequestHandler, Router } from 'express';
import type { Repository } from '../github-objects.ts';
import { parseRuleset } from '../parse-ruleset.ts';
import { listRepositories } from '../repositories.ts';
import type { RouteDeps } from '../route-deps.ts';
import { checksOf, type RulesetSource } from '../rulesets.ts';
import { appPageOf } from '../speaks-as.ts';
import { html } from './html.ts';
import { requireOwnOrigin, sendMissing, sendPage } from './layout.ts';
import { repositoryOf } from './repository-of.ts';

const readForm = express.urlencoded({ extended: false, limit: '1mb' });
const fieldOf = ({ body }: Request, name: string) => String((body as Record<string, unknown>)?.[name] ?? '');

/** The pages on which owners install the App and require its check. */
export function appPageRoutes(deps: RouteDeps): Router {
  const { emulator, installations, rulesets, apiUrl, credentials } = deps;
  const router = Router();
  const { pathname } = new URL(appPageOf(deps.speaksAs, deps.origin, ':slug'));
  const installPath = `${pathname}/installations/new`;

  const showApp: RequestHandler = (req, res) => {
    const installed = installations.all().map(
      ({
        account,
        suspended_at,
      }) => html`<li><img src="/avatars/o/${account.login}" width="20" height="20" alt="">
<a class="grow" href="/${account.login}">${account.login}</a> ${suspended_at && 'Suspended'}</li>`,
    );
    const action = installPath.replace(':slug', String(req.params.slug));
    const others = installations.without().map(
      ({ login }) => html`<li><img src="/avatars/o/${login}" width="20" height="20" alt="">
<a class="grow" href="/${login}">${login}</a>
<form method="post" action="${action}"><input type="hidden" name="account" value="${login}">
<button class="primary">Install on ${login}</button></form></li>`,
    );
    const body = html`<h1>OTP Guard</h1>
${others.length > 0 && html`<section><h2>Install it on all repositories</h2><ul class="list">${others}</ul></section>`}
<section><h2>Installed on</h2>
${installed.length > 0 ? html`<ul class="list">${installed}</ul>` : html`<p class="muted">No account.</p>`}</section>`;
    sendPage(res, { title: 'OTP Guard', body, formTarget: new URL(deps.setupUrl).origin });
  };
  for (const path of [pathname, installPath]) router.get(path, showApp);
  for (const path of ['/organizations/:org/settings/installations/:id', '/settings/installations/:id'])
    router.get(path, (req, res, next) => {
      req.params.slug = 'otp-guard';
      showApp(req, res, next);
    });

  router.post(installPath, requireOwnOrigin, readForm, async (req, res) => {
    const answer = await fetch(`${apiUrl}/_local/installations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credentials.adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ account: fieldOf(req, 'account') }),
    });
    if (!answer.ok) return sendMissing(res);
    const { id } = (await answer.json()) as { id: number };
    res.redirect(303, `${deps.setupUrl}?installation_id=${id}&setup_action=install`);
  });

  /** What the rules on this page belong to, and the repositories that they are about; undefined if there are none. */
  const placeOf = async (
    req: Request,
  ): Promise<(RulesetSource & { repositories: Repository[] }) | undefined> => {
    if (req.params.repo === undefined) {
      const org = encodeURIComponent(String(req.params.owner));
      const account = await emulator.get<Repository['owner']>(`/orgs/${org}`);
      if (!account) return undefined;
      const repositories = await listRepositories(emulator, { ...account, type: 'Organization' });
      return { source_type: 'Organization', sourceId: account.id, repositories };
    }
    const repo = await emulator.get<Repository>(`/repos/${repositoryOf(req)}`);
    return repo && { source_type: 'Repository', sourceId: repo.id, repositories: [repo] };
  };

  const showRules: RequestHandler = async (req, res) => {
    const place = await placeOf(req);
    if (!place) return sendMissing(res);
    const items = place.repositories.map((repo) => {
      const { full_name, default_branch } = repo;
      const active = rulesets.forBranch(repo, default_branch).filter((one) => one.enforcement === 'active');
      const checks = [...new Set(active.flatMap(checksOf).map(({ context }) => context))];
      const text = checks.length > 0 ? `requires ${checks.join(', ')}` : 'requires no check';
      return html`<li><span class="grow">${full_name}</span> <code>${default_branch}</code> ${text}</li>`;
    });
    const body = html`<h1>Rulesets</h1><section><h2>Repositories</h2><ul class="list">${items}</ul></section>
<form method="post"><p><label for="ruleset">Import a ruleset: paste the file</label></p>
<p><textarea id="ruleset" name="ruleset" rows="12" cols="60" required></textarea></p>
<button class="primary">Create</button></form>`;
    sendPage(res, { title: 'Rulesets', body });
  };

  const importRules: RequestHandler = async (req, res) => {
    const place = await placeOf(req);
    if (!place) return sendMissing(res);
    const values = rulesetIn(fieldOf(req, 'ruleset'), place);
    if (!values || checksOf(values).length === 0) {
      const body = html`<h1>This isn't a ruleset that requires a check</h1>`;
      return sendPage(res, { title: 'Invalid ruleset', body, status: 422 });
    }
    rulesets.create({ source_type: place.source_type, sourceId: place.sourceId }, values);
    res.redirect(303, req.path);
  };
  for (const path of ['/organizations/:owner/settings/rules', '/:owner/:repo/settings/rules'])
    router.get(path, showRules).post(path, requireOwnOrigin, readForm, importRules);

  return router;
}

/** The ruleset in a file; undefined if it isn't one. */
function rulesetIn(text: string, source: RulesetSource) {
  try {
    const values = parseRuleset(JSON.parse(text), source);
    return typeof values === 'string' ? undefined : values;
  } catch {
    return undefined;
  }
}
