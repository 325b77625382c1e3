/** In bytes, for the bodies of product calls and of requests to the record store. */
export const BODY_LIMIT = 64 * 1024;
