import { useLocation } from 'react-router-dom';
import { Banner } from '../../../components/banner.tsx';
import { Button } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { ChooseOrganization } from '../../../components/choose-organization.tsx';
import { findOrganization } from '../../../lib/organizations.ts';
import { useClient, usePageContext, useSessionState, useUser } from '../../../lib/use-client.ts';
import type { Organization, User } from '../../../lib/user.ts';
import { JustConnected } from './just-connected.tsx';
import { type Asked, readInstallation } from './read-installation.ts';
import { RepositoryList } from './repository-list.tsx';
import { settingsAddress } from './settings-address.ts';
import { useRepositories } from './use-repositories.ts';

const TITLE = 'Connected Repositories';
// GitHub does not know an installation at first, and says so in either way.
const UNKNOWN = [403, 404];

/** `/org/repositories`: what the App was given, asked of GitHub itself. */
export function RepositoriesPage() {
  const asked = readInstallation(useLocation().search);
  if (!asked.installation) {
    return (
      <Card title={TITLE} banner={<Banner text="Missing installation ID" />}>
        <ChooseOrganization target="/org/repositories" />
      </Card>
    );
  }
  return <Connected key={asked.installation} {...asked} />;
}

function Connected({ installation, justConnected }: Asked) {
  const { config } = useClient();
  const user = useUser();
  const { owner, ownerID } = usePageContext();
  const organization = byInstallation(user, installation) ?? findOrganization(user, { owner, ownerID });
  const { found, done, error, reload } = useRepositories(installation);

  const fresh = useIsFresh();
  const isNew = justConnected && error !== null && UNKNOWN.includes(error.status);
  const nothingYet = isNew || (done && found?.total === 0);
  const waits = justConnected && (nothingYet || (fresh && !organization));
  const settings = settingsAddress(config, installation, organization?.name ?? owner, user.username);

  return (
    <Card
      title={TITLE}
      busy={!done}
      banner={
        error &&
        !isNew && (
          <Banner text={error.message}>
            <Button look="secondary" onClick={reload}>
              Try again
            </Button>
          </Banner>
        )
      }
    >
      {waits && <JustConnected onRefresh={reload} />}
      {!error && (
        <RepositoryList
          found={found}
          done={done}
          settings={settings}
          mayChange={organization?.role !== 'member'}
        />
      )}
    </Card>
  );
}

/** What the session says counts once the record store has confirmed it. */
function useIsFresh(): boolean {
  const state = useSessionState();
  return state.status === 'signed-in' && state.fresh === 'yes';
}

const byInstallation = ({ organizations }: User, installation: string): Organization | undefined =>
  organizations.find(({ installationId }) => String(installationId) === installation);
