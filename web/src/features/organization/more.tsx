import { useEffect, useRef } from 'react';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import type { MoreState } from './use-more.ts';

type Props = {
  state: MoreState;
  /** Whether there is more. */
  more: boolean;
  /** What the button says. */
  children: string;
};

/** The way to the next page of a list, below it. After the last one the focus stays here, on a word that says so. */
export function More({ state: { busy, error, run }, more, children }: Props) {
  const end = useRef<HTMLParagraphElement>(null);
  const used = useRef(false);
  useEffect(() => {
    if (!more && used.current) end.current?.focus({ preventScroll: true });
  }, [more]);

  if (!more) {
    if (!used.current) return null;
    return (
      <p ref={end} className="visually-hidden" tabIndex={-1}>
        That is all.
      </p>
    );
  }
  const press = () => {
    used.current = true;
    run();
  };
  return (
    <>
      {error && <Banner text={error} />}
      <Button look="secondary" busy={busy} onClick={press}>
        {busy ? 'Loading' : children}
      </Button>
    </>
  );
}
