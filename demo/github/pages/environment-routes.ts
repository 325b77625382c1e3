import express, { type RequestHandler, Router } from 'express';
import { availableApps } from '../actions/available-apps.ts';
import type { Environment } from '../actions/environments.ts';
import type { Account, Repository } from '../github-objects.ts';
import type { RouteDeps } from '../route-deps.ts';
import { createAsOctocat, createNotices, messageOf } from './as-octocat.ts';
import { type Html, html } from './html.ts';
import { requireOwnOrigin, sendMissing, sendPage } from './layout.ts';
import { repositoryOf } from './repository-of.ts';

type App = { id: number; slug: string };

function appItem({ id, name, rules }: Environment, app: App): Html {
  const rule = rules.find((one) => one.app === app.id);
  const [field, value] = rule ? ['disable', rule.id] : ['enable', app.id];
  return html`<li><span class="grow">${app.slug}</span><form method="post">
<input type="hidden" name="environment" value="${name}"><input type="hidden" name="${field}" value="${value}">
<button aria-describedby="environment-${id}">${rule ? 'Disable' : 'Enable'} ${app.slug}</button></form></li>`;
}

/** What a button sets, and the setting as it is. */
function settingItem(
  { id, name }: Environment,
  { is, field, value, button }: { is: string; field: string; value: string; button: string },
): Html {
  return html`<li><span class="grow">${is}</span><form method="post">
<input type="hidden" name="environment" value="${name}"><input type="hidden" name="${field}" value="${value}">
<button aria-describedby="environment-${id}">${button}</button></form></li>`;
}

/** What the button sets, in minutes. */
const TIMER = 30;

function environmentSection(environment: Environment, apps: readonly App[]): Html {
  const { id, name, can_admins_bypass: canBypass, reviewers, wait_timer } = environment;
  const people = reviewers.map(({ login }) => login).join(', ');
  const settings = [
    {
      is: people ? `Required reviewers: ${people}` : 'No required reviewers',
      ...{ field: 'reviewer', value: people ? '' : 'octocat' },
      button: people ? 'Require none' : 'Require octocat',
    },
    {
      is: wait_timer > 0 ? `Wait timer: ${wait_timer} minutes` : 'No wait timer',
      ...{ field: 'timer', value: wait_timer > 0 ? '0' : String(TIMER) },
      button: wait_timer > 0 ? 'Don’t wait' : `Wait ${TIMER} minutes`,
    },
    {
      is: `Administrators ${canBypass ? 'can' : 'can’t'} bypass the rules`,
      ...{ field: 'bypass', value: String(!canBypass) },
      button: canBypass ? 'Forbid it' : 'Allow it',
    },
  ];
  return html`<section><h2 id="environment-${id}">${name}</h2>
<ul class="list">${apps.map((app) => appItem(environment, app))}
${settings.map((setting) => settingItem(environment, setting))}</ul>
${apps.length === 0 && html`<p class="muted">No installed App has a protection rule.</p>`}</section>`;
}

/** The settings of a repository's environments, as far as they protect deployments. */
export function environmentPageRoutes(deps: RouteDeps): Router {
  const { emulator, actions } = deps;
  const router = Router();
  const asOctocat = createAsOctocat(deps);
  const notices = createNotices();
  const page = '/:owner/:repo/settings/environments';

  const show: RequestHandler = async (req, res) => {
    const repo = await emulator.get<Repository>(`/repos/${repositoryOf(req)}`);
    if (!repo) {
      sendMissing(res);
      return;
    }
    const message = notices.take(req);
    const apps = availableApps(deps, repo);
    const sections = actions.environments.all(repo).map((one) => environmentSection(one, apps));
    const body = html`<h1>Environments</h1><p><a href="/${repo.full_name}">${repo.full_name}</a></p>
${message && html`<section role="alert" class="bad"><p>${message}</p></section>`}
${sections.length > 0 ? sections : html`<p class="muted">None.</p>`}`;
    sendPage(res, { title: `Environments · ${repo.full_name}`, body });
  };

  const change: RequestHandler = async (req, res) => {
    const { environment, enable, disable, bypass, reviewer, timer } = (req.body ?? {}) as Record<
      string,
      string | undefined
    >;
    const person = reviewer ? await emulator.get<Account>(`/users/${reviewer}`) : undefined;
    const settings = {
      ...(reviewer !== undefined && {
        reviewers: person ? [{ type: 'User', id: person.id }] : null,
        prevent_self_review: false,
      }),
      ...(timer !== undefined && { wait_timer: Number(timer) }),
      ...(bypass !== undefined && { can_admins_bypass: bypass === 'true' }),
    };
    const path = `/repos/${repositoryOf(req)}/environments/${encodeURIComponent(environment ?? '')}`;
    const rules = `${path}/deployment_protection_rules`;
    const answer = enable
      ? await asOctocat('POST', rules, { integration_id: Number(enable) })
      : disable
        ? await asOctocat('DELETE', `${rules}/${Number(disable)}`)
        : await asOctocat('PUT', path, settings);
    res.redirect(303, answer.ok ? req.path : notices.leave(req.path, await messageOf(answer)));
  };
  router.get(page, show);
  router.post(page, requireOwnOrigin, express.urlencoded({ extended: false }), change);

  return router;
}
