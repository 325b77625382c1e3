import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { useCopy } from '../../lib/use-copy.ts';
import styles from './approval.module.css';

/** Copies the whole hash, of which the page shows the first characters. */
export function CopyHash({ sha }: { sha: string }): ReactNode {
  const { message, copy } = useCopy(sha);
  return (
    <span className={styles.copy}>
      <Button look="bar" onClick={copy}>
        Copy<span className="visually-hidden"> the full hash</span>
      </Button>
      <span role="status">{message}</span>
    </span>
  );
}
