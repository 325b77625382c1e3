import { Link } from 'react-router-dom';
import { Avatar } from '../../../components/avatar.tsx';
import { Commit } from '../../../components/commit.tsx';
import { GithubLink } from '../../../components/github-link.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Label } from '../../../components/label.tsx';
import { alert } from '../../../components/notice-outlines.ts';
import { pullAddress } from '../../../lib/github.ts';
import { ago, toIso } from '../../../lib/times.ts';
import { useClient } from '../../../lib/use-client.ts';
import type { Organization } from '../../../lib/user.ts';
import { clockTime, exactLocalTime } from './days.ts';
import type { Entry } from './entry.ts';
import { entryPath, entryPull } from './entry-path.ts';
import styles from './log.module.css';
import { type Part, sentence } from './sentence.ts';

type Props = { entry: Entry; organization: Organization };

/** One entry: the time of day, who, what with a link to it, and how long ago. */
export function EntryRow({ entry, organization }: Props) {
  const { now } = useClient();
  const { at } = entry;
  return (
    <li className={styles.entry} data-entry={entry.id}>
      <time className={styles.clock} dateTime={toIso(at)}>
        {clockTime(at)}
      </time>
      <Person entry={entry} />
      <What entry={entry} organization={organization} />
      <time className={styles.ago} dateTime={toIso(at)} title={exactLocalTime(at)}>
        {ago(at, now())}
      </time>
    </li>
  );
}

function Person({ entry: { login, avatar } }: Pick<Props, 'entry'>) {
  const { config } = useClient();
  if (!login) return <span className={styles.person}>Somebody</span>;
  return (
    <span className={styles.person}>
      <Avatar login={login} src={avatar} size="small" />
      <GithubLink className={styles.login} href={`${config.github}/${encodeURIComponent(login)}`}>
        <bdi>{login}</bdi>
      </GithubLink>
    </span>
  );
}

function What({ entry, organization }: Props) {
  const { config } = useClient();
  const path = entryPath(entry, organization);
  const pull = entryPull(entry, organization);
  const words = sentence(entry).map(word);
  const isWarning = entry.kind === 'unapprovedMerge';
  return (
    <span className={`${styles.what} ${isWarning ? styles.warning : ''}`}>
      {isWarning && <Icon outline={alert} />}
      {path && <Link to={path}>{words}</Link>}
      {pull && <GithubLink href={pullAddress(config, pull)}>{words}</GithubLink>}
      {!path && !pull && <span>{words}</span>}
    </span>
  );
}

function word(part: Part) {
  if (typeof part === 'string') return part;
  if ('name' in part) return <Label key={`name ${part.name}`} text={part.name} inline />;
  return <Commit key={part.commit} sha={part.commit} />;
}
