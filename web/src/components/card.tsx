import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
import styles from './card.module.css';
import { errorIcon, Icon } from './icon.tsx';
import notice from './notice.module.css';

type Props = {
  /** The page's only `h1`, also shown in the browser's tab. */
  title: string;
  /** The content above the heading: the text of a banner, or banners. */
  banner?: ReactNode;
  /** True if the content is still loading. */
  busy?: boolean;
  /** Makes the card two thirds wider if the window has room, for a table. */
  wide?: boolean;
  children?: ReactNode;
};

/** The box that holds a page's content. */
export function Card({ title, banner, busy = false, wide = false, children }: Props) {
  useTitle(title);
  const id = useId();
  return (
    <section className={`${styles.card} ${wide ? styles.wide : ''}`} aria-labelledby={id} aria-busy={busy}>
      {banner && typeof banner === 'string' ? <Banner text={banner} /> : banner}
      <h1 id={id}>{title}</h1>
      {children}
    </section>
  );
}

/** Sets the page's title in the browser's tab and history. */
function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === 'OTP Guard' ? title : `${title} · OTP Guard`;
  }, [title]);
}

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
    <div
      ref={ref}
      className={`${notice.notice} ${notice.danger}`}
      role={calm ? 'status' : 'alert'}
      tabIndex={-1}
    >
      <Icon path={errorIcon} />
      <div className={notice.body}>
        {text.split('\n').map((line) => (
          <p key={line}>{line}</p>
        ))}
        {children}
      </div>
    </div>
  );
}
