import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { WaitingPull } from '../../../src/contract/organization.ts';
import { safePath } from '../lib/address/safe-url.ts';
import { useClient } from '../lib/react/use-client.ts';
import styles from './pull-row.module.css';
import { Ago, inOrder, Label, SkeletonLine } from './text.tsx';

type Props = {
  pull: WaitingPull;
  /** The repository and the number, as the list names them. */
  name: string;
  /** What else there is to know, as list items. */
  chips?: ReactNode;
  /** The control in front of the row. */
  children?: ReactNode;
};

/** One pull request of a list: its title leads to the page that approves it. */
export function PullRow({ pull, name, chips, children }: Props) {
  const { config } = useClient();
  const { pr, author, since, missing, denied, agents } = pull;
  const path = safePath(pull.approval, config);
  const title = <bdi title={pull.title}>{inOrder(pull.title) || `#${pr}`}</bdi>;
  return (
    <li className={styles.row}>
      {children}
      <div className={styles.body}>
        <p className={`target ${styles.title}`}>
          {path ? (
            <Link className="target" to={path}>
              {title}
            </Link>
          ) : (
            title
          )}
        </p>
        <p className={`quiet ${styles.summary}`} title={`${name}. ${missing.join(' ')}`}>
          <bdi>{name}</bdi>, by {author ? <bdi>{author}</bdi> : 'a deleted account'},{' '}
          <span className="visually-hidden">waiting since </span>
          <Ago at={since} />
        </p>
        <DeniedBy denied={denied} />
        {agents && (
          <p className={`quiet ${styles.summary}`} title={agents}>
            {agents}
          </p>
        )}
        {chips && <ul className={styles.chips}>{chips}</ul>}
      </div>
    </li>
  );
}

/** Who denied the commit, and why; nothing if nobody did. */
export const DeniedBy = ({ denied }: Pick<WaitingPull, 'denied'>) =>
  denied && (
    <p className={`quiet ${styles.denied}`} title={denied.reason}>
      Denied by <bdi>{denied.login}</bdi>
      {denied.reason && ': '}
      <Label text={denied.reason} inline />
    </p>
  );

type ChipProps = {
  title?: string;
  /** Set for what asks the person to act. */
  isFilled?: boolean;
  children: ReactNode;
};

/** A few words about a pull request, as an item of a list. */
export const Chip = ({ title, isFilled = false, children }: ChipProps) => (
  <li className={`${styles.chip} ${isFilled ? styles.filled : ''}`} title={title}>
    {children}
  </li>
);

/** Reserves the space of a row that is loading. */
export const PullRowSkeleton = () => (
  <li className={styles.row}>
    <div className={styles.body}>
      <SkeletonLine className={`target ${styles.title}`} like="What the pull request is about" />
      <SkeletonLine
        className={`quiet ${styles.summary}`}
        like="an-org/a-repository #12, by a-member, 3 days ago"
      />
    </div>
  </li>
);
