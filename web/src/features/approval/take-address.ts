import { useCallback } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { keepQuery } from '../../lib/page-context.ts';
import { usePageContext } from '../../lib/use-client.ts';
import type { Address } from './read-move.ts';

/** The link's names before the page took another address. They aren't in the query, which anyone can write. */
type MovedState = { movedFrom?: unknown } | null;

/** The repository that the opened link named, if the page has taken another address since; else null. */
export function useMovedFrom(): string | null {
  const from = (useLocation().state as MovedState)?.movedFrom;
  return typeof from === 'string' ? from : null;
}

/**
 * Goes to `/collect` under the pull request's present address, so that the page shows it before anything is signed.
 * Returns false if the page has moved before: then something is wrong, and the person has to decide.
 */
export function useTakeAddress(): (address: Address) => boolean {
  const { search } = useLocation();
  const { owner, repo } = usePageContext();
  const movedFrom = useMovedFrom();
  const navigate = useNavigate();
  return useCallback(
    (address) => {
      if (movedFrom !== null) return false;
      // These addresses are only hints, and have the former names.
      const path = keepQuery('/collect', search, { ...address, url: null, headURL: null });
      void navigate(path, { replace: true, state: { movedFrom: `${owner}/${repo}` } });
      return true;
    },
    [search, owner, repo, movedFrom, navigate],
  );
}
