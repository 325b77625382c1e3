import { useCallback } from 'react';
import { type Receipts, type ReceiptTarget, readReceipts } from './receipts.ts';
import { useClient } from './use-client.ts';
import { type Loaded, useLoaded } from './use-loaded.ts';

const NONE: Receipts = { proved: [], without: [] };

/** The proofs of a commit's approvals; none without a target. */
export function useReceipts(target: ReceiptTarget | null): {
  loaded: Loaded<Receipts>;
  reload: () => void;
} {
  const { api } = useClient();
  // By its text, because callers may make another object of it at each render.
  const key = JSON.stringify(target);
  const { loaded, reload } = useLoaded(
    useCallback(async () => {
      const wanted: ReceiptTarget | null = JSON.parse(key);
      return wanted ? readReceipts(api, wanted) : NONE;
    }, [api, key]),
  );
  return { loaded, reload };
}
