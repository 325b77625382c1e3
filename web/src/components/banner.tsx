import { lazy, type ReactNode, Suspense, useLayoutEffect, useRef } from 'react';
import styles from './banner.module.css';
import { Icon } from './icon.tsx';
import { errorIcon } from './icons.ts';

type BannerProps = {
  /** Plain text, possibly the server's fixed words: what went wrong, and on a second line what to do. */
  text: string;
  /** A link or button that helps to fix it. */
  children?: ReactNode;
  /** For a failure that the person's last action didn't cause: it's announced politely and doesn't take the focus. */
  calm?: boolean;
};

/** How the fixed words of calls begin (`lib/person-sentence.ts`). */
const FIXED = /^(missing|invalid auth|no o|state p)/i;

/** Few people see one, so the sentences aren't part of the entry. */
const FixedBanner = lazy(() =>
  import('../lib/person-sentence.ts').then(
    ({ personSentence }) => ({
      default: ({ text, ...rest }: BannerProps) => <PlainBanner text={personSentence(text)} {...rest} />,
    }),
    () => ({ default: PlainBanner }),
  ),
);

/** Says at the top of a card what went wrong. It's announced, takes the focus, and stays until the person acts. */
export const Banner = (props: BannerProps) =>
  FIXED.test(props.text) ? (
    <Suspense>
      <FixedBanner {...props} />
    </Suspense>
  ) : (
    <PlainBanner {...props} />
  );

/** Shows the text as it is. */
function PlainBanner({ text, children, calm = false }: BannerProps) {
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
