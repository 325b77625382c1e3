import { useEffect, useState } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { Banner } from '../../components/banner.tsx';
import { Card } from '../../components/card.tsx';
import { ApiError } from '../../lib/api-client.ts';
import { collectPath, keepQuery } from '../../lib/page-context.ts';
import { useClient, usePageContext } from '../../lib/use-client.ts';
import { TITLE } from './approval-card.tsx';
import { LoadingApprovalPage } from './approval-page.tsx';
import { findMove } from './approval-request.ts';
import type { ApprovalTarget } from './approval-target.ts';
import { endOf, type PullEnd } from './problem.ts';
import PullOver from './pull-over.tsx';
import { useTakeAddress } from './take-address.ts';

/** The person's authenticators may be in another organization: the one to which the repository was transferred. */
export default function FindOrRegister({ target }: { target: ApprovalTarget }) {
  const { api, session } = useClient();
  const context = usePageContext();
  const { search } = useLocation();
  const takeAddress = useTakeAddress();
  const [isThere, setIsThere] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [end, setEnd] = useState<PullEnd | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks once for each address; the key makes another one another component.
  useEffect(() => {
    findMove({ api, accessToken: session.accessToken }, target)
      .then((move) => setIsThere(move === null || !takeAddress(move)))
      .catch((error: unknown) => {
        setEnd(endOf(error));
        // A person who may not approve here has nothing to register for. Without an answer the registration goes on.
        if (error instanceof ApiError && error.status === 403) setRefusal(error.message);
        else setIsThere(true);
      });
  }, []);
  if (refusal !== null) return <Card title={TITLE} banner={<Banner text={refusal} />} />;
  if (end) {
    return (
      <Card title={`Pull request ${end}`}>
        <PullOver how={end} />
      </Card>
    );
  }
  if (!isThere) return <LoadingApprovalPage />;
  return <Navigate to={keepQuery('/register', search, { redirectURL: collectPath(context) })} replace />;
}
