import { useCallback, useMemo } from 'react';
import { ApprovalProofSkeleton } from '../../components/approval-proof.tsx';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { GithubLink } from '../../components/github-link.tsx';
import { Hash } from '../../components/hash.tsx';
import { Incomplete } from '../../components/incomplete.tsx';
import { InternalLink } from '../../components/internal-link.tsx';
import { Label } from '../../components/label.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { pullAddress } from '../../lib/github.ts';
import { useRecordStore } from '../../lib/record-store.ts';
import { useClient, usePageContext } from '../../lib/use-client.ts';
import { useLoaded } from '../../lib/use-loaded.ts';
import { ApprovalList } from './approval-list.tsx';
import styles from './commit.module.css';
import { type CommitQuery, readCommitQuery } from './commit-query.ts';
import { listApprovals } from './read-approvals.ts';

const TITLE = 'Approvals of a commit';

/** `/commit`: who approved a commit of a pull request, when, and with which authenticator. */
export function CommitPage() {
  const context = usePageContext();
  const query = useMemo(() => readCommitQuery(context), [context]);
  return query ? <Approvals query={query} /> : <Incomplete title={TITLE} />;
}

function Approvals({ query }: { query: CommitQuery }) {
  const store = useRecordStore();
  const { loaded, reload } = useLoaded(useCallback(() => listApprovals(store, query), [store, query]));
  return (
    <Card
      title={TITLE}
      busy={loaded.status === 'awaiting'}
      banner={loaded.status === 'failed' && <Banner text={loaded.text} />}
    >
      <CommitSubject {...query} />
      {loaded.status === 'awaiting' && (
        <div className={styles.approval}>
          <Skeleton like="octocat with a passkey" />
          <ApprovalProofSkeleton method="passkey" />
        </div>
      )}
      {loaded.status === 'failed' && <Button onClick={reload}>Try again</Button>}
      {loaded.status === 'ok' &&
        (loaded.value.length > 0 ? (
          <ApprovalList approvals={loaded.value} query={query} />
        ) : (
          <p>No OTP activity found for commit</p>
        ))}
      <p className={styles.verify}>
        <InternalLink to="/verify">Verify a receipt</InternalLink>
      </p>
    </Card>
  );
}

function CommitSubject({ head, owner, repo, pr }: CommitQuery) {
  const { config } = useClient();
  return (
    <p>
      <Hash hash={head} /> in{' '}
      <GithubLink href={pullAddress(config, { owner, repo, pr: String(pr) })} newTab>
        <Label text={`${repo} #${pr}`} inline />
      </GithubLink>
    </p>
  );
}
