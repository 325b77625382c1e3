import type { ButtonHTMLAttributes, MouseEvent } from 'react';
import styles from './button.module.css';

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  /** `primary` is the page's main action: use it once. `danger` takes something away for good. */
  look?: 'primary' | 'secondary' | 'bar' | 'danger' | undefined;
  /** Ignores presses but stays focusable, so the focus isn't lost while the action runs. */
  busy?: boolean;
};

export function Button({ look = 'primary', busy = false, onClick, type = 'button', ...rest }: Props) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...rest}
      type={type}
      className={`${styles.button} ${styles[look]}`}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={press}
    />
  );
}

/** Classes of a link that is the page's main action. */
export const actionLink = `${styles.button} ${styles.primary}`;

/** Classes of a link that looks like a secondary button. */
export const quietActionLink = `${styles.button} ${styles.secondary}`;
