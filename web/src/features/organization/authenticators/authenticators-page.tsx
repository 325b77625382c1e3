import {
  ADDED,
  AuthenticatorTable,
  authenticatorColumn,
  TYPE,
  USER,
} from '../../../components/authenticator-table.tsx';
import { Banner } from '../../../components/banner.tsx';
import { actionLink, Button } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { KeptLink } from '../../../components/kept-link.tsx';
import { organizationQuery } from '../../../lib/organizations.ts';
import { keepQuery } from '../../../lib/page-context.ts';
import type { Organization } from '../../../lib/user.ts';
import { More } from '../more.tsx';
import { OfOrganization } from '../of-organization.tsx';
import { useOrganizationAuthenticators } from './use-organization-authenticators.ts';

const TITLE = 'Registered Authenticators';

/** `/org/authenticators`: everybody's authenticators in the organization, for an owner; one's own, for others. */
export const OrganizationAuthenticatorsPage = () => (
  <OfOrganization title={TITLE} wide>
    {(organization) => <Authenticators key={organization.id} organization={organization} />}
  </OfOrganization>
);

function Authenticators({ organization }: { organization: Organization }) {
  const { loaded, reload, more, isMore, authenticators } = useOrganizationAuthenticators(organization.id);
  const query = organizationQuery(organization);
  // Where the pages that this one leads to come back to.
  const here = { ...query, redirectURL: keepQuery('/org/authenticators', '', query) };
  const columns = [TYPE, authenticatorColumn(here), USER, ADDED];
  const owner = organization.role === 'admin';
  const banner = loaded.status === 'failed' && (
    <Banner text={loaded.text}>
      <Button look="secondary" onClick={reload}>
        Try again
      </Button>
    </Banner>
  );
  return (
    <Card title={TITLE} wide busy={loaded.status === 'awaiting'} banner={banner}>
      {!owner && <p>You see your own authenticators here. Owners see those of all members.</p>}
      {loaded.status === 'awaiting' && <AuthenticatorTable columns={columns} authenticators={null} />}
      {loaded.status === 'ok' && authenticators.length > 0 && (
        <AuthenticatorTable columns={columns} authenticators={authenticators} />
      )}
      {loaded.status === 'ok' && authenticators.length === 0 && (
        <p>
          {owner ? 'Nobody has an authenticator here yet.' : 'You have no authenticator here yet.'} Register
          one, and you can approve with it.
        </p>
      )}
      {loaded.status === 'ok' && (
        <More state={more} more={isMore}>
          Show more
        </More>
      )}
      <KeptLink className={actionLink} to="/register" query={{ ...here, stepUp: null }}>
        Register New Authenticator
      </KeptLink>
    </Card>
  );
}
