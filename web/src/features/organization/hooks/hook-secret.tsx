import { Button } from '../../../components/button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { useCopy } from '../../../lib/use-copy.ts';
import styles from './hooks.module.css';

/** The secret that signs the deliveries, this once. */
export function HookSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { message, copy } = useCopy(secret);
  return (
    <Notice look="warning">
      <p>
        <strong>Copy the secret now.</strong> It signs each delivery, and is never shown again.
      </p>
      <code className={styles.secret}>{secret}</code>
      <div className={styles.buttons}>
        <Button look="secondary" onClick={copy}>
          Copy secret
        </Button>
        <Button look="secondary" onClick={onClose}>
          Done
        </Button>
      </div>
      <p role="status">{message}</p>
    </Notice>
  );
}
