import { Suspense } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { fillIn, preferredOrganization } from '../lib/preference.ts';
import { useClient, useSessionState } from '../lib/use-client.ts';
import { Login, type Route } from '../routes/routes.tsx';
import { Frame } from './frame.tsx';
import { PageSkeleton } from './page-skeleton.tsx';
import { TopBar } from './top-bar.tsx';

/** Which state of the app stands in front of the person: the page, or the way to sign in and come back to it. */
export function Gate({ route: { access, Page } }: { route: Route }) {
  const state = useSessionState();
  const { local } = useClient();
  const { pathname, search } = useLocation();
  const open = access !== 'session' || state.status === 'signed-in';
  const bar = access !== 'public' && state.status === 'signed-in' && <TopBar user={state.user} />;

  const preferred = state.status === 'signed-in' ? preferredOrganization(local, state.user) : null;
  const filledIn = fillIn({ pathname, search }, preferred);
  if (filledIn) return <Navigate to={filledIn} replace />;
  return (
    <Frame bar={bar}>
      <Suspense fallback={<PageSkeleton />}>
        {open ? <Page /> : <Login.Page returnTo={pathname + search} error={state.notice} />}
      </Suspense>
    </Frame>
  );
}
