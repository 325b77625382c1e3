import type { RequestHandler } from 'express';
import { AppError } from '../../shared/app-error.ts';
import { networkOf } from '../limits.ts';

const MOST = 2_000;
/** Generous, because a whole company can share one address. All addresses of one IPv6 network count as one. */
const MOST_PER_ADDRESS = 200;
/** The same as for memberships read from GitHub, so that a former member stops receiving events as soon. */
const LONGEST_MS = 60_000;

/**
 * Limits the number of open realtime streams, because each holds a connection
 * and opening one needs no session. Also ends each stream after a minute:
 * clients reconnect and subscribe again, and their memberships are checked then.
 */
export function limitStreams(): RequestHandler {
  const openByAddress = new Map<string, number>();
  let total = 0;
  return (request, response, next) => {
    const address = networkOf(request.ip ?? '');
    const open = openByAddress.get(address) ?? 0;
    if (total >= MOST || open >= MOST_PER_ADDRESS) throw new AppError('tooManyRequests', { retryAfter: 60 });
    openByAddress.set(address, open + 1);
    total += 1;
    const timeout = setTimeout(() => response.destroy(), LONGEST_MS).unref();
    response.once('close', () => {
      clearTimeout(timeout);
      total -= 1;
      const left = (openByAddress.get(address) ?? 1) - 1;
      if (left > 0) openByAddress.set(address, left);
      else openByAddress.delete(address);
    });
    next();
  };
}
