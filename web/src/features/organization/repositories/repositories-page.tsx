import { useLocation } from 'react-router-dom';
import { Card } from '../../../components/card.tsx';
import { ChooseOrganization } from '../../../components/choose-organization.tsx';
import { usePageContext, useUser } from '../../../lib/react/use-client.ts';
import { findOrganization } from '../../../lib/session/user.ts';
import { CheckedRepositories } from './checked-repositories.tsx';
import { SharedRepositories } from './shared-repositories.tsx';

const TITLE = 'Repositories';
const MISSING = 'Missing installation ID\nChoose one of yours.';

/**
 * `/org/repositories`: the repositories that the App can access. Owners see whether each requires the check; everyone
 * else sees GitHub's list for them.
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
function ForRole({ installation, justInstalled }: InstallationQuery) {
  const user = useUser();
  const context = usePageContext();
  const organization =
    user.organizations.find(({ installationId }) => String(installationId) === installation) ??
    findOrganization(user, context);
  const shared = (
    <SharedRepositories
      title={TITLE}
      installation={installation}
      justInstalled={justInstalled}
      organization={organization}
    />
  );
  if (organization?.role !== 'admin' || justInstalled) return shared;
  return <CheckedRepositories title={TITLE} organization={organization} ifRefused={shared} />;
}

/** The installation that the page is about, and whether the person has just installed or changed the App. */
type InstallationQuery = { installation: string; justInstalled: boolean };

/**
 * Reads the installation from the query string. After an owner installs the App or changes its repositories, GitHub
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
