import { actionLink, quietActionLink } from '../../../components/controls.tsx';
import { Faces } from '../../../components/faces.tsx';
import { Icon } from '../../../components/icon.tsx';
import { SkeletonLine } from '../../../components/text.tsx';
import { FindingLink } from '../findings/finding-link.tsx';
import type { Tile } from '../findings/tiles-of.ts';
import statuses from '../status-row.module.css';
import { ICONS } from '../status-row.tsx';
import styles from './tiles.module.css';

/** How an organization is protected in four pictures, with one thing to do in each; numbered while they are the set-up. */
export function Tiles({ tiles, settingsUrl }: { tiles: Tile[]; settingsUrl: string }) {
  const isSetUp = tiles.some(({ title, status }) => title === 'Choices' && status === 'ok');
  const next = tiles.find(({ status, link }) => status !== 'ok' && link);
  return (
    <ol className={styles.tiles} aria-label={isSetUp ? 'Protection' : 'Set-up'}>
      {tiles.map((tile, at) => (
        <li key={tile.title} className={styles[tile.status]}>
          <h3 className={`row ${statuses[tile.status]}`}>
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
          {tile.faces.length > 0 && (
            <p>
              <Faces logins={tile.faces} />
            </p>
          )}
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
