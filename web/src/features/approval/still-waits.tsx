import { useLayoutEffect, useRef } from 'react';
import type { ApprovalAnswer } from '../../../../src/contract/approvals.ts';
import { GithubLink } from '../../components/github-link.tsx';
import styles from './approval.module.css';
import { CommitProofs } from './commit-proofs.tsx';

/** After an approval with which the check doesn't pass yet, or of which GitHub hasn't heard: the page stays. */
export function StillWaits({ answer: { redirect, passed, needs, reported } }: { answer: ApprovalAnswer }) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => ref.current?.focus(), []);
  return (
    <div ref={ref} className={styles.own} tabIndex={-1}>
      <div role="status">
        {!passed && <p className={styles.approvedText}>Your approval counts. {needs}</p>}
        {!reported && (
          <p>
            Your approval is safe. GitHub hasn't accepted the check yet; we'll keep trying. You can close this
            page.
          </p>
        )}
      </div>
      <GithubLink href={redirect}>Back to the pull request</GithubLink>
      <CommitProofs />
    </div>
  );
}
