import './styles/tokens.css';
import './styles/base.css';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { ErrorScreen } from './app/error-screen.tsx';
import { type Client, createClient } from './lib/client.ts';
import { preload } from './routes/routes.tsx';

/** The page's code usually arrives with the entry. If it's later than this, the frame is shown without it. */
const CODE_WAIT_MS = 300;

/** A year: the longest that all browsers keep a cookie is a little more. */
const MAX_AGE_S = 365 * 24 * 60 * 60;

const root = document.getElementById('root');
if (root) void start(root, tryCreateClient());

/** Starts the session's refresh, waits for the page's code, and renders the page. */
async function start(root: HTMLElement, client: Client | null): Promise<void> {
  startThemeSwitch(document);
  const render = (screen: ReactNode) => createRoot(root).render(<StrictMode>{screen}</StrictMode>);
  if (!client) return render(<ErrorScreen text="pocketbase not initialized" />);
  void client.session.refresh();
  const code = preload(window.location.pathname, client.session.getState().status === 'signed-in');
  await Promise.race([code, new Promise((done) => setTimeout(done, CODE_WAIT_MS))]);
  render(<App client={client} />);
}

/** Null if the browser denies storage to this site. */
function tryCreateClient(): Client | null {
  try {
    return createClient(window);
  } catch {
    return null;
  }
}

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
