import { Avatar } from '../../components/avatar.tsx';
import { Icon } from '../../components/icon.tsx';
import { passkey } from '../../components/outlines.ts';
import { useUser } from '../../lib/use-client.ts';
import styles from './approval.module.css';

/** Who approves, and with what. */
export function Who() {
  const { username, avatar } = useUser();
  return (
    <div className={styles.who}>
      <Avatar login={username} src={avatar} />
      <p>
        <strong>{username}</strong>
        <span className={styles.with}>
          <Icon outline={passkey} />
          approves with a passkey
        </span>
      </p>
    </div>
  );
}
