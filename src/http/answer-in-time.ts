import type { RequestHandler } from 'express';
import { AppError } from '../shared/app-error.ts';

/** Shorter than the minute after which most proxies answer in our place, and the dashboard stops waiting. */
export const ANSWER_MS = 45_000;

/**
 * Answers a request that nothing else answered in time, so that nobody waits without an end. The work that the request
 * began continues. An answer that has begun, such as a stream of events, isn't cut off.
 */
export function answerInTime(ms = ANSWER_MS): RequestHandler {
  return (_request, response, next) => {
    const timer = setTimeout(() => {
      if (!response.headersSent) next(new AppError('tookTooLong'));
    }, ms);
    response.once('close', () => clearTimeout(timer));
    next();
  };
}
