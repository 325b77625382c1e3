import type { RequestHandler, Response } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { createRoom, type Intake } from './make-room.ts';

export type IntakeLimits = {
  /** What is held at the same time of all payloads, and of those from one address. */
  totalBytes: number;
  bytesPerSender: number;
  /** How long a payload may take until its pace counts, and until all of it has to be there. */
  graceMs: number;
  deadlineMs: number;
};

/** GitHub caps a payload at 25 MB (docs.github.com, "Webhook events and payloads"). */
export const PAYLOAD_LIMIT = 25 * 1024 * 1024;

export const INTAKE_LIMITS: IntakeLimits = {
  totalBytes: 4 * PAYLOAD_LIMIT,
  bytesPerSender: PAYLOAD_LIMIT,
  graceMs: 2_000,
  // GitHub gives up after 10 seconds (docs.github.com, "Best practices for using webhooks").
  deadlineMs: 10_000,
};

/**
 * Bounds what is held of payloads whose signature can't be checked yet, because
 * it covers all of a payload. Only received bytes count, never announced ones.
 * A payload that isn't on course to arrive by the deadline is dropped, and so
 * are the slowest if there's no room.
 *
 * @param onShed Called for each dropped webhook, as it can be a genuine one.
 */
export function limitIntake(onShed: () => void, limits = INTAKE_LIMITS): RequestHandler {
  const room = createRoom(limits);
  return (request, response, next) => {
    const length = Number(request.get('content-length') ?? Number.NaN);
    if (!Number.isInteger(length)) {
      response.status(411).type('text/plain').send('This webhook has no Content-Length.');
      return;
    }
    if (length > PAYLOAD_LIMIT) {
      refuse(response, 413, 'This webhook is larger than the 25 MB that GitHub sends.');
      return;
    }
    const intake: Intake = {
      sender: ipKeyGenerator(request.ip ?? ''),
      received: 0,
      beganAt: performance.now(),
      isComplete: false,
      drop() {
        end();
        response.set('Retry-After', '5');
        refuse(response, 503, 'This webhook arrived too slowly, or too many arrived at once. Redeliver it.');
        onShed();
      },
    };
    const stopWatching = watchPace(intake, length, limits);
    const end = () => {
      room.remove(intake);
      stopWatching();
    };
    room.add(intake);
    response.once('close', end);
    request.on('data', (chunk: Buffer) => room.receive(intake, chunk.length));
    request.once('end', () => {
      intake.isComplete = true;
      stopWatching();
    });
    next();
  };
}

/** Drops a payload when it has fallen behind one that arrives evenly between the grace and the deadline. */
function watchPace(intake: Intake, length: number, { graceMs, deadlineMs }: IntakeLimits): () => void {
  let timer: NodeJS.Timeout;
  const watch = () => {
    const dueAfterMs = graceMs + (intake.received / length) * (deadlineMs - graceMs);
    const leftMs = intake.beganAt + dueAfterMs - performance.now();
    if (leftMs <= 0) intake.drop();
    else timer = setTimeout(watch, leftMs);
  };
  if (length > 0) watch();
  return () => clearTimeout(timer);
}

/** Answers without reading the rest, and ends the connection, which frees what was read of the payload. */
function refuse(response: Response, status: number, sentence: string): void {
  response.once('finish', () => response.req.destroy());
  response.status(status).set('Connection', 'close').type('text/plain').send(sentence);
}
