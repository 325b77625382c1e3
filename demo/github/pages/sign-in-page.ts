import { type Request, Router } from 'express';
import type { EmulatorClient } from '../emulator-client.ts';
import type { Account } from '../github-objects.ts';
import type { RouteDeps } from '../route-deps.ts';
import { type Html, html } from './html.ts';
import { sendPage } from './layout.ts';

/** The people of the story, who stand before all others. */
const FIRST = ['octocat', 'mona'];
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

function inOrder(people: readonly Account[]): Account[] {
  const rankOf = ({ login }: Account) => (FIRST.includes(login) ? FIRST.indexOf(login) : FIRST.length);
  return people.toSorted((a, b) => rankOf(a) - rankOf(b) || a.login.localeCompare(b.login));
}

const fieldOf = (req: Request, name: string) => String(req.query[name] ?? '');

/** One form per person: its button signs in as this person and goes back to the product. */
function personForm(login: string, carried: readonly Html[]): Html {
  return html`<li><form method="post" action="/login/oauth/callback">
<input type="hidden" name="login" value="${login}">${carried}
<button class="person"><img src="/avatars/u/${encodeURIComponent(login)}" width="28" height="28" alt=""> ${login}</button>
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
    const people = inOrder(await readPeople(emulator));
    const body = html`<h1>Sign in to Local GitHub</h1>
<p class="muted">OTP Guard asks who you are. Choose a person: nobody has a password here.</p>
<section><ul class="list">${people.map(({ login }) => personForm(login, carried))}</ul></section>`;
    const target = fieldOf(req, 'redirect_uri');
    const formTarget = URL.canParse(target) ? { formTarget: new URL(target).origin } : {};
    sendPage(res, { title: 'Sign in', body, ...formTarget });
  });
  return router;
}
