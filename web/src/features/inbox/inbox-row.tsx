import { Link } from 'react-router-dom';
import type { InboxPull } from '../../../../src/contract/inbox.ts';
import { Avatar } from '../../components/avatar.tsx';
import { Ago, inOrder, Label, SkeletonLine } from '../../components/text.tsx';
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

/** One pull request: its title leads to the page that approves it. */
export function InboxRow({ pull, selected, onToggle }: Props) {
  const { config } = useClient();
  const { org, repo, pr, author, since, missing } = pull;
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
          <bdi>{name}</bdi>, by {author ? <bdi>{author}</bdi> : 'a deleted account'},{' '}
          <span className="visually-hidden">waiting since </span>
          <Ago at={since} />
        </p>
        <Chips pull={pull} />
      </div>
    </li>
  );
}

/** The most rules that a row names. */
const MOST_RULES = 3;
const MOST_FACES = 3;

/** Why the pull request is asked of the person, and the approvals that it has. */
function Chips({ pull: { asked, progress } }: { pull: InboxPull }) {
  // Every pull request here needs an approval: a row says only what is more than that.
  const rules = progress.filter(({ rule, approved }) => rule !== '' || approved > 0);
  if (!asked && rules.length === 0) return null;
  return (
    <ul className={styles.chips}>
      {asked && <li className={`${styles.chip} ${styles.asked}`}>{ASKED_TEXTS[asked]}</li>}
      {rules.slice(0, MOST_RULES).map(({ rule, missing, approved, needed, by }) => (
        <li key={rule} className={styles.chip} title={missing}>
          {by.slice(0, MOST_FACES).map(({ login, avatarUrl }) => (
            <Avatar key={login} login={login} src={avatarUrl} size="small" />
          ))}
          <span className={styles.progress}>
            {approved} of {needed} approved
            {by.length > 0 && (
              <span className="visually-hidden"> (by {by.map(({ login }) => login).join(', ')})</span>
            )}
            {rule && ', '}
            {rule && <Label text={rule} inline />}
          </span>
        </li>
      ))}
      {rules.length > MOST_RULES && <li className={styles.chip}>{rules.length - MOST_RULES} more</li>}
    </ul>
  );
}

/** Reserves the space of a row that is loading. */
export const InboxRowSkeleton = () => (
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
