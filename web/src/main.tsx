import './styles/tokens.css';
import './styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { ErrorScreen } from './app/error-screen.tsx';
import { startThemeSwitch } from './app/start-theme-switch.ts';
import { type Client, createClient } from './lib/client.ts';
import { preload } from './routes/routes.tsx';

startThemeSwitch(document);
const root = document.getElementById('root');
if (root) createRoot(root).render(<StrictMode>{start()}</StrictMode>);

/** Starts everything that needn't wait for the first render: the page's code and the session's refresh. */
function start() {
  const client = tryCreateClient();
  if (!client) return <ErrorScreen text="pocketbase not initialized" />;
  preload(window.location.pathname, client.session.getState().status === 'signed-in');
  void client.session.refresh();
  return <App client={client} />;
}

/** Null if the browser denies local storage to this site. */
function tryCreateClient(): Client | null {
  try {
    return createClient(window);
  } catch {
    return null;
  }
}
