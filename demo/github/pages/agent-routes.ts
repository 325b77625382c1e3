import express, { type RequestHandler, Router } from 'express';
import { askCopilot } from '../agents-work.ts';
import type { Account, Repository } from '../github-objects.ts';
import type { RouteDeps } from '../route-deps.ts';
import { createAsOctocat } from './as-octocat.ts';
import { type Html, html } from './html.ts';
import { requireOwnOrigin, sendMissing } from './layout.ts';
import { repositoryOf } from './repository-of.ts';

/** Who may ask the agent: the members of the story. */
const PEOPLE = ['mona', 'octocat'];

/** The person who signed in to the product last, if they may ask the agent. */
const signedIn = ({ tokens }: Pick<RouteDeps, 'tokens'>) =>
  tokens.all().findLast((token) => token.kind === 'user' && PEOPLE.includes(token.login));

/** The button with which a person asks an agent for a pull request. */
export function agentForm(deps: Pick<RouteDeps, 'tokens'>, repo: Repository): Html {
  const last = signedIn(deps);
  const chosen = last && 'login' in last ? last.login : PEOPLE[0];
  const options = PEOPLE.map((login) =>
    login === chosen ? html`<option selected>${login}</option>` : html`<option>${login}</option>`,
  );
  return html`<section><h2>An agent</h2><form method="post" action="/${repo.full_name}/agent" class="actions">
<label>Asked by <select name="login">${options}</select></label>
<button>Let the agent open a pull request</button></form></section>`;
}

/** What the button does. */
export function agentRoutes(deps: RouteDeps): Router {
  const { emulator, origin } = deps;
  const router = Router();
  const asOctocat = createAsOctocat(deps);

  const ask: RequestHandler = async (req, res) => {
    const repo = repositoryOf(req);
    const login = String((req.body as { login?: unknown } | undefined)?.login);
    const person = PEOPLE.includes(login) ? await emulator.get<Account>(`/users/${login}`) : undefined;
    if (!person || !(await emulator.get(`/repos/${repo}`))) {
      sendMissing(res);
      return;
    }
    const number = await askCopilot(emulator, asOctocat, { repo, person, origin, now: Date.now() });
    res.redirect(303, `/${repo}/pull/${number}`);
  };
  router.post('/:owner/:repo/agent', requireOwnOrigin, express.urlencoded({ extended: false }), ask);

  return router;
}
