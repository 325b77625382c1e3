import { useState } from 'react';
import type { InboxPull } from '../../../../src/contract/inbox.ts';
import { keyOf, type Row } from './merge-rows.ts';

/** A new commit has to be selected again. */
const commitOf = (pull: InboxPull) => `${keyOf(pull)} ${pull.head}`;

/** Which rows are selected; those that are gone aren't. */
export function useSelection(rows: Row[]) {
  const [commits, setCommits] = useState<ReadonlySet<string>>(new Set());
  const isSelected = (pull: InboxPull) => commits.has(commitOf(pull));
  const toggle = (pull: InboxPull) => {
    const next = new Set(commits);
    if (!next.delete(commitOf(pull))) next.add(commitOf(pull));
    setCommits(next);
  };
  const selected = rows.filter(({ pull, gone }) => !gone && isSelected(pull)).map(({ pull }) => pull);
  return { isSelected, toggle, selected };
}
