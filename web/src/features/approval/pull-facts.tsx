import type { ReactNode } from 'react';
import { Avatar } from '../../components/avatar.tsx';
import { Commit } from '../../components/commit.tsx';
import { GithubLink } from '../../components/github-link.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { usePageContext } from '../../lib/use-client.ts';
import styles from './approval.module.css';
import type { Request } from './request.ts';

/** What is approved. Everything here is the server's word, and most of it is part of what gets signed. */
export function PullFacts({ request, loading }: { request: Request | null; loading: boolean }) {
  if (request) return <Facts {...request} />;
  return loading ? <FactsSkeleton /> : null;
}

function Facts({ pull, statement }: Pick<Request, 'pull' | 'statement'>) {
  const { author, approvedBefore } = pull;
  return (
    <Layout
      place={`${statement.repo.name} #${statement.pr}`}
      title={
        <GithubLink href={pull.url} beside>
          {pull.title}
        </GithubLink>
      }
      author={author ? <Author {...author} /> : 'Someone who left GitHub'}
      commit={
        <GithubLink href={pull.changesUrl} beside>
          <Commit sha={statement.head} />
        </GithubLink>
      }
      base={<code>{statement.base}</code>}
      before={approvedBefore ? <Before sha={approvedBefore} /> : 'No'}
    />
  );
}

/** The same shape. The address says about how long the texts will be. */
function FactsSkeleton() {
  const { owner, repo, pr, title } = usePageContext();
  return (
    <Layout
      place={<Skeleton like={`${owner}/${repo} #${pr}`} />}
      title={<Skeleton like={title || 'The title of this pull request'} />}
      author={<Skeleton like="somebody" />}
      commit={<Skeleton like="00000000" />}
      base={<Skeleton like="main" />}
      before={<Skeleton like="No" />}
    />
  );
}

type Slots = Record<'place' | 'title' | 'author' | 'commit' | 'base' | 'before', ReactNode>;

function Layout({ place, title, author, commit, base, before }: Slots) {
  return (
    <div className={styles.pull}>
      <p className={styles.place}>{place}</p>
      <h2>{title}</h2>
      <dl className={styles.facts}>
        <dt>Opened by</dt>
        <dd>{author}</dd>
        <dt>Commit</dt>
        <dd>{commit}</dd>
        <dt>Into</dt>
        <dd>{base}</dd>
        <dt>Approved before</dt>
        <dd>{before}</dd>
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

const Before = ({ sha }: { sha: string }) => (
  <>
    At <Commit sha={sha} />; this commit is new
  </>
);
