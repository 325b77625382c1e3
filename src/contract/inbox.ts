import { z } from 'zod';
import { accessToken } from './fields.ts';
import type { WaitingPull } from './organization.ts';

/** `POST /inbox`: the pull requests that wait for the person, over all their organizations. */
export const inboxRequest = z.object({ accessToken: accessToken.optional() });

/**
 * Why a pull request waits for this person and no other: a rule names them or their team, somebody requested their
 * review on GitHub, or nobody else is left to approve it.
 */
export type AskedBy = 'named' | 'review' | 'last';

export type InboxPull = WaitingPull & {
  org: { id: number; name: string; installation: number };
  repoID: number;
  base: string;
  /** When it was opened (RFC 3339). */
  opened: string;
  /** Null if any other member could approve it too. */
  asked: AskedBy | null;
};

/** From so many on, pull requests that wait for one person aren't counted any further. */
export const MOST_COUNTED = 1_000;

/** The longest waiting first, at most 100 of them; `total` counts all, up to `MOST_COUNTED`. */
export type InboxAnswer = { total: number; pulls: InboxPull[] };

/** When a person gets an e-mail about a pull request that waits for them. */
export const noticeChoices = ['off', 'at-once', 'daily'] as const;
export type NoticeChoice = (typeof noticeChoices)[number];

/** `POST /notice-choice`: reads the choice, or makes it. */
export const noticeChoiceRequest = z.object({
  choice: z.enum(noticeChoices, { error: 'Choose off, at once or daily.' }).optional(),
});

/** `hasAddress` is false if no e-mail can be sent, because the person hasn't confirmed an address. */
export type NoticeChoiceAnswer = { choice: NoticeChoice; hasAddress: boolean };
