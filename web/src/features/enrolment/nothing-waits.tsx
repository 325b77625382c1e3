import { actionLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { InternalLink } from '../../components/internal-link.tsx';

/** Somebody removed the pending authenticator, or the person never had one. */
export const NothingWaits = ({ org }: { org: string }) => (
  <Card title="Waiting for a vouch">
    <p>
      You don't have an authenticator in <strong>{org}</strong> that waits. If you registered one, an owner
      removed it.
    </p>
    <InternalLink className={actionLink} to="/register">
      Register an authenticator
    </InternalLink>
  </Card>
);
