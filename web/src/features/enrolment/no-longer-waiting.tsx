import { useEffect, useState } from 'react';
import { Card } from '../../components/card.tsx';
import { ActionLink } from '../../components/controls.tsx';
import { checkIcon, Icon } from '../../components/icon.tsx';
import { SessionFailedCard } from '../../components/load-failure.tsx';
import { SkeletonLine } from '../../components/text.tsx';
import { useClient, usePageContext, useSessionState, useUser } from '../../lib/react/use-client.ts';
import { useSafeRedirect } from '../../lib/react/use-safe-redirect.ts';
import { authenticatorsOf, type NamedOrganization } from '../../lib/session/user.ts';
import { forgetOwnPending } from '../../lib/signing/own-pending.ts';

const TITLE = 'Ready to approve';

type Props = {
  organization: NamedOrganization;
  /** The credential id of the waiting authenticator. */
  keyId: string;
};

/** It doesn't wait any more. If it counts, returns to the pull request that the person came from, if there is one. */
export function NoLongerWaiting({ organization, keyId }: Props) {
  const { session } = useClient();
  const state = useSessionState();
  const { webauthn } = authenticatorsOf(useUser(), organization.orgID);
  const [isAsked, setIsAsked] = useState(false);
  const answer = isAsked && state.status === 'signed-in' ? state.fresh : 'pending';

  // The session says which ones count, and the approval page goes by it.
  useEffect(() => void session.refresh().then(() => setIsAsked(true)), [session]);

  if (webauthn.some(({ id }) => id === keyId)) return <Confirmed organization={organization} />;
  if (answer === 'yes') return <NothingWaits org={organization.org} />;
  if (answer === 'failed') return <SessionFailedCard title={TITLE} />;
  return (
    <Card title={TITLE} busy>
      <SkeletonLine like="Your authenticator counts in an-org now." />
    </Card>
  );
}

/** The person's authenticator counts now. */
export function Confirmed({ organization: { org, orgID } }: Pick<Props, 'organization'>) {
  const { local } = useClient();
  const { id: userId } = useUser();
  const { redirectURL } = usePageContext();
  const redirect = useSafeRedirect();

  useEffect(() => {
    forgetOwnPending(local, { userId, orgID });
    if (redirectURL) redirect(redirectURL);
  }, [local, userId, orgID, redirectURL, redirect]);

  return (
    <Card title={TITLE}>
      <p className="marked success" role="status">
        <Icon path={checkIcon} />
        <span>
          Your authenticator counts in <strong>{org}</strong> now.
        </span>
      </p>
      <ActionLink to="/authenticators" query={{ redirectURL: null }}>
        My Authenticators
      </ActionLink>
    </Card>
  );
}

/** Shown if the pending authenticator was deleted, or if the person never had one. */
export const NothingWaits = ({ org }: { org: string }) => (
  <Card title="Waiting for a vouch">
    <p>
      You don't have an authenticator in <strong>{org}</strong> that waits. If you registered one, it has
      since been deleted.
    </p>
    <ActionLink to="/register">Register an authenticator</ActionLink>
  </Card>
);
