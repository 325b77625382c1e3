import { type Request, Router } from 'express';
import { isBot } from '../bots.ts';
import type { EmulatorClient } from '../emulator-client.ts';
import type { Account, Membership } from '../github-objects.ts';
import type { RouteDeps } from '../route-deps.ts';
import { SEED } from '../seed.ts';
import { type Html, html } from './html.ts';
import { sendPage } from './layout.ts';

/** The people of the story, who stand before all others: an owner, a member and an outsider. */
const FIRST = ['octocat', 'mona', 'hubot'];
const PAGE_SIZE = 100;
const CARRIED = ['redirect_uri', 'scope', 'state', 'client_id'] as const;

/** GitHub's "List users" continues after an id, not by page numbers. */
async function readPeople(emulator: EmulatorClient): Promise<Account[]> {
  const all: Account[] = [];
  for (;;) {
    const path = `/users?per_page=${PAGE_SIZE}&since=${all.at(-1)?.id ?? 0}`;
    const next = (await emulator.get<Account[]>(path)) ?? [];
    all.push(...next);
    if (next.length < PAGE_SIZE) return all;
  }
}

/** A person's part in the organization of the story, as it is now. */
async function partOf(emulator: EmulatorClient, login: string): Promise<string> {
  const membership = await emulator.get<Membership>(`/orgs/${SEED.org}/memberships/${login}`);
  if (!membership) return 'outsider';
  return membership.role === 'admin' ? 'owner' : 'member';
}

const fieldOf = (req: Request, name: string) => String(req.query[name] ?? '');

/** One form per person: its button signs in as this person and goes back to the product. */
function personForm(login: string, carried: readonly Html[], part?: string): Html {
  return html`<li><form method="post" action="/login/oauth/callback">
<input type="hidden" name="login" value="${login}">${carried}
<button class="person"><img src="/avatars/u/${encodeURIComponent(login)}" width="28" height="28" alt=""> ${login}${part && html` <span class="muted">${part}</span>`}</button>
</form></li>`;
}

/** The page on which a person signs in to the product. The emulator checks the client and takes the form. */
export function signInRoutes({ emulator }: RouteDeps): Router {
  const router = Router();
  router.get('/login/oauth/authorize', async (req, res) => {
    const { status } = await emulator.send({ method: 'GET', path: req.url });
    if (status !== 200) {
      const body = html`<h1>Sign-in refused</h1><p>No App with this client id and this address is registered here.</p>`;
      sendPage(res, { title: 'Sign-in refused', body, status });
      return;
    }
    const carried = CARRIED.map(
      (name) => html`<input type="hidden" name="${name}" value="${fieldOf(req, name)}">`,
    );
    const everybody = (await readPeople(emulator)).map(({ login }) => login);
    const logins = everybody.filter((login) => !isBot({ login }));
    const first = FIRST.filter((login) => logins.includes(login));
    const parts = await Promise.all(first.map((login) => partOf(emulator, login)));
    const others = logins.filter((login) => !first.includes(login)).toSorted();
    const body = html`<h1>Sign in to Local GitHub</h1>
<p class="muted">OTP Guard asks who you are. Choose a person: nobody has a password here.</p>
<section><ul class="list">${first.map((login, at) => personForm(login, carried, parts[at]))}</ul></section>
<h2>Others</h2>
<section><ul class="list">${others.map((login) => personForm(login, carried))}</ul></section>`;
    const target = fieldOf(req, 'redirect_uri');
    const formTarget = URL.canParse(target) ? { formTarget: new URL(target).origin } : {};
    sendPage(res, { title: 'Sign in', body, ...formTarget });
  });
  return router;
}
