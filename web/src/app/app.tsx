import { Component, type ReactNode, Suspense } from 'react';
import { BrowserRouter, Navigate, Route as RouterRoute, Routes, useLocation } from 'react-router-dom';
import { Info } from '../components/info.tsx';
import { useBackOnline } from '../lib/react/use-back-online.ts';
import { ClientContext, useClient, usePageContext, useSessionState } from '../lib/react/use-client.ts';
import type { Client } from '../lib/session/client.ts';
import {
  isOrganizationPage,
  preferredOrganization,
  withPreferredOrganization,
} from '../lib/session/preference.ts';
import { findOrganization } from '../lib/session/user.ts';
import { Desk, Login, type Route, routes } from '../routes/routes.tsx';
import { ErrorScreen } from './error-screen.tsx';
import { Frame } from './frame.tsx';
import { PageSkeleton } from './page-skeleton.tsx';
import { TopBar } from './top-bar.tsx';

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

/** Shows the page, or the sign-in card in its place if the page needs a session and there is none. */
function Gate({ route: { access, path, width, Page } }: { route: Route }) {
  const state = useSessionState();
  const user = state.status === 'signed-in' ? state.user : null;
  const isStale = state.status === 'signed-in' && state.fresh === 'failed';
  const { local, session } = useClient();
  const { pathname, search } = useLocation();
  const isOpen = access !== 'session' || user !== null;
  const isDesk = isOpen && isOrganizationPage(path);
  const context = usePageContext();
  // Without an organization, its pages are a column.
  const organization = isDesk && user && findOrganization(user, context);
  const shownWidth = isOpen ? width : undefined;
  const bar = access !== 'public' && user && <TopBar user={user} />;

  useBackOnline(isStale ? session.refresh : null);

  const preferred = user ? preferredOrganization(local, user) : null;
  const completed = withPreferredOrganization({ pathname, search }, preferred);
  if (completed) return <Navigate to={completed} replace />;
  return (
    <Frame bar={bar} width={organization ? 'desk' : shownWidth} desk={isDesk ? Desk.Page : undefined}>
      <Suspense fallback={<PageSkeleton />}>
        {user && <Info />}
        {isOpen ? (
          <Page />
        ) : (
          <Login.Page
            returnTo={pathname + search}
            error={state.status === 'signed-out' ? state.notice : null}
            isOpened={session.isAsOpened()}
          />
        )}
      </Suspense>
    </Frame>
  );
}

type State = { error: unknown; failed: boolean };

/** Shows the error screen for an error that no page caught. React supports this only in classes. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null, failed: false };

  static getDerivedStateFromError(error: unknown): State {
    return { error, failed: true };
  }

  override render() {
    const { error, failed } = this.state;
    if (!failed) return this.props.children;
    const detail = error instanceof Error ? error.message : '';
    return <ErrorScreen text={detail ? `Unknown error: ${detail}` : 'Major error in UI!'} />;
  }
}
