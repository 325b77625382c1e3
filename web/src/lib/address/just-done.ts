/** The success of the previous page, in the history's state: unlike a query, no link can claim it. */
export type JustDone = 'registered' | 'deleted';

const TEXTS: Record<JustDone, string> = {
  registered: 'Your authenticator is registered.',
  deleted: 'The authenticator is deleted.',
};

/** The sign-in card's line after *Sign out everywhere*. */
export const SIGNED_OUT = 'signed-out-everywhere';

export const signedOutText = (state: unknown): string | null =>
  state === SIGNED_OUT ? "You're signed out: all your OTP Guard sessions have ended, on every device." : null;

/** The line of success for a page's state; null if the previous page did nothing. */
export const justDoneText = (state: unknown): string | null => TEXTS[state as JustDone] ?? null;
