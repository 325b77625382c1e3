import { Link } from 'react-router-dom';
import { GithubLink, InternalLink } from '../../components/controls.tsx';
import { HiddenOrganizations, NoOrganizations } from '../../components/hidden-organizations.tsx';
import { Icon, passkeyIcon } from '../../components/icon.tsx';
import { Label } from '../../components/text.tsx';
import { keepQuery } from '../../lib/page-context.ts';
import { savePreference } from '../../lib/preference.ts';
import { useClient } from '../../lib/use-client.ts';
import { authenticatorsOf, type Organization, organizationQuery, type User } from '../../lib/user.ts';
import styles from './account.module.css';

// The current query may be about a pull request of another organization.
const NO_APPROVAL = {
  installation: null,
  repo: null,
  pr: null,
  url: null,
  head: null,
  headURL: null,
  title: null,
};

/** The person's organizations that have the App, and whether the person has an authenticator in each. */
export function OrganizationList({ user }: { user: User }) {
  const { config } = useClient();
  const enrolled = user.organizations.filter(({ installationId }) => installationId > 0);
  return (
    <div className="stack gap-1 divided">
      <h3>Organizations</h3>
      {enrolled.length === 0 && <NoOrganizations />}
      <ul>
        {enrolled.map((organization) => (
          <li key={organization.orgId} className={`between ${styles.row}`}>
            <span className={styles.name}>
              <Label text={organization.name} />
              <State user={user} organization={organization} />
            </span>
            <Register user={user} organization={organization} />
            <Manage user={user} organization={organization} />
          </li>
        ))}
      </ul>
      <HiddenOrganizations />
      {enrolled.length > 0 && config.install && (
        <p className={`between ${styles.row}`}>
          <GithubLink href={config.install}>Add New Organization</GithubLink>
        </p>
      )}
    </div>
  );
}

type Props = { user: User; organization: Organization };

function State({ user, organization: { orgId, suspended } }: Props) {
  const { totp, webauthn } = authenticatorsOf(user, String(orgId));
  if (suspended) return <span className={styles.quiet}>Suspended on GitHub</span>;
  if (!totp && webauthn.length === 0) return <span className={styles.quiet}>No authenticator</span>;
  return (
    <span className={styles.quiet}>
      <Icon path={passkeyIcon} /> Authenticator registered
    </span>
  );
}

/** Shown while the person has no authenticator in the organization. */
function Register({ user, organization: { orgId, name, suspended } }: Props) {
  const { totp, webauthn } = authenticatorsOf(user, String(orgId));
  if (suspended || totp || webauthn.length > 0) return null;
  return (
    <InternalLink to="/register" query={{ ...NO_APPROVAL, owner: name, ownerID: String(orgId) }}>
      Register<span className="visually-hidden"> an authenticator for {name}</span>
    </InternalLink>
  );
}

/** Opens the organization and makes it the preferred one. */
function Manage({ user, organization }: Props) {
  const { local } = useClient();
  return (
    <Link
      to={keepQuery('/org', '', organizationQuery(organization))}
      onClick={() => savePreference(local, user, organization)}
    >
      Manage<span className="visually-hidden"> {organization.name}</span>
    </Link>
  );
}
