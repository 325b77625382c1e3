import { useUser } from '../lib/react/use-client.ts';
import styles from './approver.module.css';
import { Avatar, AvatarSkeleton } from './avatar.tsx';
import { Icon } from './icon.tsx';

type Props = { icon: string; text: string; loading: boolean; verb: string };

/** Shows who approves or denies, or has just approved, and with what. */
export function Approver({ icon, text, loading, verb }: Props) {
  const { username, avatar } = useUser();
  return (
    <div className={`row gap-3 divided ${styles.approver}`}>
      {loading ? <AvatarSkeleton /> : <Avatar login={username} src={avatar} />}
      <p>
        <strong>{username}</strong>
        <span className={styles.method}>
          <Icon path={icon} />
          {verb} with {text}
        </span>
      </p>
    </div>
  );
}
