import { useCallback } from 'react';
import {
  addedColumn,
  authenticatorColumn,
  lastUsedColumn,
  organizationColumn,
  typeColumn,
} from '../../components/authenticator-columns.tsx';
import { AuthenticatorTable } from '../../components/authenticator-table.tsx';
import { Banner } from '../../components/banner.tsx';
import { actionLink, Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { InternalLink } from '../../components/internal-link.tsx';
import { listOwnAuthenticators } from '../../lib/authenticator-records.ts';
import { useClient, useUser } from '../../lib/use-client.ts';
import { useLoaded } from '../../lib/use-loaded.ts';

const COLUMNS = [typeColumn, authenticatorColumn(), organizationColumn, addedColumn, lastUsedColumn];

/** `/authenticators`: the person's authenticators in all their organizations. */
export function AuthenticatorsPage() {
  const { store } = useClient();
  const { id } = useUser();
  const { loaded, reload } = useLoaded(useCallback(() => listOwnAuthenticators(store, id), [store, id]));
  const isLoading = loaded.status === 'awaiting';
  const banner = loaded.status === 'failed' && (
    <Banner text={loaded.text}>
      <Button look="secondary" onClick={reload}>
        Try again
      </Button>
    </Banner>
  );
  return (
    <Card title="My Authenticators" wide busy={isLoading} banner={banner}>
      {isLoading && <AuthenticatorTable columns={COLUMNS} authenticators={null} />}
      {loaded.status === 'ok' &&
        (loaded.value.length > 0 ? (
          <AuthenticatorTable columns={COLUMNS} authenticators={loaded.value} />
        ) : (
          <p>You don't have an authenticator yet. Register one to approve pull requests.</p>
        ))}
      <InternalLink
        className={actionLink}
        to="/select-org"
        query={{ redirectURL: '/authenticators', target: '/register', stepUp: null }}
      >
        Register New Authenticator
      </InternalLink>
      <p>
        <InternalLink to="/authenticator-types">About authenticator types</InternalLink>
      </p>
    </Card>
  );
}
