import type { AskedBy } from '../../../src/contract/inbox.ts';

/** Why a pull request is asked of a person and no other. E-mails are about the same pull requests. */
export const ASKED_TEXTS: Record<AskedBy, string> = {
  named: 'A rule names you or your team',
  review: 'Your review is requested',
  earlier: 'You approved an earlier commit',
  last: 'Nobody else is left to approve it',
};

/** All of these reasons. */
export const ASKED_OF_YOU_IF =
  'A pull request is asked of you if a rule names you or your team, your review is requested, you approved an earlier commit, or nobody else is left to approve it.';

export const deploymentsWait = (count: number): string =>
  count === 1 ? '1 deployment waits for an approval.' : `${count} deployments wait for an approval.`;
