import { useLocation } from 'react-router-dom';
import type { ApprovalParamsAnswer } from '../../../../src/contract/approvals.ts';
import ApprovalProofs from '../../components/approval-proofs.tsx';
import { GithubLink, InternalLink } from '../../components/controls.tsx';
import { checkIcon, Icon } from '../../components/icon.tsx';
import { pullAddress } from '../../lib/github.ts';
import { useClient, usePageContext } from '../../lib/use-client.ts';
import styles from './approval.module.css';
import { readApprovalTarget } from './approval-target.ts';
import { APPROVE_TOO } from './finish.ts';
import type { PullEnd } from './problem.ts';

/** In place of the form: the pull request is merged or closed, and these are the approvals that the commit had. */
export function PullOver({ how }: { how: PullEnd }) {
  const { config } = useClient();
  const context = usePageContext();
  const { owner, repo, pr } = context;
  return (
    <div className={`stack ${styles.own}`}>
      <p role="status">
        {how === 'merged' ? 'This pull request was merged.' : 'This pull request is closed.'} There's nothing
        left to approve.
      </p>
      <GithubLink href={pullAddress(config, context)}>{`${owner}/${repo} #${pr}`}</GithubLink>
      <CommitProofs />
    </div>
  );
}

/** The proofs of the commit in the address. */
export function CommitProofs() {
  const target = readApprovalTarget(usePageContext());
  return target && <ApprovalProofs target={target} />;
}

/** In place of the form: others approved this pull request. Another one with the same commit may still wait. */
export function PassedPull({ request: { pull, refusal, needs } }: { request: ApprovalParamsAnswer }) {
  const { pathname } = useLocation();
  return (
    <div className={`stack ${styles.own}`}>
      {needs ? (
        <p className="bold">This pull request has every approval that it needs. {needs}</p>
      ) : (
        <p className="marked success">
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
