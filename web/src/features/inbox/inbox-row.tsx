import { Link } from 'react-router-dom';
import type { InboxPull } from '../../../../src/contract/inbox.ts';
import { Ago, inOrder, SkeletonLine } from '../../components/text.tsx';
import { ASKED_TEXTS } from '../../lib/asked-texts.ts';
import { safePath } from '../../lib/safe-url.ts';
import { useClient } from '../../lib/use-client.ts';
import styles from './inbox.module.css';

type Props = {
  row: Row;
  /** Null if the person has no passkey or security key there: only those approve several at once. */
  selected: boolean | null;
  onToggle: () => void;
  /** The text of a row that is gone. */
  goneText: string;
};

/** One pull request in two lines. Its title leads to the page that approves it. */
export function InboxRow({ row: { pull, gone }, selected, onToggle, goneText }: Props) {
  const { config } = useClient();
  const { org, repo, pr, author, since, asked, missing } = pull;
  const path = safePath(pull.approval, config);
  const name = `${org.name}/${repo} #${pr}`;
  const title = <bdi title={pull.title}>{inOrder(pull.title) || `#${pr}`}</bdi>;
  return (
    <li className={`${styles.row} ${gone ? styles.gone : ''}`}>
      {selected !== null &&
        (gone ? (
          <span className={styles.check} />
        ) : (
          <label className={styles.check}>
            <input type="checkbox" checked={selected} onChange={onToggle} />
            <span className="visually-hidden">{`Select ${name}`}</span>
          </label>
        ))}
      <div className={styles.body}>
        <p className={`target ${styles.title}`}>
          {path && !gone ? (
            <Link className="target" to={path}>
              {title}
            </Link>
          ) : (
            title
          )}
        </p>
        {gone ? (
          <p className={`quiet ${styles.facts}`}>{goneText}</p>
        ) : (
          <p className={`quiet ${styles.facts}`} title={`${name}. ${missing.join(' ')}`}>
            {asked && <strong>{ASKED_TEXTS[asked]}. </strong>}
            <bdi>{name}</bdi>, <span className="visually-hidden">waiting since </span>
            <Ago at={since} />, by {author ? <bdi>{author}</bdi> : 'a deleted account'}. {missing.join(' ')}
          </p>
        )}
      </div>
    </li>
  );
}

/** As tall as a row. */
export const InboxRowSkeleton = () => (
  <li className={styles.row}>
    <div className={styles.body}>
      <SkeletonLine className={`target ${styles.title}`} like="What the pull request is about" />
      <SkeletonLine
        className={`quiet ${styles.facts}`}
        like="an-org/a-repository #12, 3 days ago, by a-member."
      />
    </div>
  </li>
);

/** `gone`: it was in the list when the page opened or later, and no longer is. */
export type Row = { pull: InboxPull; gone: boolean };

/** A pull request keeps it when its head or its repository's name changes. */
export const keyOf = ({ repoID, pr }: Pick<InboxPull, 'repoID' | 'pr'>) => `${repoID} ${pr}`;

/** The rows after a new answer. Nothing moves: a row that is gone keeps its place, and new rows come last. */
export function mergeRows(rows: Row[], pulls: InboxPull[]): Row[] {
  const latest = new Map(pulls.map((pull) => [keyOf(pull), pull]));
  const kept = rows.map(({ pull }): Row => {
    const now = latest.get(keyOf(pull));
    latest.delete(keyOf(pull));
    return now ? { pull: now, gone: false } : { pull, gone: true };
  });
  return [...kept, ...[...latest.values()].map((pull) => ({ pull, gone: false }))];
}
