import { useState } from 'react';
import type { AnswerOf, BodyOf } from '../../../../../src/contract/calls.ts';
import type { OrganizationAnswer } from '../../../../../src/contract/organization.ts';
import type { ProblemCode } from '../../../../../src/contract/problems.ts';
import { useAnswer, useLoaded, type When } from '../../../lib/react/queries.ts';
import { useClient } from '../../../lib/react/use-client.ts';

/** A page of a list; `next` is the cursor of the page after it, null for the last one. */
type Page = { next: unknown };

/** Reads the page at a cursor; the first page has none. */
type Read<Answer extends Page> = (after: Cursor<Answer>, signal: AbortSignal) => Promise<Answer>;
type Cursor<Answer extends Page> = NonNullable<Answer['next']> | undefined;

export type List<Answer> = {
  /** The page on the screen; it stays there while another one loads. Null until the first one has arrived. */
  answer: Answer | null;
  /** The number of the page on the screen, from 1. */
  pageNumber: number;
  busy: boolean;
  failure: { code: ProblemCode | null; text: string } | null;
  next(): void;
  previous(): void;
  reload(): void;
  /** Reads the page on the screen again without saying so; if that fails, nothing changes. */
  refresh(): void;
};

/** A list that's read page by page. Another key, such as another search, starts at the first page again. */
export function useList<Answer extends Page>(
  key: readonly unknown[],
  read: Read<Answer>,
  when?: When<Answer>,
): List<Answer> {
  const keyText = JSON.stringify(key);
  const [wanted, setWanted] = useState<{ keyText: string; cursors: Cursor<Answer>[] }>({
    ...{ keyText, cursors: [undefined] },
  });
  const cursors = wanted.keyText === keyText ? wanted.cursors : [undefined];
  const cursor = cursors.at(-1);
  const load = (signal: AbortSignal) => read(cursor, signal);
  const { loaded, reload, refresh } = useLoaded<Answer>([...key, cursor ?? null], load, when);
  const [shown, setShown] = useState<{ answer: Answer | null; cursors: Cursor<Answer>[] }>({
    ...{ answer: null, cursors },
  });
  if (loaded.status === 'ok' && loaded.value !== shown.answer) setShown({ answer: loaded.value, cursors });

  const { answer } = shown;
  const turn = (to: Cursor<Answer>[]) => {
    // A page that failed is asked for again.
    if (to.at(-1) === cursor) reload();
    else setWanted({ keyText, cursors: to });
  };
  return {
    answer,
    pageNumber: shown.cursors.length,
    busy: loaded.status === 'awaiting',
    failure: loaded.status === 'failed' ? loaded : null,
    next: () => answer?.next != null && turn([...shown.cursors, answer.next]),
    previous: () => shown.cursors.length > 1 && turn(shown.cursors.slice(0, -1)),
    reload,
    refresh: () => void refresh(),
  };
}

/** A list that one call answers. Another `body` is another list. */
export function useAnsweredList<Path extends ListPath>(
  path: Path,
  body: Omit<BodyOf<Path>, 'after'>,
  when?: When<AnswerOf<Path>>,
) {
  const { api } = useClient();
  // TypeScript doesn't join the parts of a body whose path isn't known.
  const bodyAt = (after: unknown) => ({ ...body, after }) as BodyOf<Path>;
  return useList<AnswerOf<Path>>(
    [path, body],
    (after, signal) => api.post(path, bodyAt(after), signal),
    when,
  );
}

/** The calls that answer one page of a list. */
type ListPath = '/organization-members' | '/organization-pulls' | '/organization-repositories';

/** The server's answer about an organization (by GitHub's id), for a page that works without it; null until it's here. */
export function useOrganizationAnswer(orgID: number): OrganizationAnswer | null {
  const { loaded } = useAnswer('/organization', { orgID });
  return loaded.status === 'ok' ? loaded.value : null;
}
