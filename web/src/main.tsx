import './styles/tokens.css';
import './styles/base.css';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { ErrorScreen } from './app/error-screen.tsx';
import { startThemeSwitch } from './app/start-theme-switch.ts';
import { type Client, createClient } from './lib/client.ts';
import { preload } from './routes/routes.tsx';

/** The page's code is usually there with the entry; if the network is slow, the frame is shown without it. */
const CODE_WAIT_MS = 300;

startThemeSwitch(document);
const root = document.getElementById('root');
if (root) void start(root);

/** Starts the session's refresh and the loading of the page's code, and then renders. */
async function start(root: HTMLElement): Promise<void> {
  const client = tryCreateClient();
  const render = (screen: ReactNode) => createRoot(root).render(<StrictMode>{screen}</StrictMode>);
  if (!client) return render(<ErrorScreen text="pocketbase not initialized" />);
  void client.session.refresh();
  const code = preload(window.location.pathname, client.session.getState().status === 'signed-in');
  await Promise.race([code, new Promise((done) => setTimeout(done, CODE_WAIT_MS))]);
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
