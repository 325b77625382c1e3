import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import styles from './registration.module.css';
import { groupByFour } from './totp-secret.ts';

const MESSAGES = {
  idle: '',
  copied: 'Copied.',
  failed: "Your browser didn't allow this page to copy. Select the text and copy it yourself.",
};

/** The secret as text, for people who can't scan the QR code. */
export function SecretText({ secret }: { secret: string }) {
  const [copy, setCopy] = useState<keyof typeof MESSAGES>('idle');
  const press = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      setCopy('copied');
    } catch {
      setCopy('failed');
    }
  };
  return (
    <div className={styles.secret}>
      <div>
        <p>Or enter this secret</p>
        <Button look="secondary" onClick={() => void press()}>
          Copy<span className="visually-hidden"> the secret</span>
        </Button>
      </div>
      <code>{groupByFour(secret)}</code>
      <p className={styles.quiet} role="status">
        {MESSAGES[copy]}
      </p>
    </div>
  );
}
