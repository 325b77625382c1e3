import { Link } from 'react-router-dom';
import type { AskedBy, InboxPull } from '../../../../src/contract/inbox.ts';
import { Avatar } from '../../components/avatar.tsx';
import { Ago, Label, SkeletonLine } from '../../components/text.tsx';
import type { Config } from '../../lib/config.ts';
import { safePath } from '../../lib/safe-url.ts';
import { useClient, useUser } from '../../lib/use-client.ts';
import { totalText } from '../../lib/use-inbox.ts';
import { authenticatorsOf } from '../../lib/user.ts';
import styles from './inbox.module.css';

type Props = { row: Row; selected: boolean; onToggle: () => void };

/** One pull request. Its title leads to the page that approves it. */
export function InboxRow({ row: { pull, gone }, selected, onToggle }: Props) {
  const { config } = useClient();
  const path = safePath(pull.approval, config);
  const title = <Label text={pull.title || `#${pull.pr}`} />;
  return (
    <li className={`${styles.row} ${gone ? styles.gone : ''}`}>
      <Checkbox pull={pull} gone={gone} selected={selected} onToggle={onToggle} />
      <div className={styles.body}>
        <p className={styles.title}>{path && !gone ? <Link to={path}>{title}</Link> : title}</p>
        <p className="quiet">
          <bdi>
            {pull.org.name}/{pull.repo} #{pull.pr}
          </bdi>
        </p>
        <Author pull={pull} />
        <p className={styles.missing}>
          {!gone && pull.asked && <strong className={styles.asked}>{ASKED_TEXTS[pull.asked]}</strong>}
          {gone ? 'No longer waits for you.' : missingText(pull)}
        </p>
      </div>
    </li>
  );
}

/** Only a passkey or security key can approve several at once, so others select nothing. */
function Checkbox({
  pull,
  gone,
  selected,
  onToggle,
}: { pull: InboxPull } & Omit<Props, 'row'> & Pick<Row, 'gone'>) {
  const { webauthn } = authenticatorsOf(useUser(), String(pull.org.id));
  if (webauthn.length === 0) return null;
  if (gone) return <span className={styles.check} />;
  return (
    <label className={styles.check}>
      <input type="checkbox" checked={selected} onChange={onToggle} />
      <span className="visually-hidden">{`Select ${pull.org.name}/${pull.repo} #${pull.pr}`}</span>
    </label>
  );
}

function Author({ pull: { author, opened } }: { pull: InboxPull }) {
  const { config } = useClient();
  return (
    <p className={`row quiet ${styles.author}`}>
      <Avatar login={author || '?'} src={authorAvatar(config, author)} size="small" />
      <span>
        {author ? <bdi>{author}</bdi> : 'A deleted account'}, opened <Ago at={opened} />
      </span>
    </p>
  );
}

/** As tall as a row with one line that says what is missing. */
export const InboxRowSkeleton = () => (
  <li className={styles.row}>
    <div className={styles.body}>
      <SkeletonLine className={styles.title} like="What the pull request is about" />
      <SkeletonLine className="quiet" like="an-org/a-repository #12" />
      <SkeletonLine className={`row quiet ${styles.author}`} like="a-member, opened 3 days ago" />
      <SkeletonLine className={styles.missing} like="Waits for an approval." />
    </div>
  </li>
);

/** The address of an account's picture, by its login; null for an App's account, which has none there. */
function authorAvatar({ github }: Pick<Config, 'github'>, login: string): string | null {
  if (login === '' || login.endsWith('[bot]')) return null;
  return `${github}/${encodeURIComponent(login)}.png?size=40`;
}

const ASKED_TEXTS: Record<AskedBy, string> = {
  named: 'A rule names you',
  review: 'Your review is requested',
  last: 'Nobody else is left to approve it',
};

/** How many pull requests wait, and whether the page shows all of them. */
export function waitingText(total: number, shown: number): string {
  if (total === 0) return 'Nothing waits for you.';
  const waiting =
    total === 1 ? '1 pull request waits for you.' : `${totalText(total)} pull requests wait for you.`;
  return total > shown ? `${waiting} These ${shown} wait the longest.` : waiting;
}

const missingText = ({ missing }: Pick<InboxPull, 'missing'>) => missing.join(' ');

/** `gone`: it waited when the page opened or later, and no longer does. */
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
