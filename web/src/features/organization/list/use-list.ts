import { useCallback, useEffect, useRef, useState } from 'react';
import type { AnswerOf, BodyOf } from '../../../../../src/contract/calls.ts';
import type { OrganizationAnswer } from '../../../../../src/contract/organization.ts';
import type { ProblemCode } from '../../../../../src/contract/problems.ts';
import { codeOf, SIGNED_OUT, sentenceOf } from '../../../lib/api/api-client.ts';
import { useBackOnline } from '../../../lib/react/use-back-online.ts';
import { useAnswer, useClient } from '../../../lib/react/use-client.ts';

/** A page of a list; `next` is the cursor of the page after it, null for the last one. */
type Page = { next: unknown };

/** Reads the page at a cursor; the first page has none. */
type Read<Answer extends Page> = (after: NonNullable<Answer['next']> | undefined) => Promise<Answer>;
type Cursors<Answer extends Page> = Parameters<Read<Answer>>[0][];

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

/**
 * A list that's read page by page. Another `read`, such as for another search, starts at the first page again, so it
 * must keep its identity between renders. An answer that comes after a later question is dropped.
 */
export function useList<Answer extends Page>(read: Read<Answer>): List<Answer> {
  const [shown, setShown] = useState<{ answer: Answer | null; cursors: Cursors<Answer> }>(NOTHING);
  const [busy, setBusy] = useState(true);
  const [failure, setFailure] = useState<List<Answer>['failure']>(null);
  const turn = useRef(0);
  const { session } = useClient();

  const load = useCallback(
    async (cursors: Cursors<Answer>, isQuiet = false) => {
      const mine = ++turn.current;
      if (!isQuiet) setBusy(true);
      try {
        const answer = await read(cursors.at(-1));
        if (mine !== turn.current) return;
        setShown({ answer, cursors });
        setFailure(null);
      } catch (error) {
        if (mine !== turn.current || isQuiet) return;
        const [code, text] = [codeOf(error), sentenceOf(error)];
        if (SIGNED_OUT.includes(code)) session.signOut(text);
        else setFailure({ code, text });
      }
      setBusy(false);
    },
    [read, session],
  );
  useEffect(() => {
    void load([undefined]);
    return () => {
      turn.current += 1;
    };
  }, [load]);

  const { answer, cursors } = shown;
  const reload = () => void load(cursors);
  useBackOnline(failure?.code === null ? reload : null);
  return {
    answer,
    pageNumber: cursors.length,
    busy,
    failure,
    next: () => void (answer?.next != null && load([...cursors, answer.next])),
    previous: () => void (cursors.length > 1 && load(cursors.slice(0, -1))),
    reload,
    refresh: () => void (busy || load(cursors, true)),
  };
}

const NOTHING = { answer: null, cursors: [undefined] };

/** A list that one call answers. Another `body` is another list. */
export function useAnsweredList<Path extends ListPath>(path: Path, body: Omit<BodyOf<Path>, 'after'>) {
  const { api } = useClient();
  const sent = JSON.stringify(body);
  return useList<AnswerOf<Path>>(
    useCallback((after) => api.post(path, { ...JSON.parse(sent), after }), [api, path, sent]),
  );
}

/** The calls that answer one page of a list. */
type ListPath = '/organization-members' | '/organization-pulls' | '/organization-repositories';

/** The server's answer about an organization (by GitHub's id), for a page that works without it; null until it's here. */
export function useOrganizationAnswer(orgID: number): OrganizationAnswer | null {
  const { loaded } = useAnswer('/organization', { orgID });
  return loaded.status === 'ok' ? loaded.value : null;
}
