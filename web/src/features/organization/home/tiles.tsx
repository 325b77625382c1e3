import type { Finding } from '../../../../../src/contract/findings.ts';
import { actionLink, quietActionLink } from '../../../components/controls.tsx';
import { Faces } from '../../../components/faces.tsx';
import { Icon } from '../../../components/icon.tsx';
import { SkeletonLine } from '../../../components/text.tsx';
import { FindingLink } from '../findings/finding-link.tsx';
import type { Tile } from '../findings/tiles-of.ts';
import { FindingText } from '../setup/setup-health.tsx';
import statuses from '../status-row.module.css';
import { ICONS } from '../status-row.tsx';
import styles from './tiles.module.css';

type Props = {
  tiles: Tile[];
  /** The last step of the set-up, which is optional; undefined until a repository is protected. */
  gate: Finding | undefined;
  settingsUrl: string;
};

/** How an organization is protected in four pictures, with one thing to do in each; numbered while they are the set-up. */
export function Tiles({ tiles, gate, settingsUrl }: Props) {
  const isSetUp = tiles.some(({ title, status }) => title === 'Choices' && status === 'ok');
  const next = tiles.find(({ status, link }) => status !== 'ok' && link);
  const isGated = gate?.id === 'gate' && gate.about.gated > 0;
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
      {!isSetUp && gate && (
        <li className={styles.wide}>
          <h3 className={`row ${isGated ? statuses.ok : ''}`}>
            {isGated ? <Icon path={ICONS.ok} /> : <span className={styles.number}>{tiles.length + 1}</span>}
            Gate a release, if you like
          </h3>
          <FindingText finding={gate} settingsUrl={settingsUrl} />
        </li>
      )}
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
