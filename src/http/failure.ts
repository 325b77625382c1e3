import type { ErrorRequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { AppError } from '../app-error.ts';

/** The last handler: one sentence for the person, the cause for the log, no stack for anyone. */
export function failure(log: Logger): ErrorRequestHandler {
  return (error, _request, response, next) => {
    if (response.headersSent) return next(error);
    const known = toAppError(error);
    const line = { refusal: known.code, err: known.cause };
    if (known.status >= 500) log.error(line, known.message);
    else log.info(line, known.message);
    answerFailure(response, known);
  };
}

export function answerFailure(response: Response, error: AppError): void {
  if (error.retryAfter !== undefined) response.set('Retry-After', String(error.retryAfter));
  response.status(error.status).set('Cache-Control', 'no-store').type('text/plain').send(error.message);
}

/** The body parsers fail with an error of `http-errors`; the status of any other error is not about the request. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { status, expose } = (error ?? {}) as { status?: unknown; expose?: unknown };
  if (expose !== true) return new AppError('internal', { cause: error });
  if (status === 413) return new AppError('tooLarge', { cause: error });
  if (status === 415) return new AppError('unsupportedType', { cause: error });
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new AppError('malformed', { cause: error });
  return new AppError('internal', { cause: error });
}
