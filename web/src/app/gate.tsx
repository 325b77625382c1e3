import { Suspense } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { findOrganization } from '../lib/organizations.ts';
import { isOrganizationPage, preferredOrganization, withPreferredOrganization } from '../lib/preference.ts';
import { useBackOnline } from '../lib/use-back-online.ts';
import { useClient, usePageContext, useSessionState } from '../lib/use-client.ts';
import { Desk, Login, type Route } from '../routes/routes.tsx';
import { Frame } from './frame.tsx';
import { PageSkeleton } from './page-skeleton.tsx';
import { TopBar } from './top-bar.tsx';

/** Shows the page, or the sign-in card in its place if the page needs a session and there is none. */
export function Gate({ route: { access, path, width, Page } }: { route: Route }) {
  const state = useSessionState();
  const { local, session } = useClient();
  const { pathname, search } = useLocation();
  const isOpen = access !== 'session' || state.status === 'signed-in';
  const isDesk = isOpen && isOrganizationPage(path);
  const context = usePageContext();
  // Without an organization, its pages are a column.
  const organization = isDesk && state.status === 'signed-in' && findOrganization(state.user, context);
  const shownWidth = isOpen ? width : undefined;
  const bar = access !== 'public' && state.status === 'signed-in' && <TopBar user={state.user} />;

  useBackOnline(state.status === 'signed-in' && state.fresh === 'failed' ? session.refresh : null);

  const preferred = state.status === 'signed-in' ? preferredOrganization(local, state.user) : null;
  const completed = withPreferredOrganization({ pathname, search }, preferred);
  if (completed) return <Navigate to={completed} replace />;
  return (
    <Frame bar={bar} width={organization ? 'desk' : shownWidth} desk={isDesk ? Desk.Page : undefined}>
      <Suspense fallback={<PageSkeleton />}>
        {isOpen ? <Page /> : <Login.Page returnTo={pathname + search} error={state.notice} />}
      </Suspense>
    </Frame>
  );
}
