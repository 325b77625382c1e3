import { Link } from 'react-router-dom';
import { GithubLink, InternalLink } from '../../components/controls.tsx';
import { NoOrganizations } from '../../components/hidden-organizations.tsx';
import { Icon, passkeyIcon } from '../../components/icon.tsx';
import { Label } from '../../components/text.tsx';
import { keepQuery } from '../../lib/address/page-context.ts';
import { useClient } from '../../lib/react/use-client.ts';
import { savePreference } from '../../lib/session/preference.ts';
import { authenticatorsOf, type Organization, organizationQuery, type User } from '../../lib/session/user.ts';
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
    <div className="stack gap-1">
      <h2>Organizations</h2>
      {enrolled.length === 0 && <NoOrganizations />}
      <ul>
        {enrolled.map((organization) => (
          <OrganizationRow key={organization.orgId} user={user} organization={organization} />
        ))}
      </ul>
      {enrolled.length > 0 && config.install && (
        <p className={`between ${styles.row}`}>
          <GithubLink href={config.install}>Add New Organization</GithubLink>
        </p>
      )}
    </div>
  );
}

type Props = { user: User; organization: Organization };

/** Says whether the person has an authenticator in the organization, and links to its registration or management. */
function OrganizationRow({ user, organization }: Props) {
  const { local } = useClient();
  const { orgId, name, suspended } = organization;
  const { totp, webauthn } = authenticatorsOf(user, String(orgId));
  const isRegistered = totp || webauthn.length > 0;
  return (
    <li className={`between ${styles.row}`}>
      <span className={styles.name}>
        <Label text={name} />
        <span className={styles.quiet}>
          {suspended && 'Suspended on GitHub'}
          {!suspended && !isRegistered && 'No authenticator'}
          {!suspended && isRegistered && (
            <>
              <Icon path={passkeyIcon} /> Authenticator registered
            </>
          )}
        </span>
      </span>
      {!suspended && !isRegistered && (
        <InternalLink to="/register" query={{ ...NO_APPROVAL, owner: name, ownerID: String(orgId) }}>
          Register<span className="visually-hidden"> an authenticator for {name}</span>
        </InternalLink>
      )}
      {/* The organization that's opened is the preferred one from then on. */}
      <Link
        to={keepQuery('/org', '', organizationQuery(organization))}
        onClick={() => savePreference(local, user, organization)}
      >
        Manage<span className="visually-hidden"> {name}</span>
      </Link>
    </li>
  );
}
