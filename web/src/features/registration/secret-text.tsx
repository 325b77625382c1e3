import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { grouped } from './key-uri.ts';
import styles from './registration.module.css';

const SAYS = {
  idle: '',
  copied: 'Copied.',
  failed: 'The browser did not let this page copy it. Select the text and copy it yourself.',
};

/** The secret for who cannot scan: to read, and to copy. */
export function SecretText({ secret }: { secret: string }) {
  const [copy, setCopy] = useState<keyof typeof SAYS>('idle');
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
      <code>{grouped(secret)}</code>
      <p className={styles.quiet} role="status">
        {SAYS[copy]}
      </p>
    </div>
  );
}
