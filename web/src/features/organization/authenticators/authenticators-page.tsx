import {
  addedColumn,
  authenticatorColumn,
  holderColumn,
  typeColumn,
} from '../../../components/authenticator-columns.tsx';
import { AuthenticatorTable } from '../../../components/authenticator-table.tsx';
import { actionLink } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { InternalLink } from '../../../components/internal-link.tsx';
import { loadFailure } from '../../../components/load-failure.tsx';
import { organizationQuery } from '../../../lib/organizations.ts';
import { keepQuery } from '../../../lib/page-context.ts';
import type { Organization } from '../../../lib/user.ts';
import { RequireOrganization } from '../require-organization.tsx';
import { ShowMore } from '../show-more.tsx';
import { useOrganizationAuthenticators } from './use-organization-authenticators.ts';

const TITLE = 'Registered authenticators';

/** `/org/authenticators`: the authenticators of all members for an owner; a member sees their own. */
export const OrganizationAuthenticatorsPage = () => (
  <RequireOrganization title={TITLE} wide>
    {(organization) => <Authenticators key={organization.id} organization={organization} />}
  </RequireOrganization>
);

function Authenticators({ organization }: { organization: Organization }) {
  const { loaded, reload, nextPage, hasMore, authenticators } = useOrganizationAuthenticators(
    organization.id,
  );
  const query = organizationQuery(organization);
  // The pages linked from here lead back to this one.
  const linkQuery = { ...query, redirectURL: keepQuery('/org/authenticators', '', query) };
  const columns = [typeColumn, authenticatorColumn(linkQuery), holderColumn, addedColumn];
  const isOwner = organization.role === 'admin';
  return (
    <Card title={TITLE} wide busy={loaded.status === 'awaiting'} banner={loadFailure(loaded, reload)}>
      {!isOwner && <p>Only owners see the authenticators of other members.</p>}
      {loaded.status === 'awaiting' && <AuthenticatorTable columns={columns} authenticators={null} />}
      {loaded.status === 'ok' && authenticators.length > 0 && (
        <AuthenticatorTable columns={columns} authenticators={authenticators} />
      )}
      {loaded.status === 'ok' && authenticators.length === 0 && (
        <p>
          {isOwner ? 'No one has an authenticator here yet.' : "You don't have an authenticator here yet."}{' '}
          Register one to approve pull requests.
        </p>
      )}
      {loaded.status === 'ok' && (
        <ShowMore nextPage={nextPage} hasMore={hasMore}>
          Show more
        </ShowMore>
      )}
      <InternalLink className={actionLink} to="/register" query={{ ...linkQuery, stepUp: null }}>
        Register New Authenticator
      </InternalLink>
    </Card>
  );
}
