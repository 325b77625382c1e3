import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { Banner, Card } from '../../../components/card.tsx';
import { ChooseOrganization } from '../../../components/choose-organization.tsx';
import { SecondaryButton } from '../../../components/controls.tsx';
import { Notice } from '../../../components/notice.tsx';
import { useClient, usePageContext, useSessionState, useUser } from '../../../lib/use-client.ts';
import { findOrganization, type Organization, type User } from '../../../lib/user.ts';
import { CheckedRepositories, settingsUrl } from './checked-repositories.tsx';
import { RepositoryList } from './repository-list.tsx';
import { useRepositories } from './use-repositories.ts';

const TITLE = 'Repositories';
const MISSING = 'Missing installation ID\nChoose one of yours.';
// GitHub answers with either for a few moments after an installation.
const NOT_KNOWN_YET = [403, 404];

/**
 * `/org/repositories`: the repositories that the App can access. Owners see whether each requires the check; everyone
 * else sees those that GitHub lists for them.
 */
export function RepositoriesPage() {
  const query = readInstallationQuery(useLocation().search);
  if (!query.installation) {
    return (
      <Card title={TITLE} banner={MISSING}>
        <ChooseOrganization target="/org/repositories" />
      </Card>
    );
  }
  return <ForRole key={query.installation} {...query} />;
}

/** The role in the session is a hint: if the server says that the person isn't an owner, they see GitHub's list. */
function ForRole(query: InstallationQuery) {
  const organization = useOrganization(query.installation);
  const [isRefused, setIsRefused] = useState(false);
  if (organization?.role !== 'admin' || query.justInstalled || isRefused) return <Repositories {...query} />;
  return (
    <CheckedRepositories title={TITLE} organization={organization} onRefused={() => setIsRefused(true)} />
  );
}

function useOrganization(installation: string): Organization | null {
  const user = useUser();
  const { owner, ownerID } = usePageContext();
  return findByInstallation(user, installation) ?? findOrganization(user, { owner, ownerID });
}

function Repositories({ installation, justInstalled }: InstallationQuery) {
  const { config } = useClient();
  const user = useUser();
  const { owner } = usePageContext();
  const organization = useOrganization(installation);
  const { found, done, error, reload } = useRepositories(installation);

  const isFresh = useIsFresh();
  const isNotKnownYet = justInstalled && error !== null && NOT_KNOWN_YET.includes(error.status);
  const isEmpty = isNotKnownYet || (done && found?.total === 0);
  const asksForPatience = justInstalled && (isEmpty || (isFresh && !organization));
  const banner = error && !isNotKnownYet && (
    <Banner text={error.message}>
      <SecondaryButton onClick={reload}>Try again</SecondaryButton>
    </Banner>
  );

  return (
    <Card title={TITLE} wide busy={!done} banner={banner}>
      {asksForPatience && <NewInstallationNotice onRefresh={reload} />}
      {!error && (
        <RepositoryList
          found={found}
          done={done}
          settings={settingsUrl(config, installation, organization?.name ?? owner, user.username)}
          mayChange={organization?.role !== 'member'}
        />
      )}
    </Card>
  );
}

/** Only a session that the record store has confirmed can tell that an organization is missing. */
function useIsFresh(): boolean {
  const state = useSessionState();
  return state.status === 'signed-in' && state.fresh === 'yes';
}

const findByInstallation = ({ organizations }: User, installation: string): Organization | undefined =>
  organizations.find(({ installationId }) => String(installationId) === installation);

/** Shown right after the App was installed: GitHub takes a moment to notify us and to list the repositories. */
function NewInstallationNotice({ onRefresh }: { onRefresh: () => void }) {
  const { session } = useClient();
  const state = useSessionState();
  const busy = state.status === 'signed-in' && state.fresh === 'pending';
  const refresh = () => void session.refresh().then(onRefresh);
  return (
    <Notice variant="info">
      <p>Thanks for connecting to GitHub! Please refresh in a few minutes to see your repositories</p>
      <SecondaryButton busy={busy} onClick={refresh}>
        Refresh
      </SecondaryButton>
    </Notice>
  );
}

/** The installation that the page is about, and whether the person has just installed or changed the App. */
type InstallationQuery = { installation: string; justInstalled: boolean };

/**
 * Reads the installation from the query string. After somebody installs the App or changes its repositories, GitHub
 * sends them here with `installation_id` and `setup_action`; that id is newer than an `installation` parameter.
 * https://docs.github.com/en/apps/creating-github-apps/registering-a-github-app/about-the-setup-url
 */
export function readInstallationQuery(search: string): InstallationQuery {
  const params = new URLSearchParams(search);
  const justInstalled = ['install', 'update'].includes(params.get('setup_action') ?? '');
  const ours = params.get('installation') ?? '';
  const githubs = params.get('installation_id') ?? '';
  const installation = justInstalled ? githubs || ours : ours || githubs;
  return { installation: /^[1-9][0-9]{0,15}$/.test(installation) ? installation : '', justInstalled };
}
