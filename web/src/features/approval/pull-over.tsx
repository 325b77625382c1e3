import { GithubLink } from '../../components/github-link.tsx';
import { pullAddress } from '../../lib/github.ts';
import { useClient, usePageContext } from '../../lib/use-client.ts';
import styles from './approval.module.css';
import { CommitProofs } from './commit-proofs.tsx';
import type { PullEnd } from './problem.ts';

/** In place of the form: the pull request is merged or closed, and these are the approvals that the commit had. */
export function PullOver({ how }: { how: PullEnd }) {
  const { config } = useClient();
  const context = usePageContext();
  const { owner, repo, pr } = context;
  return (
    <div className={styles.own}>
      <p role="status">
        {how === 'merged' ? 'This pull request was merged.' : 'This pull request is closed.'} There's nothing
        left to approve.
      </p>
      <GithubLink href={pullAddress(config, context)}>{`${owner}/${repo} #${pr}`}</GithubLink>
      <CommitProofs />
    </div>
  );
}
