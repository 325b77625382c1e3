import './styles/tokens.css';
import './styles/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { ErrorScreen } from './app/error-screen.tsx';
import { type Client, createClient } from './lib/client.ts';
import { preload } from './routes/routes.tsx';

const place = document.getElementById('root');
if (place) createRoot(place).render(<StrictMode>{start()}</StrictMode>);

/** Everything that can begin before the first frame begins here: the page's code and the session's refresh. */
function start() {
  const client = tryCreateClient();
  if (!client) return <ErrorScreen text="pocketbase not initialized" />;
  preload(window.location.pathname, client.session.getState().status === 'signed-in');
  void client.session.refresh();
  return <App client={client} />;
}

/** Null where the browser refuses local storage to this site. */
function tryCreateClient(): Client | null {
  try {
    return createClient(window);
  } catch {
    return null;
  }
}
