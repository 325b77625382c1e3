import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import styles from './tooltip.module.css';

type Props = {
  text: string;
  /** Where the bubble begins or ends, so that it never leaves the column. */
  align?: 'start' | 'end';
  /** The control; it gets the id of the bubble for its `aria-describedby`. */
  children: (describedBy: string) => ReactNode;
};

/**
 * A word about a control while the pointer or the focus is on it. WCAG 2.2, 1.4.13: Escape closes it, the pointer
 * may move onto it, and it stays until either leaves.
 */
export function Tooltip({ text, align = 'start', children }: Props) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const close = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setOpen(false);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to what happens on the control inside.
    <span
      className={styles.anchor}
      onMouseEnter={() => setOpen(true)}
      onMouseLeave={() => setOpen(false)}
      onFocus={(event) => setOpen(event.target.matches(':focus-visible'))}
      onBlur={() => setOpen(false)}
      onKeyDown={close}
    >
      {children(id)}
      <span id={id} role="tooltip" className={`${styles.bubble} ${styles[align]}`} hidden={!open}>
        {text}
      </span>
    </span>
  );
}
