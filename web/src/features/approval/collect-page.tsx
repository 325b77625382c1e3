import { lazy, Suspense } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { Incomplete } from '../../components/incomplete.tsx';
import { SessionFailedCard } from '../../components/load-failure.tsx';
import { keepQuery, readPageContext } from '../../lib/address/page-context.ts';
import { useClient, usePageContext, useSessionState } from '../../lib/react/use-client.ts';
import type { Client } from '../../lib/session/client.ts';
import { authenticatorsOf } from '../../lib/session/user.ts';
import { methodFor } from '../../lib/signing/method-for.ts';
import { LoadingApprovalPage } from './approval-page.tsx';
import { NAMES, readApprovalTarget, TITLE } from './approval-target.ts';

/** A person needs it once, so it isn't part of the entry. */
const FindOrRegister = lazy(() => import('./find-or-register.tsx'));

/** The page to which `/collect` leads a person whose session was refreshed; null if they need another step first. */
export function approvalPath({ session }: Pick<Client, 'session'>, search: string): string | null {
  const state = session.getState();
  const context = readPageContext(search);
  if (state.status !== 'signed-in' || state.fresh !== 'yes' || !readApprovalTarget(context)) return null;
  const method = methodFor(authenticatorsOf(state.user, context.ownerID));
  return method && keepQuery(method === 'webauthn' ? '/collect-passkey' : '/collect-totp', search);
}

/** `/collect`: redirects to the approval page that fits the person's authenticators in this organization. */
export function CollectPage() {
  const client = useClient();
  const state = useSessionState();
  const context = usePageContext();
  const { search, state: movedState } = useLocation();
  const target = readApprovalTarget(context);

  if (!target) return <Incomplete title={TITLE} needs={NAMES} />;
  if (state.status !== 'signed-in' || state.fresh === 'pending') return <LoadingApprovalPage />;
  if (state.fresh === 'failed') return <SessionFailedCard title={TITLE} />;
  const path = approvalPath(client, search);
  if (path) return <Navigate to={path} replace state={movedState} />;
  return (
    <Suspense fallback={<LoadingApprovalPage />}>
      <FindOrRegister key={search} target={target} />
    </Suspense>
  );
}
