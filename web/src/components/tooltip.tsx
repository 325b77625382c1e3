import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import styles from './tooltip.module.css';

type Props = {
  text: string;
  /** Renders the control, given the bubble's id for its `aria-describedby`. */
  children: (describedBy: string) => ReactNode;
};

/**
 * Describes a control while the pointer or the focus is on it. WCAG 2.2, 1.4.13: Escape closes it, the pointer may move
 * onto it, and it stays until pointer and focus have left.
 */
export function Tooltip({ text, children }: Props) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const close = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setOpen(false);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the span only listens to events of the control inside.
    <span
      className={styles.anchor}
      onMouseEnter={() => setOpen(true)}
      onMouseLeave={() => setOpen(false)}
      onFocus={(event) => setOpen(event.target.matches(':focus-visible'))}
      onBlur={() => setOpen(false)}
      onKeyDown={close}
    >
      {children(id)}
      <span id={id} role="tooltip" className={styles.bubble} hidden={!open}>
        {text}
      </span>
    </span>
  );
}
