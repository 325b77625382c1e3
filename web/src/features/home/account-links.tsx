import type { ReactNode } from 'react';
import { InternalLink } from '../../components/internal-link.tsx';
import { Label } from '../../components/label.tsx';
import { SecurityImage } from '../../components/security-image.tsx';
import type { User } from '../../lib/user.ts';
import styles from './account.module.css';
import { countAuthenticators } from './count-authenticators.ts';

/** Links to a person's authenticators, e-mail address and security image, each with its current state. */
export function AccountLinks({ user }: { user: User }) {
  const registered = countAuthenticators(user);
  return (
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
  );
}

const AccountLink = ({ to, text, children }: { to: string; text: string; children: ReactNode }) => (
  <li className={styles.row}>
    <InternalLink to={to}>{text}</InternalLink>
    <span className={styles.quiet}>{children}</span>
  </li>
);
