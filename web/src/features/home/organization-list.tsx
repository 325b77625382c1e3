import { Icon } from '../../components/icon.tsx';
import { KeptLink } from '../../components/kept-link.tsx';
import { passkey } from '../../components/outlines.ts';
import { type User, webauthnOf } from '../../lib/user.ts';
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
            {webauthnOf(user, String(orgId)).length > 0 ? (
              <span className={styles.quiet}>
                <Icon outline={passkey} /> Passkey registered
              </span>
            ) : (
              <KeptLink to="/register" query={{ ...NO_APPROVAL, owner: name, ownerID: String(orgId) }}>
                Register a passkey<span className="visually-hidden"> for {name}</span>
              </KeptLink>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
