import type { Origins } from '../../lib/safe-url.ts';

/** The address that GitHub sends the person back to. The record store compares it when it exchanges the code. */
export const oauthRedirectUrl = ({ origin }: Origins) => `${origin}/oauth`;
