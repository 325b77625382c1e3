import { useState } from 'react';
import type { InboxAnswer } from '../../../../src/contract/inbox.ts';
import { mergeRows, type Row } from './merge-rows.ts';

/** The list's rows, which keep their places while the page is open. */
export function useRows(answer: InboxAnswer | null) {
  const [shown, setShown] = useState<{ answer: InboxAnswer | null; rows: Row[] }>({ answer: null, rows: [] });
  if (answer && answer !== shown.answer) setShown({ answer, rows: mergeRows(shown.rows, answer.pulls) });
  const removeGone = () => setShown({ ...shown, rows: mergeRows([], shown.answer?.pulls ?? []) });
  return { rows: shown.rows, removeGone };
}
