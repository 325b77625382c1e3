import { useEffect, useRef } from 'react';
import type { ApprovalAnswer } from '../../../../src/contract/approvals.ts';
import { GithubLink } from '../../components/github-link.tsx';
import { Icon } from '../../components/icon.tsx';
import { done } from '../../components/outlines.ts';
import { safeUrl } from '../../lib/safe-url.ts';
import { useClient } from '../../lib/use-client.ts';
import styles from './approval.module.css';

/** Long enough to see the mark, short enough not to wait. */
const LEAVE_AFTER_MS = 700;

/**
 * The end: a clear mark, one line, and the way back to the pull request. Nobody is sent to a GitHub that may not
 * answer.
 */
export function Done({ answer: { redirect, reported } }: { answer: ApprovalAnswer }) {
  const { config } = useClient();
  const ref = useRef<HTMLDivElement>(null);
  const target = safeUrl(redirect, config);

  useEffect(() => {
    ref.current?.focus();
    if (!target || !reported) return;
    const timer = window.setTimeout(() => window.location.assign(target), LEAVE_AFTER_MS);
    return () => window.clearTimeout(timer);
  }, [target, reported]);

  return (
    <div ref={ref} className={styles.done} role="status" tabIndex={-1}>
      <Icon outline={done} size="large" />
      <p className={styles.mark}>Approved.</p>
      {!reported && (
        <p>
          Your approval is safe. GitHub has not taken the check yet: it follows by itself when GitHub answers
          again. You can close this page.
        </p>
      )}
      <GithubLink href={redirect}>Back to the pull request</GithubLink>
    </div>
  );
}
