import { BrowserRouter, Route as RouterRoute, Routes } from 'react-router-dom';
import type { Client } from '../lib/client.ts';
import { ClientContext } from '../lib/use-client.ts';
import { routes } from '../routes/routes.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Gate } from './gate.tsx';

export function App({ client }: { client: Client }) {
  return (
    <ClientContext value={client}>
      <BrowserRouter>
        <ErrorBoundary>
          <Routes>
            {routes.map((route) => (
              <RouterRoute key={route.path} path={route.path} element={<Gate route={route} />} />
            ))}
          </Routes>
        </ErrorBoundary>
      </BrowserRouter>
    </ClientContext>
  );
}
