import type { ReactNode } from 'react';
import { KeptLink } from '../../components/kept-link.tsx';
import { Label } from '../../components/label.tsx';
import { SecurityImage } from '../../components/security-image.tsx';
import type { User } from '../../lib/user.ts';
import styles from './account.module.css';
import { countAuthenticators } from './count-authenticators.ts';

/** What a person manages for themselves, each with its present state. */
export function AccountLinks({ user }: { user: User }) {
  const registered = countAuthenticators(user);
  return (
    <ul>
      <AccountLink to="/authenticators" text="My Authenticators">
        {registered === 0 ? 'none' : `${registered} registered`}
      </AccountLink>
      <AccountLink to="/email" text="E-mail">
        {user.email ? <Label text={user.email} /> : 'not set'}
      </AccountLink>
      <AccountLink to="/image" text="Security image">
        {user.image ? (
          <>
            <span className="visually-hidden">set</span>
            <SecurityImage image={user.image} size="small" />
          </>
        ) : (
          'not set'
        )}
      </AccountLink>
    </ul>
  );
}

const AccountLink = ({ to, text, children }: { to: string; text: string; children: ReactNode }) => (
  <li className={styles.row}>
    <KeptLink to={to}>{text}</KeptLink>
    <span className={styles.quiet}>{children}</span>
  </li>
);
