import { Button } from '../../components/button.tsx';
import { useCopy } from '../../lib/use-copy.ts';
import styles from './registration.module.css';
import { groupByFour } from './totp-secret.ts';

/** The secret as text, for people who can't scan the QR code. */
export function SecretText({ secret }: { secret: string }) {
  const { message, copy } = useCopy(secret);
  return (
    <div className={styles.secret}>
      <div>
        <p>Or enter this secret</p>
        <Button look="secondary" onClick={copy}>
          Copy<span className="visually-hidden"> the secret</span>
        </Button>
      </div>
      <code>{groupByFour(secret)}</code>
      <p className={styles.quiet} role="status">
        {message}
      </p>
    </div>
  );
}
