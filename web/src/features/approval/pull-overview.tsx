import { type ReactNode, useState } from 'react';
import type { ApprovalParamsAnswer } from '../../../../src/contract/approvals.ts';
import { Avatar } from '../../components/avatar.tsx';
import { CommitMessage } from '../../components/commit-message.tsx';
import { GithubLink } from '../../components/controls.tsx';
import { Detail } from '../../components/detail.tsx';
import { Commit, inOrder, Skeleton, SpelledName } from '../../components/text.tsx';
import { isStrong } from '../../lib/pull-texts.ts';
import { usePageContext, useUser } from '../../lib/react/use-client.ts';
import { sameName } from '../../lib/signing/check-statement.ts';
import styles from './approval.module.css';
import { type Changes, CopyHash, PullDetails } from './pull-details.tsx';

type Props = {
  request: ApprovalParamsAnswer | null;
  loading: boolean;
  /** What helps to decide; null if there's nothing left to approve. */
  changes: Changes | null;
};

/** Shows the approved pull request. All of it comes from the server, and most of it is part of the signed statement. */
export function PullOverview({ request, loading, changes }: Props) {
  if (request) return <Overview request={request} changes={changes} />;
  return loading ? <OverviewSkeleton /> : null;
}

type OverviewProps = Pick<Props, 'changes'> & { request: ApprovalParamsAnswer };

function Overview({ request, changes }: OverviewProps) {
  const { pull, statement, agents } = request;
  const { author } = pull;
  return (
    <Layout
      name={`${statement.repo.name} #${statement.pr}`}
      title={
        <GithubLink href={pull.url} newTab>
          <bdi>{inOrder(pull.title)}</bdi>
        </GithubLink>
      }
      author={author ? <Author {...author} /> : 'A deleted account'}
      commit={
        <>
          <GithubLink href={pull.changesUrl} newTab>
            <Commit sha={statement.head} />
          </GithubLink>
          <CopyHash sha={statement.head} />
        </>
      }
      base={
        <code>
          <SpelledName name={statement.base} />
        </code>
      }
      details={
        changes && (
          <>
            {agents && <Detail name="Agents">{agents}</Detail>}
            <PullDetails request={request} changes={changes} />
            <LookAt files={request.files} />
          </>
        )
      }
    />
  );
}

/** The facts while they load. The address is only a hint: it tells about how long the texts will be. */
function OverviewSkeleton() {
  const { owner, repo, pr, title } = usePageContext();
  return (
    <Layout
      name={<Skeleton like={`${owner}/${repo} #${pr}`} />}
      title={<Skeleton like={title || 'The title of this pull request'} />}
      author={<Skeleton like="somebody" />}
      commit={<Skeleton like="00000000" />}
      base={<Skeleton like="main" />}
      details={
        <>
          <Detail name="Changes">
            <Skeleton like="3 files" />
          </Detail>
          <Detail name="Message">
            <CommitMessage loaded={{ status: 'awaiting' }} />
          </Detail>
        </>
      }
      isPassing
    />
  );
}

type Slots = Record<'name' | 'title' | 'author' | 'commit' | 'base' | 'details', ReactNode> & {
  isPassing?: boolean;
};

function Layout({ name, title, author, commit, base, details, isPassing = false }: Slots) {
  return (
    <div className={`stack gap-1 ${styles.pull} ${isPassing ? 'passing' : ''}`}>
      <p className={styles.pullName}>{name}</p>
      <h2>{title}</h2>
      <dl className="details">
        <Detail name="Opened by">{author}</Detail>
        <Detail name="Commit">{commit}</Detail>
        <Detail name="Into">{base}</Detail>
        {details}
      </dl>
    </div>
  );
}

const MOST_NAMED = 3;

/**
 * Names the first files to look at closely above the button in a narrow window, which has their list below it. Files that
 * come after the page are only counted, so that the button stays where it is.
 */
function LookAt({ files }: Pick<ApprovalParamsAnswer, 'files'>) {
  const [isLate] = useState(!files?.isComplete);
  const strong = files?.listed.filter(isStrong) ?? [];
  const more = strong.length - MOST_NAMED;
  if (isLate) {
    const isKnown = strong.length > 0 || files?.isComplete;
    const count = `${strong.length || 'None'} to look at closely`;
    return (
      <div className={styles.lookAt}>
        <Detail name="Files">{isKnown ? count : 'Not all listed yet'}</Detail>
      </div>
    );
  }
  if (strong.length === 0) return null;
  return (
    <div className={styles.lookAt}>
      <Detail name="Look at">
        <ul>
          {strong.slice(0, MOST_NAMED).map(({ path, marks }) => (
            <li key={path}>
              <code>
                <SpelledName name={path} />
              </code>{' '}
              · {marks.flatMap(({ name, isStrong }) => (isStrong ? [inOrder(name)] : [])).join(', ')}
            </li>
          ))}
          {more > 0 && <li>and {more} more</li>}
        </ul>
      </Detail>
    </div>
  );
}

function Author({ login, avatarUrl }: { login: string; avatarUrl: string }) {
  const { username } = useUser();
  return (
    <span className="row">
      <Avatar login={login} src={avatarUrl} size="small" />
      {sameName(login, username) ? 'you' : login}
    </span>
  );
}
