import './styles/tokens.css';
import './styles/base.css';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { ErrorScreen } from './app/error-screen.tsx';
import { startThemeSwitch } from './app/start-theme-switch.ts';
import { type Client, createClient } from './lib/client.ts';
import { preload, routeOf } from './routes/routes.tsx';

/** The page's code and its first answer are usually there with the entry; else the frame is shown without them. */
const CODE_WAIT_MS = 300;

startThemeSwitch(document);
const root = document.getElementById('root');
if (root) void start(root);

/** Starts the session's refresh and the loading of the page's code, and then renders. The refresh was often sent early. */
async function start(root: HTMLElement): Promise<void> {
  const client = tryCreateClient();
  const render = (screen: ReactNode) => createRoot(root).render(<StrictMode>{screen}</StrictMode>);
  if (!client) return render(<ErrorScreen text="pocketbase not initialized" />);
  const { pathname, search } = window.location;
  const refreshed = client.session.refresh();
  const code = preload(pathname, client.session.getState().status === 'signed-in');
  const { redirect, begin } = routeOf(pathname) ?? {};
  const ready = Promise.all([code, redirect && refreshed, begin?.(client, search)]);
  await Promise.race([ready, new Promise((done) => setTimeout(done, CODE_WAIT_MS))]);
  // Rendering the page that leads on would only cost time.
  const next = redirect?.(client, search);
  if (next) window.history.replaceState(null, '', next);
  render(<App client={client} />);
}

/** Null if the browser denies local storage to this site. */
function tryCreateClient(): Client | null {
  try {
    return createClient(window);
  } catch {
    return null;
  }
}
