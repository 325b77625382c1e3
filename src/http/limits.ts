import { rateLimit } from 'express-rate-limit';
import { AppError } from '../app-error.ts';
import { answerFailure } from './failure.ts';

const WINDOW_MS = 60_000;

/** How many requests of one address a minute takes. People stay far below; the next one waits. */
const atMost = (limit: number) =>
  rateLimit({
    windowMs: WINDOW_MS,
    limit,
    standardHeaders: false,
    legacyHeaders: false,
    handler(request, response) {
      const resetTime = (request as { rateLimit?: { resetTime?: Date } }).rateLimit?.resetTime;
      const seconds = resetTime ? Math.ceil((resetTime.getTime() - Date.now()) / 1000) : WINDOW_MS / 1000;
      answerFailure(response, new AppError('tooManyRequests', { retryAfter: Math.max(1, seconds) }));
    },
  });

export const limits = { calls: atMost(1200), recordStore: atMost(1200) };
