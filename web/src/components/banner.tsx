import { type ReactNode, useEffect, useRef } from 'react';
import styles from './banner.module.css';
import { Icon } from './icon.tsx';
import { error } from './outlines.ts';

type Props = {
  /** One sentence; plain text, from wherever it came. */
  text: string;
  /** What can be done about it: a link or a button. */
  children?: ReactNode;
  /** For what nobody asked for at this moment: it is announced when there is a pause, and leaves the focus alone. */
  calm?: boolean;
};

/** Says what went wrong, at the top of a card. It is announced, takes the focus, and stays until answered. */
export function Banner({ text, children, calm = false }: Props) {
  const ref = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text is a new error, and takes the focus again.
  useEffect(() => {
    if (!calm) ref.current?.focus();
  }, [text]);

  return (
    <div ref={ref} className={styles.banner} role={calm ? 'status' : 'alert'} tabIndex={-1}>
      <Icon outline={error} />
      <div className={styles.body}>
        <p>{text}</p>
        {children}
      </div>
    </div>
  );
}
