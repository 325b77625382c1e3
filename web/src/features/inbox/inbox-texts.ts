import type { AskedBy, InboxPull } from '../../../../src/contract/inbox.ts';
import { totalText } from '../../lib/use-inbox.ts';

export const ASKED_TEXTS: Record<AskedBy, string> = {
  named: 'A rule names you',
  review: 'Your review is requested',
  last: 'Nobody else is left to approve it',
};

/** How many pull requests wait, and whether the page shows all of them. */
export function waitingText(total: number, shown: number): string {
  if (total === 0) return 'Nothing waits for you.';
  const waiting =
    total === 1 ? '1 pull request waits for you.' : `${totalText(total)} pull requests wait for you.`;
  return total > shown ? `${waiting} These ${shown} wait the longest.` : waiting;
}

export const missingText = ({ missing }: Pick<InboxPull, 'missing'>) => missing.join(' ');
