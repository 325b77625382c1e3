import { Avatar, AvatarPlace } from '../../components/avatar.tsx';
import { Icon } from '../../components/icon.tsx';
import { useUser } from '../../lib/use-client.ts';
import styles from './approval.module.css';
import type { ApprovalMethod } from './use-approval.ts';

type Props = { method: ApprovalMethod; loading: boolean; approved: boolean };

/** Who approves, or has just approved, and with what. */
export function Approver({ method: { icon, text }, loading, approved }: Props) {
  const { username, avatar } = useUser();
  return (
    <div className={styles.approver}>
      {loading ? <AvatarPlace /> : <Avatar login={username} src={avatar} />}
      <p>
        <strong>{username}</strong>
        <span className={styles.method}>
          <Icon path={icon} />
          {approved ? 'approved' : 'approves'} with {text}
        </span>
      </p>
    </div>
  );
}
