import { Link } from 'react-router-dom';
import { GithubLink } from '../../components/github-link.tsx';
import { Icon } from '../../components/icon.tsx';
import { KeptLink } from '../../components/kept-link.tsx';
import { Label } from '../../components/label.tsx';
import { NoOrganizations } from '../../components/no-organizations.tsx';
import { passkey } from '../../components/outlines.ts';
import { organizationQuery } from '../../lib/organizations.ts';
import { keepQuery } from '../../lib/page-context.ts';
import { savePreference } from '../../lib/preference.ts';
import { useClient } from '../../lib/use-client.ts';
import { authenticatorsOf, type Organization, type User } from '../../lib/user.ts';
import styles from './account.module.css';

// The query may still be about an approval elsewhere.
const NO_APPROVAL = {
  installation: null,
  repo: null,
  pr: null,
  url: null,
  head: null,
  headURL: null,
  title: null,
};

/** The organizations that have the App, to choose one of; what the person can do in each already. */
export function OrganizationList({ user }: { user: User }) {
  const { config } = useClient();
  const enrolled = user.organizations.filter(({ installationId }) => installationId > 0);
  return (
    <div className={styles.organizations}>
      <h2>Organizations</h2>
      {enrolled.length === 0 && <NoOrganizations />}
      <ul>
        {enrolled.map((organization) => (
          <li key={organization.orgId} className={styles.row}>
            <span className={styles.name}>
              <Label text={organization.name} />
              <State user={user} organization={organization} />
            </span>
            <Register user={user} organization={organization} />
            <Manage user={user} organization={organization} />
          </li>
        ))}
      </ul>
      {enrolled.length > 0 && config.install && (
        <p className={styles.row}>
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
      <Icon outline={passkey} /> {webauthn.length > 0 ? 'Passkey registered' : 'Code registered'}
    </span>
  );
}

/** For an organization where the person can approve nothing yet. */
function Register({ user, organization: { orgId, name, suspended } }: Props) {
  const { totp, webauthn } = authenticatorsOf(user, String(orgId));
  if (suspended || totp || webauthn.length > 0) return null;
  return (
    <KeptLink to="/register" query={{ ...NO_APPROVAL, owner: name, ownerID: String(orgId) }}>
      Register<span className="visually-hidden"> an authenticator for {name}</span>
    </KeptLink>
  );
}

/** Leads to the organization, which is the preferred one from then on. */
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
