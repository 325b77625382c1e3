import type { ReactNode } from 'react';
import { Avatar } from '../../components/avatar.tsx';
import { InternalLink } from '../../components/controls.tsx';
import { SecurityImage } from '../../components/security-image.tsx';
import { Label } from '../../components/text.tsx';
import { useUser } from '../../lib/react/use-client.ts';
import { countAuthenticators } from '../../lib/session/user.ts';
import styles from './account.module.css';
import { OrganizationList } from './organization-list.tsx';

/** Who is signed in, links to their authenticators, e-mail address and security image, and their organizations. */
export function Account() {
  const user = useUser();
  const registered = countAuthenticators(user);
  return (
    <>
      <div>
        <div className="row gap-3">
          <Avatar login={user.username} src={user.avatar} />
          <div>
            <h2>Account</h2>
            <p>
              Signed in as <strong>{user.username}</strong>
            </p>
          </div>
        </div>
        <ul>
          <AccountLink to="/authenticators" text="My Authenticators">
            {registered === 0 ? 'None' : `${registered} registered`}
          </AccountLink>
          <AccountLink to="/email" text="E-mail">
            {user.email ? <Label text={user.email} /> : 'Not set'}
          </AccountLink>
          <AccountLink to="/image" text="Security image">
            {user.image ? (
              <>
                <span className="visually-hidden">Set</span>
                <SecurityImage image={user.image} size="small" />
              </>
            ) : (
              'Not set'
            )}
          </AccountLink>
        </ul>
      </div>
      <OrganizationList user={user} />
    </>
  );
}

const AccountLink = ({ to, text, children }: { to: string; text: string; children: ReactNode }) => (
  <li className={`between ${styles.row}`}>
    <InternalLink to={to}>{text}</InternalLink>
    <span className={styles.quiet}>{children}</span>
  </li>
);
