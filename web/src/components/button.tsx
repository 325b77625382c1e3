import type { ButtonHTMLAttributes, MouseEvent } from 'react';
import styles from './button.module.css';

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  /** The one action of the page, another one beside it, or one in a bar. */
  look?: 'primary' | 'secondary' | 'bar';
  /** At work: it keeps its focus and its place, says so, and takes no second press. */
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

/** For a link that is the page's one action. */
export const actionLink = `${styles.button} ${styles.primary}`;
