import { useClient } from '../lib/react/use-client.ts';
import { Avatar } from './avatar.tsx';
import styles from './faces.module.css';

const MOST_FACES = 5;

type Props = {
  logins: string[];
  /** The number of all people, if `logins` are only the first. */
  count?: number;
};

/** The pictures of the first people; their names are for screen readers and on hover. */
export const Faces = ({ logins, count = logins.length }: Props) => {
  const shown = logins.slice(0, MOST_FACES);
  return (
    <span className={styles.faces}>
      {shown.map((login) => (
        <span key={login} title={login}>
          <Face login={login} />
          <span className="visually-hidden">{login} </span>
        </span>
      ))}
      {count > shown.length && <span className="quiet">+{count - shown.length}</span>}
    </span>
  );
};

/** The small picture of a person, by the login. */
export function Face({ login }: { login: string }) {
  const { github } = useClient().config;
  return <Avatar login={login} src={`${github}/${encodeURIComponent(login)}.png?size=48`} size="small" />;
}
