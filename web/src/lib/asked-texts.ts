import type { AskedBy } from '../../../src/contract/inbox.ts';

/** Why a pull request or a deployment is asked of a person and no other. E-mails are about the same ones. */
export const ASKED_TEXTS: Record<AskedBy, string> = {
  named: 'A rule names you or your team',
  review: 'Your review is requested',
  earlier: 'You approved an earlier commit',
  last: 'Nobody else is left to approve it',
};

/** All of these reasons. */
export const ASKED_OF_YOU_IF =
  'A pull request is asked of you if a rule names you or your team, your review is requested, you approved an earlier commit, or nobody else is left to approve it; a deployment if a rule names you or your team, or nobody else is left.';
