import type { RequestHandler } from 'express';
import { AppError } from '../app-error.ts';

const MOST = 2_000;
/** A company can have one address for all its people. */
const MOST_OF_ONE_ADDRESS = 200;
/** As long as GitHub's word on a person's memberships holds. */
const LONGEST_MS = 60_000;

/**
 * Bounds how many realtime streams are open, as each holds a connection and
 * nobody has to sign in for one, and how long: whoever goes on listening
 * connects and subscribes anew, and is looked at again then.
 */
export function capStreams(): RequestHandler {
  const open = new Map<string, number>();
  let total = 0;
  return (request, response, next) => {
    const address = request.ip ?? '';
    const own = open.get(address) ?? 0;
    if (total >= MOST || own >= MOST_OF_ONE_ADDRESS)
      throw new AppError('tooManyRequests', { retryAfter: 60 });
    open.set(address, own + 1);
    total += 1;
    const longest = setTimeout(() => response.destroy(), LONGEST_MS).unref();
    response.once('close', () => {
      clearTimeout(longest);
      total -= 1;
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
    next();
  };
}
