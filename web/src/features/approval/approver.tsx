import { Avatar } from '../../components/avatar.tsx';
import { Icon } from '../../components/icon.tsx';
import { useUser } from '../../lib/use-client.ts';
import styles from './approval.module.css';
import type { ApprovalMethod } from './use-approval.ts';

/** Who approves, and with what. */
export function Approver({ method: { icon, text } }: { method: ApprovalMethod }) {
  const { username, avatar } = useUser();
  return (
    <div className={styles.approver}>
      <Avatar login={username} src={avatar} />
      <p>
        <strong>{username}</strong>
        <span className={styles.method}>
          <Icon path={icon} />
          approves with {text}
        </span>
      </p>
    </div>
  );
}
