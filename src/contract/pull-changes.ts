import { z } from 'zod';
import { approvalTarget } from './approvals.ts';
import { accessToken } from './fields.ts';

/** `POST /pull-changes`: what helps to decide about a head, and isn't signed. */
export const pullChangesRequest = z.object({
  ...approvalTarget.shape,
  accessToken: accessToken.optional(),
});

/** A longer commit message is cut. */
export const LONGEST_MESSAGE = 4_000;

export type PullChangesAnswer = {
  /** The head commit's message, at most `LONGEST_MESSAGE` characters; null if GitHub doesn't list the commit. */
  message: string | null;
  /** Whether the message was cut. */
  isCut: boolean;
  /**
   * The newest earlier head that was approved, and whether the person approved it, if its files are the head's; null if
   * they differ, or if we don't know.
   */
  sameFilesAs: { head: string; byYou: boolean } | null;
};
