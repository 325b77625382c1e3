import { Avatar } from '../../components/avatar.tsx';
import { Icon } from '../../components/icon.tsx';
import { useUser } from '../../lib/use-client.ts';
import styles from './approval.module.css';

type Props = { by: { outline: string; text: string } };

/** Who approves, and with what. */
export function Who({ by: { outline, text } }: Props) {
  const { username, avatar } = useUser();
  return (
    <div className={styles.who}>
      <Avatar login={username} src={avatar} />
      <p>
        <strong>{username}</strong>
        <span className={styles.with}>
          <Icon outline={outline} />
          {text}
        </span>
      </p>
    </div>
  );
}
