import { Avatar } from '../../../components/avatar.tsx';
import { actionLink, quietActionLink } from '../../../components/controls.tsx';
import { Icon } from '../../../components/icon.tsx';
import { SkeletonLine } from '../../../components/text.tsx';
import { useClient } from '../../../lib/react/use-client.ts';
import { FindingLink } from '../findings/finding-link.tsx';
import type { Tile } from '../findings/tiles-of.ts';
import { ICONS } from '../status-row.tsx';
import styles from './tiles.module.css';

const MOST_FACES = 5;

/** How an organization is protected in four pictures, with one thing to do in each; numbered while they are the set-up. */
export function Tiles({ tiles, settingsUrl }: { tiles: Tile[]; settingsUrl: string }) {
  const isSetUp = tiles.some(({ title, status }) => title === 'Choices' && status === 'ok');
  const next = tiles.find(({ status, link }) => status !== 'ok' && link);
  return (
    <ol className={styles.tiles} aria-label={isSetUp ? 'Protection' : 'Set-up'}>
      {tiles.map((tile, at) => (
        <li key={tile.title} className={styles[tile.status]}>
          <h3>
            {isSetUp || tile.status === 'ok' ? (
              <Icon path={ICONS[tile.status]} />
            ) : (
              <span className={styles.number}>{at + 1}</span>
            )}
            {tile.title}
          </h3>
          <p className={styles.count}>
            <strong>{tile.count}</strong> {tile.noun}
          </p>
          <progress aria-hidden="true" value={tile.value} max={tile.max || 1} />
          <Faces logins={tile.faces} />
          {tile.texts.map((text) => (
            <p key={text} className="quiet">
              {text}
            </p>
          ))}
          {tile.link && (
            <FindingLink
              {...tile.link}
              className={tile === next ? actionLink : quietActionLink}
              settingsUrl={settingsUrl}
            />
          )}
        </li>
      ))}
    </ol>
  );
}

/** The pictures of the first people. Their names are for screen readers; the page that the tile leads to shows them. */
function Faces({ logins }: { logins: string[] }) {
  const { github } = useClient().config;
  if (logins.length === 0) return null;
  const shown = logins.slice(0, MOST_FACES);
  return (
    <p className={styles.faces}>
      {shown.map((login) => (
        <span key={login} title={login}>
          <Avatar login={login} src={`${github}/${login}.png?size=48`} size="small" />
          <span className="visually-hidden">{login} </span>
        </span>
      ))}
      {logins.length > MOST_FACES && <span className="quiet">+{logins.length - MOST_FACES}</span>}
    </p>
  );
}

const TITLES = ['Repositories', 'People', 'Who can go around', 'Choices'];

export const TilesSkeleton = () => (
  <ol className={styles.tiles}>
    {TITLES.map((title) => (
      <li key={title}>
        <SkeletonLine like={title} />
        <SkeletonLine className={styles.count} like="2 of 2" />
        <SkeletonLine like="A few words more" />
        <SkeletonLine className="target" like="Decide" />
      </li>
    ))}
  </ol>
);
