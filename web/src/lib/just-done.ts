/** The success of the previous page, in the history's state: unlike a query, no link can claim it. */
export type JustDone = 'registered' | 'deleted';

const TEXTS: Record<JustDone, string> = {
  registered: 'Your authenticator is registered.',
  deleted: 'The authenticator is deleted.',
};

/** The line of success for a page's state; null if the previous page did nothing. */
export const justDoneText = (state: unknown): string | null => TEXTS[state as JustDone] ?? null;
