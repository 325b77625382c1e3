import { useCallback } from 'react';
import { Banner } from '../../components/banner.tsx';
import { actionLink, Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { KeptLink } from '../../components/kept-link.tsx';
import { useClient, useUser } from '../../lib/use-client.ts';
import { AuthenticatorTable, SkeletonTable } from './authenticator-table.tsx';
import { listAuthenticators } from './records.ts';
import { useLoaded } from './use-loaded.ts';

/** `/authenticators`: what the person has registered, in all their organizations. */
export function AuthenticatorsPage() {
  const { store } = useClient();
  const { id } = useUser();
  const { loaded, reload } = useLoaded(useCallback(() => listAuthenticators(store, id), [store, id]));
  const waiting = loaded.status === 'awaiting';
  const banner = loaded.status === 'failed' && (
    <Banner text={loaded.text}>
      <Button look="secondary" onClick={reload}>
        Try again
      </Button>
    </Banner>
  );
  return (
    <Card title="My Authenticators" wide busy={waiting} banner={banner}>
      {waiting && <SkeletonTable />}
      {loaded.status === 'ok' &&
        (loaded.value.length > 0 ? (
          <AuthenticatorTable authenticators={loaded.value} />
        ) : (
          <p>You have no authenticator yet. Register one, and you can approve with it.</p>
        ))}
      <KeptLink
        className={actionLink}
        to="/select-org"
        query={{ redirectURL: '/authenticators', target: '/register', stepUp: null }}
      >
        Register New Authenticator
      </KeptLink>
      <p>
        <KeptLink to="/authenticator-types">About authenticator types</KeptLink>
      </p>
    </Card>
  );
}
