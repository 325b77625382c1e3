import { Icon } from '../../components/icon.tsx';
import { KeptLink } from '../../components/kept-link.tsx';
import { passkey } from '../../components/outlines.ts';
import { authenticatorsOf, type OwnAuthenticators, type User } from '../../lib/user.ts';
import styles from './home.module.css';

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

/** The person's organizations by name, and whether they can already approve there. */
export function OrganizationList({ user }: { user: User }) {
  return (
    <div className={styles.organizations}>
      <h2>Organizations</h2>
      {user.organizations.length === 0 && (
        <p className={styles.quiet}>No GitHub organizations enrolled yet.</p>
      )}
      <ul>
        {user.organizations.map(({ orgId, name }) => (
          <li key={orgId} className={styles.organization}>
            <span className={styles.name}>{name}</span>
            {registered(authenticatorsOf(user, String(orgId))) ?? (
              <KeptLink to="/register" query={{ ...NO_APPROVAL, owner: name, ownerID: String(orgId) }}>
                Register<span className="visually-hidden"> an authenticator for {name}</span>
              </KeptLink>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function registered({ totp, webauthn }: OwnAuthenticators) {
  if (!totp && webauthn.length === 0) return null;
  return (
    <span className={styles.quiet}>
      <Icon outline={passkey} /> {webauthn.length > 0 ? 'Passkey registered' : 'Code registered'}
    </span>
  );
}
