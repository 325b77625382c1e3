import type { ReactNode } from 'react';
import { Avatar } from '../../components/avatar.tsx';
import { Commit } from '../../components/commit.tsx';
import { GithubLink } from '../../components/github-link.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { usePageContext } from '../../lib/use-client.ts';
import styles from './approval.module.css';
import type { ApprovalRequest } from './approval-request.ts';

type Props = {
  request: ApprovalRequest | null;
  loading: boolean;
  /** Whether there's nothing left to approve. */
  finished: boolean;
};

/** What is approved. All of it comes from the server, and most of it is part of the signed statement. */
export function PullFacts({ request, loading, finished }: Props) {
  if (request) return <Facts {...request} finished={finished} />;
  return loading ? <FactsSkeleton /> : null;
}

function Facts({ pull, statement, finished }: ApprovalRequest & Pick<Props, 'finished'>) {
  const { author, approvedBefore } = pull;
  return (
    <Layout
      name={`${statement.repo.name} #${statement.pr}`}
      title={
        <GithubLink href={pull.url} newTab>
          {pull.title}
        </GithubLink>
      }
      author={author ? <Author {...author} /> : 'A deleted account'}
      commit={
        <GithubLink href={pull.changesUrl} newTab>
          <Commit sha={statement.head} />
        </GithubLink>
      }
      base={<code dir="auto">{statement.base}</code>}
      earlier={!finished && (approvedBefore ? <EarlierApproval sha={approvedBefore} /> : 'None')}
    />
  );
}

/** The same layout while it loads. The address tells about how long the texts will be. */
function FactsSkeleton() {
  const { owner, repo, pr, title } = usePageContext();
  return (
    <Layout
      name={<Skeleton like={`${owner}/${repo} #${pr}`} />}
      title={<Skeleton like={title || 'The title of this pull request'} />}
      author={<Skeleton like="somebody" />}
      commit={<Skeleton like="00000000" />}
      base={<Skeleton like="main" />}
      earlier={<Skeleton like="None" />}
    />
  );
}

type Slots = Record<'name' | 'title' | 'author' | 'commit' | 'base' | 'earlier', ReactNode>;

function Layout({ name, title, author, commit, base, earlier }: Slots) {
  return (
    <div className={styles.pull}>
      <p className={styles.pullName}>{name}</p>
      <h2 dir="auto">{title}</h2>
      <dl className={styles.facts}>
        <dt>Opened by</dt>
        <dd>{author}</dd>
        <dt>Commit</dt>
        <dd>{commit}</dd>
        <dt>Into</dt>
        <dd>{base}</dd>
        {earlier && (
          <>
            <dt>Earlier approval</dt>
            <dd>{earlier}</dd>
          </>
        )}
      </dl>
    </div>
  );
}

const Author = ({ login, avatarUrl }: { login: string; avatarUrl: string }) => (
  <span className={styles.author}>
    <Avatar login={login} src={avatarUrl} size="small" />
    {login}
  </span>
);

const EarlierApproval = ({ sha }: { sha: string }) => (
  <>
    Earlier commit <Commit sha={sha} /> was approved. This one isn't yet.
  </>
);
