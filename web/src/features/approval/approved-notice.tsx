import { useEffect, useLayoutEffect, useRef } from 'react';
import type { ApprovalAnswer } from '../../../../src/contract/approvals.ts';
import { GithubLink } from '../../components/github-link.tsx';
import { Icon } from '../../components/icon.tsx';
import { checkIcon } from '../../components/icons.ts';
import { safeUrl } from '../../lib/safe-url.ts';
import { useClient } from '../../lib/use-client.ts';
import styles from './approval.module.css';

/** Long enough to see the tick, short enough not to wait. */
const REDIRECT_AFTER_MS = 700;

/** Says that GitHub shows a passed check, and goes back to the pull request. */
export function ApprovedNotice({ answer: { redirect } }: { answer: ApprovalAnswer }) {
  const { config } = useClient();
  const ref = useRef<HTMLDivElement>(null);
  const pullUrl = safeUrl(redirect, config);

  useLayoutEffect(() => ref.current?.focus(), []);
  useEffect(() => {
    if (!pullUrl) return;
    const timer = window.setTimeout(() => window.location.assign(pullUrl), REDIRECT_AFTER_MS);
    return () => window.clearTimeout(timer);
  }, [pullUrl]);

  return (
    <div ref={ref} className={styles.approved} role="status" tabIndex={-1}>
      <Icon path={checkIcon} size="large" />
      <p className={styles.approvedText}>Approved.</p>
      <GithubLink href={redirect}>Back to the pull request</GithubLink>
    </div>
  );
}
