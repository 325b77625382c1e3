/** The query parameter with which `/register` shows every kind, to a person without an authenticator too. */
export const EVERY_KIND = { options: 'all' };
