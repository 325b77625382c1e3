import { rateLimit } from 'express-rate-limit';
import { AppError } from '../app-error.ts';
import { sendError } from './error-handler.ts';

const WINDOW_MS = 60_000;

/** Limits the requests per minute from one address. People stay far below the limit. */
const atMost = (limit: number) =>
  rateLimit({
    windowMs: WINDOW_MS,
    limit,
    standardHeaders: false,
    legacyHeaders: false,
    handler(request, response) {
      const resetTime = (request as { rateLimit?: { resetTime?: Date } }).rateLimit?.resetTime;
      const seconds = resetTime ? Math.ceil((resetTime.getTime() - Date.now()) / 1000) : WINDOW_MS / 1000;
      sendError(response, new AppError('tooManyRequests', { retryAfter: Math.max(1, seconds) }));
    },
  });

export const rateLimits = { calls: atMost(1200), recordStore: atMost(1200) };
