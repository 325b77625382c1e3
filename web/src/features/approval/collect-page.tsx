import { Navigate, useLocation } from 'react-router-dom';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { NO_ANSWER } from '../../lib/api-client.ts';
import { collectPath, keepQuery } from '../../lib/page-context.ts';
import { useClient, usePageContext, useSessionState, useUser } from '../../lib/use-client.ts';
import { authenticatorsOf } from '../../lib/user.ts';
import { ApprovalCard, BY_PASSKEY, TITLE } from './approval-card.tsx';
import { readTarget } from './target.ts';
import { LOADING } from './use-approval.ts';

/** `/collect`: leads to the page for the authenticators that the person has in this organization. */
export function CollectPage() {
  const { session } = useClient();
  const state = useSessionState();
  const user = useUser();
  const context = usePageContext();
  const { search } = useLocation();
  const read = readTarget(context);

  if ('missing' in read) return <Card title={TITLE} banner={<Banner text={read.missing} />} />;
  if (state.status !== 'signed-in' || state.fresh === 'pending') return <Waiting />;
  if (state.fresh === 'failed') {
    return (
      <Card title={TITLE} banner={<Banner text={NO_ANSWER} />}>
        <Button onClick={() => void session.refresh()}>Try again</Button>
      </Card>
    );
  }
  const { totp, webauthn } = authenticatorsOf(user, context.ownerID);
  if (webauthn.length > 0) return <Navigate to={keepQuery('/collect-passkey', search)} replace />;
  if (totp) return <Navigate to={keepQuery('/collect-totp', search)} replace />;
  return <Navigate to={keepQuery('/register', search, { redirectURL: collectPath(context) })} replace />;
}

/** The approval page as it looks while it loads: it comes next, and nothing jumps. */
function Waiting() {
  const nothing = () => undefined;
  return (
    <ApprovalCard approval={LOADING} by={BY_PASSKEY} onReload={nothing}>
      <Button busy>Approve with passkey</Button>
    </ApprovalCard>
  );
}
