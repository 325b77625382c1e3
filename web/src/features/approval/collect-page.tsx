import { lazy, Suspense } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { NO_ANSWER } from '../../lib/api-client.ts';
import { keepQuery } from '../../lib/page-context.ts';
import { useClient, usePageContext, useSessionState, useUser } from '../../lib/use-client.ts';
import { authenticatorsOf } from '../../lib/user.ts';
import { TITLE } from './approval-card.tsx';
import { LoadingApprovalPage } from './approval-page.tsx';
import { readApprovalTarget } from './approval-target.ts';
import { Incomplete } from './incomplete.tsx';

/** A person needs it once, so it isn't part of the entry. */
const FindOrRegister = lazy(() => import('./find-or-register.tsx'));

/** `/collect`: redirects to the approval page that fits the person's authenticators in this organization. */
export function CollectPage() {
  const { session } = useClient();
  const state = useSessionState();
  const user = useUser();
  const context = usePageContext();
  const { search, state: movedState } = useLocation();
  const read = readApprovalTarget(context);

  if ('missing' in read) return <Incomplete {...read} />;
  if (state.status !== 'signed-in' || state.fresh === 'pending') return <LoadingApprovalPage />;
  if (state.fresh === 'failed') {
    return (
      <Card title={TITLE} banner={<Banner text={NO_ANSWER} />}>
        <Button onClick={() => void session.refresh()}>Try again</Button>
      </Card>
    );
  }
  const { totp, webauthn } = authenticatorsOf(user, context.ownerID);
  const path =
    webauthn.length > 0 && 'PublicKeyCredential' in window ? '/collect-passkey' : totp && '/collect-totp';
  if (path) return <Navigate to={keepQuery(path, search)} replace state={movedState} />;
  return (
    <Suspense fallback={<LoadingApprovalPage />}>
      <FindOrRegister key={search} target={read.target} />
    </Suspense>
  );
}
