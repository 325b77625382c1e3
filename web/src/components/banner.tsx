import { type ReactNode, useLayoutEffect, useRef } from 'react';
import styles from './banner.module.css';
import { Icon } from './icon.tsx';
import { errorIcon } from './icons.ts';

type BannerProps = {
  /** Plain text: what went wrong, and on a second line what to do. */
  text: string;
  /** A link or button that helps to fix it. */
  children?: ReactNode;
  /** The failure isn't the effect of the person's last action: it's announced politely and doesn't take the focus. */
  calm?: boolean;
};

/** Says at the top of a card what went wrong. It's announced, takes the focus, and stays until the person acts. */
export function Banner({ text, children, calm = false }: BannerProps) {
  const ref = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text is a new error, and takes the focus again.
  useLayoutEffect(() => {
    if (!calm) ref.current?.focus();
  }, [text]);

  return (
    <div ref={ref} className={styles.banner} role={calm ? 'status' : 'alert'} tabIndex={-1}>
      <Icon path={errorIcon} />
      <div className={styles.body}>
        {text.split('\n').map((line) => (
          <p key={line}>{line}</p>
        ))}
        {children}
      </div>
    </div>
  );
}
