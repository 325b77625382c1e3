import { lazy, Suspense } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { Incomplete } from '../../components/incomplete.tsx';
import { SessionFailedCard } from '../../components/load-failure.tsx';
import { keepQuery } from '../../lib/page-context.ts';
import { usePageContext, useSessionState } from '../../lib/use-client.ts';
import { authenticatorsOf } from '../../lib/user.ts';
import { LoadingApprovalPage } from './approval-page.tsx';
import { methodFor, readApprovalTarget, TITLE } from './approval-target.ts';

/** A person needs it once, so it isn't part of the entry. */
const FindOrRegister = lazy(() => import('./find-or-register.tsx'));

/** `/collect`: redirects to the approval page that fits the person's authenticators in this organization. */
export function CollectPage() {
  const state = useSessionState();
  const context = usePageContext();
  const { search, state: movedState } = useLocation();
  const target = readApprovalTarget(context);

  if (!target) return <Incomplete title={TITLE} />;
  if (state.status !== 'signed-in') return <LoadingApprovalPage />;
  if (state.fresh === 'failed') return <SessionFailedCard title={TITLE} />;
  const method = methodFor(authenticatorsOf(state.user, context.ownerID));
  // The stored session may name an authenticator that was deleted since. The approval page then says so.
  if (method) {
    const path = method === 'webauthn' ? '/collect-passkey' : '/collect-totp';
    return <Navigate to={keepQuery(path, search)} replace state={movedState} />;
  }
  if (state.fresh === 'pending') return <LoadingApprovalPage />;
  return (
    <Suspense fallback={<LoadingApprovalPage />}>
      <FindOrRegister key={search} target={target} />
    </Suspense>
  );
}
