import { Link } from 'react-router-dom';
import type { InboxPull } from '../../../../src/contract/inbox.ts';
import { Ago, inOrder, SkeletonLine } from '../../components/text.tsx';
import { safePath } from '../../lib/address/safe-url.ts';
import { ASKED_TEXTS } from '../../lib/asked-texts.ts';
import { useClient } from '../../lib/react/use-client.ts';
import styles from './inbox.module.css';

type Props = {
  pull: InboxPull;
  /** Null if the person has no passkey or security key there: only those approve several together. */
  selected: boolean | null;
  onToggle: () => void;
};

/** One pull request in two lines. Its title leads to the page that approves it. */
export function InboxRow({ pull, selected, onToggle }: Props) {
  const { config } = useClient();
  const { org, repo, pr, author, since, asked, missing } = pull;
  const path = safePath(pull.approval, config);
  const name = `${org.name}/${repo} #${pr}`;
  const title = <bdi title={pull.title}>{inOrder(pull.title) || `#${pr}`}</bdi>;
  return (
    <li className={styles.row}>
      {selected !== null && (
        <label className={styles.check}>
          <input type="checkbox" checked={selected} onChange={onToggle} />
          <span className="visually-hidden">{`Select ${name}`}</span>
        </label>
      )}
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
          {asked && <strong>{ASKED_TEXTS[asked]}. </strong>}
          <bdi>{name}</bdi>, <span className="visually-hidden">waiting since </span>
          <Ago at={since} />, by {author ? <bdi>{author}</bdi> : 'a deleted account'}. {missing.join(' ')}
        </p>
      </div>
    </li>
  );
}

/** Reserves the space of a row that is loading. */
export const InboxRowSkeleton = () => (
  <li className={styles.row}>
    <div className={styles.body}>
      <SkeletonLine className={`target ${styles.title}`} like="What the pull request is about" />
      <SkeletonLine
        className={`quiet ${styles.summary}`}
        like="an-org/a-repository #12, 3 days ago, by a-member."
      />
    </div>
  </li>
);
