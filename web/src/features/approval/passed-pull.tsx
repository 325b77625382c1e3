import { useLocation } from 'react-router-dom';
import type { ApprovalParamsAnswer } from '../../../../src/contract/approvals.ts';
import { GithubLink } from '../../components/github-link.tsx';
import { Icon } from '../../components/icon.tsx';
import { checkIcon } from '../../components/icons.ts';
import { InternalLink } from '../../components/internal-link.tsx';
import styles from './approval.module.css';
import { CommitProofs } from './commit-proofs.tsx';
import { APPROVE_TOO } from './finish.ts';

/** In place of the form: others approved this pull request. Another one with the same commit may still wait. */
export function PassedPull({ request: { pull, refusal, needs } }: { request: ApprovalParamsAnswer }) {
  const { pathname } = useLocation();
  return (
    <div className={styles.own}>
      {needs ? (
        <p className={styles.approvedText}>This pull request has every approval that it needs. {needs}</p>
      ) : (
        <p className={styles.ownApproval}>
          <Icon path={checkIcon} />
          <span>This commit has every approval that it needs.</span>
        </p>
      )}
      <GithubLink href={pull.url}>Back to the pull request</GithubLink>
      <CommitProofs />
      {refusal === null && (
        <InternalLink to={pathname} query={APPROVE_TOO}>
          Approve it too
        </InternalLink>
      )}
    </div>
  );
}
