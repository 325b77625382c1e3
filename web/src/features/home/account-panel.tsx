import { useId } from 'react';
import { Avatar } from '../../components/avatar.tsx';
import card from '../../components/card.module.css';
import { useUser } from '../../lib/use-client.ts';
import styles from './account.module.css';
import { AccountLinks } from './account-links.tsx';
import { OrganizationList } from './organization-list.tsx';
import { SignOutEverywhere } from './sign-out-everywhere.tsx';

/** The signed-in person's account and organizations, beside the inbox. */
export function AccountPanel() {
  const user = useUser();
  const id = useId();
  return (
    <section className={card.card} aria-labelledby={id}>
      <h2 id={id} className={styles.title}>
        Account
      </h2>
      <div className={styles.person}>
        <Avatar login={user.username} src={user.avatar} />
        <p>
          Signed in as <strong>{user.username}</strong>
        </p>
      </div>
      <AccountLinks user={user} />
      <OrganizationList user={user} />
      <SignOutEverywhere />
    </section>
  );
}
