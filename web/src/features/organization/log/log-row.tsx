import { Link } from 'react-router-dom';
import { entryText, isWarningKind, personText } from '../../../../../src/contract/events/log-text.ts';
import type { Part } from '../../../../../src/contract/parts.ts';
import { Avatar } from '../../../components/avatar.tsx';
import { GithubLink, LoginLink } from '../../../components/controls.tsx';
import { Icon } from '../../../components/icon.tsx';
import { alertIcon } from '../../../components/notice-icons.ts';
import { Ago, Hash, Label, Skeleton } from '../../../components/text.tsx';
import { pullAddress } from '../../../lib/address/github.ts';
import { keepQuery } from '../../../lib/address/page-context.ts';
import { useClient } from '../../../lib/react/use-client.ts';
import { type Organization, organizationQuery } from '../../../lib/session/user.ts';
import { exactTime } from '../../../lib/times.ts';
import type { Entry } from './entry.ts';
import styles from './log.module.css';

type Props = { entry: Entry; organization: Organization };

/** One entry: person, text, age. The person and the text are links. */
export const LogRow = ({ entry, organization }: Props) => (
  <li className={styles.entry} data-entry={entry.id}>
    <Person entry={entry} />
    <Text entry={entry} organization={organization} />
    <span className={styles.ago}>
      <Ago at={entry.at} />
    </span>
  </li>
);

function Person({ entry }: Pick<Props, 'entry'>) {
  const { login, avatar } = entry;
  if (!login) return <span className={styles.person}>{personText(entry)}</span>;
  return (
    <LoginLink className={styles.person} login={login}>
      <Avatar login={login} src={avatar} size="small" />
      <bdi className={styles.login}>{login}</bdi>
    </LoginLink>
  );
}

function Text({ entry, organization }: Props) {
  const { config } = useClient();
  const path = entryPath(entry, organization);
  const pull = entryPull(entry, organization);
  const text = entryText(entry).map(renderPart);
  const isWarning = isWarningKind(entry.kind);
  return (
    <span className={`${styles.text} ${isWarning ? styles.warning : ''}`}>
      {isWarning && <Icon path={alertIcon} />}
      {path && <Link to={path}>{text}</Link>}
      {pull && <GithubLink href={pullAddress(config, pull)}>{text}</GithubLink>}
      {!path && !pull && <span>{text}</span>}
    </span>
  );
}

/** An entry's text never changes, so a part's position identifies it. */
function renderPart(part: Part, position: number) {
  if (typeof part === 'string') return part;
  if ('name' in part) return <Label key={position} text={part.name} inline />;
  if ('code' in part)
    return (
      <code key={position} dir="auto">
        {part.code}
      </code>
    );
  return 'time' in part ? exactTime(part.time) : <Hash key={position} hash={part.commit} />;
}

/** Placeholders for a number of entries that are still loading. */
export const LogRowsSkeleton = ({ count }: { count: number }) => (
  <ol>
    {Array.from({ length: count }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same.
      <li key={index} className={styles.entry}>
        <span className={styles.person}>
          <Skeleton like="a-member" />
        </span>
        <span className={styles.text}>
          <span>
            <Skeleton like="approved hello #7 at 6dcb09b5" />
          </span>
        </span>
        <span className={styles.ago}>
          <Skeleton like="1 hour ago" />
        </span>
      </li>
    ))}
  </ol>
);

type Subject = Pick<Entry, 'kind' | 'data'>;

/** The dashboard's page about the subject of an entry; null if there is none. */
export function entryPath(
  { kind, data }: Subject,
  organization: Pick<Organization, 'name' | 'orgId' | 'installationId'>,
): string | null {
  const query = organizationQuery(organization);
  const { repo, run, environment, why } = data;
  // The page knows no deployment of another commit than the run's.
  if (repo && run && environment && why !== 'otherCommit')
    return keepQuery('/deploy', '', { repo, run: String(run), environment, ...query });
  switch (kind) {
    case 'webauthnCollect':
    case 'totpCollect':
    case 'approvalWithdraw':
    case 'webauthnDeny':
    case 'totpDeny':
    case 'denialEnd':
    case 'denialSetAside': {
      const { sha, pr, repo } = data;
      if (!sha || !pr || !repo) return null;
      return keepQuery('/commit', '', { head: sha, pr: String(pr), repo, ...query });
    }
    case 'webauthnRegister':
    case 'totpRegister':
    case 'authenticatorRename':
    case 'authenticatorDelete':
    case 'memberAuthenticatorDelete':
      return keepQuery('/org/authenticators', '', query);
    case 'setOrgImage':
      return keepQuery('/org/image', '', query);
    default:
      return null;
  }
}

/** The pull request on GitHub that a warning links to; null for other entries. */
export function entryPull(
  { kind, data: { repo, pr } }: Subject,
  { name }: Pick<Organization, 'name'>,
): { owner: string; repo: string; pr: string } | null {
  return isWarningKind(kind) && repo && pr ? { owner: name, repo, pr: String(pr) } : null;
}
