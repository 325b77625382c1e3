/** What a page tells the next one in the history's state: unlike a query, no link can claim it. */
export type PageState = {
  /** The success of the previous page. */
  done?: keyof typeof DONE_TEXTS;
  /** The person has just signed out everywhere. */
  signedOut?: true;
  /** The repository that the opened link named, if the page has taken another address since. */
  movedFrom?: string;
  /** The query string of the inbox that the page was opened from. */
  inbox?: string;
};

export const DONE_TEXTS = {
  registered: 'Your authenticator is registered.',
  deleted: 'The authenticator is deleted.',
};

export const SIGNED_OUT_TEXT = "You're signed out: all your OTP Guard sessions have ended, on every device.";
