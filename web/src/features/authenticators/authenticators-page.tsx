import { useCallback } from 'react';
import {
  ADDED,
  AuthenticatorTable,
  authenticatorColumn,
  type Column,
  LAST_USED,
  ORG,
  TYPE,
} from '../../components/authenticator-table.tsx';
import { Banner } from '../../components/banner.tsx';
import { actionLink, Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { KeptLink } from '../../components/kept-link.tsx';
import { listAuthenticators } from '../../lib/authenticator-records.ts';
import { useClient, useUser } from '../../lib/use-client.ts';
import { useLoaded } from '../../lib/use-loaded.ts';

const COLUMNS: Column[] = [TYPE, authenticatorColumn(), ORG, ADDED, LAST_USED];

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
      {waiting && <AuthenticatorTable columns={COLUMNS} authenticators={null} />}
      {loaded.status === 'ok' &&
        (loaded.value.length > 0 ? (
          <AuthenticatorTable columns={COLUMNS} authenticators={loaded.value} />
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
