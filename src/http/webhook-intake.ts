import type { RequestHandler, Response } from 'express';
import { networkOf } from './limits.ts';

/** A webhook whose payload is being read, or was read and has a signature that isn't checked yet. */
export type Intake = {
  /** The address of the client; all addresses of one IPv6 network count as one. */
  sender: string;
  /** The bytes that arrived. */
  received: number;
  /** A time of `performance.now()`. */
  beganAt: number;
  /** The payload arrived, and its signature is checked next. */
  isComplete: boolean;
  /** Refuses the payload, and frees its memory. */
  drop(): void;
};

/** GitHub caps a payload at 25 MB (docs.github.com, "Webhook events and payloads"). */
export const PAYLOAD_LIMIT = 25 * 1024 * 1024;

export const INTAKE_LIMITS = {
  /** The most that is held at the same time of all payloads, and of those from one address. */
  totalBytes: 4 * PAYLOAD_LIMIT,
  bytesPerSender: PAYLOAD_LIMIT,
  /** How long a payload may take until its pace counts. */
  graceMs: 2_000,
  /** How long a whole payload may take. GitHub gives up by then (docs.github.com, "Best practices for using webhooks"). */
  deadlineMs: 10_000,
};
export type IntakeLimits = typeof INTAKE_LIMITS;

/**
 * Bounds the bytes that are held of payloads whose signature can't be checked yet, because
 * it covers all of a payload. Only received bytes count, never announced ones.
 * A payload that isn't on course to arrive by the deadline is dropped, and so
 * are the slowest if there's no room.
 *
 * @param onShed Called for each dropped webhook, as it can be a genuine one.
 */
export function limitIntake(onShed: () => void, limits = INTAKE_LIMITS): RequestHandler {
  const memory = createPayloadMemory(limits);
  return (request, response, next) => {
    const length = Number(request.get('content-length') ?? Number.NaN);
    if (!Number.isInteger(length)) return sendText(response, 411, 'This webhook has no Content-Length.');
    if (length > PAYLOAD_LIMIT)
      return refuse(response, 413, 'This webhook is larger than the 25 MB that GitHub sends.');
    const intake: Intake = {
      sender: networkOf(request.ip ?? ''),
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
      memory.remove(intake);
      stopWatching();
    };
    memory.add(intake);
    // Once the signature holds, GitHub sent it: many at once must not displace each other.
    response.locals.stopCounting = end;
    response.once('close', end);
    request.on('data', (chunk: Buffer) => memory.receive(intake, chunk.length));
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

/** Answers without reading the rest, and ends the connection, which frees the payload's bytes so far. */
function refuse(response: Response, status: number, sentence: string): void {
  response.once('finish', () => response.req.destroy());
  sendText(response.set('Connection', 'close'), status, sentence);
}

export function sendText(response: Response, status: number, text: string): void {
  response.status(status).type('text/plain').send(text);
}

/**
 * Drops payloads until the bytes that are held fit. A sender that holds more than its
 * share drops its own slowest. If all together hold too much, the sender that
 * holds the most does, so that many large payloads can't displace a small one.
 */
export function createPayloadMemory(limits: { totalBytes: number; bytesPerSender: number }) {
  const intakes = new Set<Intake>();
  // Sums that are kept, because each of thousands of connections can send its payload in tiny pieces.
  const heldBy = new Map<string, number>();
  let total = 0;

  const count = (sender: string, bytes: number) => {
    const held = (heldBy.get(sender) ?? 0) + bytes;
    if (held === 0) heldBy.delete(sender);
    else heldBy.set(sender, held);
    total += bytes;
  };

  const dropUntilItFits = (sender: string) => {
    for (;;) {
      const isOverShare = (heldBy.get(sender) ?? 0) > limits.bytesPerSender;
      if (!isOverShare && total <= limits.totalBytes) return;
      const droppable = [...intakes].filter(({ isComplete, received }) => !isComplete && received > 0);
      const from = isOverShare ? sender : largestSender(droppable);
      const slowest = slowestOf(droppable.filter((intake) => intake.sender === from));
      if (!slowest) return;
      slowest.drop();
    }
  };

  return {
    add: (intake: Intake) => void intakes.add(intake),

    /** Counts a piece of a payload, unless the payload was dropped. */
    receive(intake: Intake, bytes: number): void {
      if (!intakes.has(intake)) return;
      intake.received += bytes;
      count(intake.sender, bytes);
      dropUntilItFits(intake.sender);
    },

    remove(intake: Intake): void {
      if (intakes.delete(intake)) count(intake.sender, -intake.received);
    },
  };
}

function largestSender(intakes: Intake[]): string | undefined {
  const heldBy = new Map<string, number>();
  for (const { sender, received } of intakes) heldBy.set(sender, (heldBy.get(sender) ?? 0) + received);
  return [...heldBy].sort(([, a], [, b]) => b - a)[0]?.[0];
}

function slowestOf(intakes: Intake[]): Intake | undefined {
  const now = performance.now();
  const pace = ({ received, beganAt }: Intake) => received / (now - beganAt);
  return intakes.sort((a, b) => pace(a) - pace(b))[0];
}
