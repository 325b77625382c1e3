import { useLayoutEffect, useRef } from 'react';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import type { NextPage } from './use-next-page.ts';

type Props = {
  nextPage: NextPage;
  hasMore: boolean;
  /** The button's text. */
  children: string;
};

/** The button below a list that loads its next page. After the last page, focus moves to a hidden text in its place. */
export function ShowMore({ nextPage: { busy, error, load }, hasMore, children }: Props) {
  const end = useRef<HTMLParagraphElement>(null);
  const wasPressed = useRef(false);
  useLayoutEffect(() => {
    if (!hasMore && wasPressed.current) end.current?.focus({ preventScroll: true });
  }, [hasMore]);

  if (!hasMore) {
    if (!wasPressed.current) return null;
    return (
      <p ref={end} className="visually-hidden" tabIndex={-1}>
        End of list.
      </p>
    );
  }
  const press = () => {
    wasPressed.current = true;
    load();
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
