import '../styles/tokens.css';
import '../styles/base.css';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Begun } from '../features/approval/begin-approval.ts';
import { BegunContext } from '../features/approval/use-approval.ts';
import type { Client } from '../lib/session/client.ts';
import { preload, routeOf } from '../routes/routes.tsx';
import { App } from './app.tsx';
import { ErrorScreen } from './error-screen.tsx';

/** The page's code and its first answer are usually there with the entry; else the frame is shown without them. */
const CODE_WAIT_MS = 300;

/** The requests that `main.ts` has begun: the session's refresh, and the request of an approval page. */
type Early = { refreshed: Promise<void> | undefined; begun: Begun | null };

/** Loads the page's code, and then renders the page. */
export async function start(client: Client | null, { refreshed, begun }: Early): Promise<void> {
  startThemeSwitch(document);
  const root = document.getElementById('root');
  if (!root) return;
  const render = (screen: ReactNode) => createRoot(root).render(<StrictMode>{screen}</StrictMode>);
  if (!client) return render(<ErrorScreen text="pocketbase not initialized" />);
  const { pathname, search } = window.location;
  const code = preload(pathname, client.session.getState().status === 'signed-in');
  const { redirect } = routeOf(pathname) ?? {};
  const ready = Promise.all([code, redirect && refreshed, begun?.title]);
  await Promise.race([ready, new Promise((done) => setTimeout(done, CODE_WAIT_MS))]);
  // Rendering the page that leads on would only cost time.
  const next = redirect?.(client, search);
  if (next) window.history.replaceState(null, '', next);
  render(
    <BegunContext value={begun}>
      <App client={client} />
    </BegunContext>,
  );
}

/** A year: the longest that all browsers keep a cookie is a little more. */
const MAX_AGE_S = 365 * 24 * 60 * 60;

/** Makes the footer's theme switch work. The server reads the cookie and writes the theme into the next page. */
function startThemeSwitch(page: Document): void {
  const { dataset } = page.documentElement;
  const select = page.querySelector<HTMLSelectElement>('#theme');
  if (!select) return;
  select.value = dataset.theme ?? 'system';
  select.addEventListener('change', () => {
    dataset.theme = select.value;
    // `lax`, because people come from their pull request, which is on another site.
    page.cookie = `theme=${select.value}; path=/; max-age=${MAX_AGE_S}; samesite=lax`;
  });
}
