import type { Places } from '../../lib/safe-url.ts';

/** Where GitHub sends the person back to; the record store compares it when the code is exchanged. */
export const returnAddress = ({ origin }: Places) => `${origin}/oauth`;
