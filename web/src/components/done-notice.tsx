import { useEffect, useLayoutEffect, useRef } from 'react';
import { safeUrl } from '../lib/address/safe-url.ts';
import { useClient } from '../lib/react/use-client.ts';
import { GithubLink } from './controls.tsx';
import styles from './done-notice.module.css';
import { checkIcon, Icon } from './icon.tsx';

/** Long enough to see the tick, short enough not to wait. */
const REDIRECT_AFTER_MS = 700;

/** Says that it's done, and goes back to GitHub. */
export function DoneNotice({ text, redirect, back }: { text: string; redirect: string; back: string }) {
  const { config } = useClient();
  const ref = useRef<HTMLDivElement>(null);
  const target = safeUrl(redirect, config);

  useLayoutEffect(() => ref.current?.focus(), []);
  useEffect(() => {
    if (!target) return;
    const leave = () => window.location.assign(target);
    const timer = window.setTimeout(leave, REDIRECT_AFTER_MS);
    return () => window.clearTimeout(timer);
  }, [target]);

  return (
    <div ref={ref} className={styles.done} role="status" tabIndex={-1}>
      <Icon path={checkIcon} size="large" />
      <p className="bold">{text}</p>
      <GithubLink href={redirect}>{back}</GithubLink>
    </div>
  );
}
