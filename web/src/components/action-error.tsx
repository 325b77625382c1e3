import { useLayoutEffect, useRef } from 'react';
import styles from './action-error.module.css';
import { errorIcon, Icon } from './icon.tsx';

type Props = {
  /** Plain text: what went wrong, and on further lines what to do. Null if nothing did. */
  text: string | null;
  /** Set where the button mustn't move. */
  keepsRoom?: boolean;
};

/** Says directly above a button why its action failed. The focus stays where it is, unless the focused control is gone. */
export function ActionError({ text, keepsRoom = false }: Props) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (text && document.activeElement === document.body) ref.current?.focus();
  }, [text]);

  const error = text && (
    <div ref={ref} className={`marked ${styles.error}`} role="alert" tabIndex={-1}>
      <Icon path={errorIcon} />
      <div>
        {text.split('\n').map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
    </div>
  );
  return keepsRoom ? <div className={styles.room}>{error}</div> : error;
}
