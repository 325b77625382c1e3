import { useLayoutEffect, useRef } from 'react';
import { Banner } from '../../components/card.tsx';
import { SecondaryButton } from '../../components/controls.tsx';
import { codeOf, SIGNED_OUT, sentenceOf } from '../../lib/api-client.ts';
import { useAction } from '../../lib/use-action.ts';
import { useClient } from '../../lib/use-client.ts';

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
      <SecondaryButton busy={busy} onClick={press}>
        {busy ? 'Loading' : children}
      </SecondaryButton>
    </>
  );
}

/** The state of loading the next page of a list, and the function that loads it. */
type NextPage = { busy: boolean; error: string | null; load: () => void };

/** Loads the next page of a list on request. `loadPage` adds the page to the caller's state. */
export function useNextPage(loadPage: () => Promise<void>): NextPage {
  const { session } = useClient();
  const { pending, error, run } = useAction();
  const explain = (cause: unknown) => {
    if (!SIGNED_OUT.includes(codeOf(cause))) return sentenceOf(cause);
    session.signOut(sentenceOf(cause));
    return null;
  };
  return { busy: pending, error, load: () => void run(loadPage, explain) };
}
