import { useCopy } from '../lib/use-copy.ts';
import { SecondaryButton } from './controls.tsx';
import styles from './copy-link.module.css';

/** A link to send or to open elsewhere: as text, with a button that copies it. */
export function CopyLink({ url }: { url: string }) {
  const { message, copy } = useCopy(url);
  return (
    <div className={styles.link}>
      <code>{url}</code>
      <div>
        <SecondaryButton onClick={copy}>Copy link</SecondaryButton>
        <p role="status">{message}</p>
      </div>
    </div>
  );
}
