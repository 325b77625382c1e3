import { useCopy } from '../lib/use-copy.ts';
import { Button } from './controls.tsx';
import styles from './copy-link.module.css';

/** A link to send or to open elsewhere: as text, with a button that copies it. */
export function CopyLink({ url }: { url: string }) {
  const { message, copy } = useCopy(url);
  return (
    <div className={styles.link}>
      <code>{url}</code>
      <div>
        <Button look="secondary" onClick={copy}>
          Copy link
        </Button>
        <p role="status">{message}</p>
      </div>
    </div>
  );
}
