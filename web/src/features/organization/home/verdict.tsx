import type { ReactNode } from 'react';
import type { OrganizationAnswer } from '../../../../../src/contract/organization.ts';
import { Icon } from '../../../components/icon.tsx';
import { SkeletonLine } from '../../../components/text.tsx';
import { aroundIn } from '../bypass-texts.ts';
import { FindingLink } from '../findings/finding-link.tsx';
import { tilesOf } from '../findings/tiles-of.ts';
import { verdictOf } from '../findings/verdict-of.ts';
import type { HealthState } from '../setup/use-health.ts';
import statuses from '../status-row.module.css';
import { ICONS } from '../status-row.tsx';
import styles from './home.module.css';
import { Tiles, TilesSkeleton } from './tiles.tsx';

type Props = {
  /** Null while it loads. */
  answer: OrganizationAnswer | null;
  setup: HealthState;
  /** The part below the tiles. */
  children: ReactNode;
};

/** Shows owners whether the organization is protected, and in four tiles what to do if it isn't. */
export function Verdict({ answer, setup, children }: Props) {
  const { health, repositories, failure } = setup;
  const isKnown = answer && (answer.installation.suspended || health || failure);
  if (!isKnown) return <VerdictSkeleton />;
  const { settingsUrl, suspended, repositorySelection } = answer.installation;
  const choices = answer.findings ?? [];
  const around = setup.around && aroundIn(setup.around);
  const isSelected = repositorySelection === 'selected';
  const { status, title, text, link } = verdictOf({
    setup: health?.findings ?? null,
    repositories,
    choices,
    around,
    isSelected,
  });
  return (
    <>
      <div className={`${styles.verdict} ${statuses[status]}`}>
        <Icon path={ICONS[status]} size="large" />
        <div>
          <h2>{title}</h2>
          <p>{text}</p>
        </div>
        {link && <FindingLink {...link} settingsUrl={settingsUrl} />}
      </div>
      {!suspended && <Tiles tiles={tilesOf({ repositories, choices, around })} settingsUrl={settingsUrl} />}
      {children}
    </>
  );
}

const VerdictSkeleton = () => (
  <>
    <div className={styles.verdict}>
      <div>
        <SkeletonLine className={styles.verdictTitle} like="Not enforced in 3 repositories" />
        <SkeletonLine like="Merges there don't wait for OTP Guard. Require its check." />
      </div>
    </div>
    <TilesSkeleton />
    <SkeletonLine className="target" like="Setup health: No problems found." />
  </>
);
