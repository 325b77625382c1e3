import type { ErrorRequestHandler, Response } from 'express';
import { type Problem, problems } from '../contract/problems.ts';
import { AppError } from '../shared/app-error.ts';
import type { Log } from '../shared/log-events.ts';

/** Sends the person one sentence, and logs the cause. Never sends a stack. */
export function errorHandler(log: Log): ErrorRequestHandler {
  return (error, _request, response, _next) => {
    // The request was answered when its time had ended, and its work ended later.
    if (response.writableEnded && error.code === 'ERR_HTTP_HEADERS_SENT') return;
    const appError = toAppError(error);
    const line = { refusal: appError.code, err: appError.cause };
    if (appError.status >= 500) log.error({ event: 'request_failed', ...line }, appError.message);
    else log.info({ event: 'request_refused', ...line }, appError.message);
    // Express would write the error itself, next to the log.
    if (response.headersSent) response.destroy();
    else sendError(response, appError);
  };
}

const PROBLEM = 'application/problem+json';

/** Sends the sentence as plain text, or everything about the error to a client that names the type of RFC 9457. */
function sendError(response: Response, error: AppError): void {
  const { status, message, retryAfter, triesLeft } = error;
  if (retryAfter !== undefined) response.set('Retry-After', String(retryAfter));
  if (triesLeft !== undefined) response.set('X-Tries-Left', String(triesLeft));
  response.status(status).set('Cache-Control', 'no-store').vary('Accept');
  // A client has to name it: a wildcard accepts it too, and those clients get the plain sentence.
  if (response.req.accepts().includes(PROBLEM)) response.type(PROBLEM).json(problemOf(error));
  else response.type('text/plain').send(message);
}

const problemOf = ({ code, status, message, retryAfter, triesLeft }: AppError): Problem => ({
  type: `urn:otp-guard:problem:${code}`,
  title: problems[code][1],
  status,
  detail: message,
  code,
  ...(retryAfter !== undefined && { retryAfter }),
  ...(triesLeft !== undefined && { triesLeft }),
});

/** Only the body parsers' errors (`http-errors`, with `expose`) carry a status that is about the request. */
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
