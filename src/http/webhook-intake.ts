import type { RequestHandler, Response } from 'express';
import { networkOf } from './limits.ts';

/** A webhook whose payload is being read, or was read and has a signature that isn't checked yet. */
export type Intake = {
  /** The address of the client; all addresses of one IPv6 network count as one. */
  sender: string;
  /** The bytes that arrived. */
  received: number;
  /** The payload arrived, and its signature is checked next. */
  isComplete: boolean;
  /** Refuses the payload, and frees its memory. */
  drop(): void;
};

/** GitHub caps a payload at 25 MB (docs.github.com, "Webhook events and payloads"). */
export const PAYLOAD_LIMIT = 25 * 1024 * 1024;

export const INTAKE_LIMITS = {
  /** The most bytes that are held of all payloads at the same time. */
  mostBytes: 4 * PAYLOAD_LIMIT,
  /** How long a whole payload may take. GitHub gives up by then (docs.github.com, "Best practices for using webhooks"). */
  deadlineMs: 10_000,
};
export type IntakeLimits = typeof INTAKE_LIMITS;

/**
 * Bounds the bytes that are held of payloads whose signature can't be checked yet, because
 * it covers all of a payload. Only received bytes count, never announced ones.
 *
 * @param onShed Called for each dropped webhook, as it can be a genuine one.
 */
export function limitIntake(onShed: () => void, limits = INTAKE_LIMITS): RequestHandler {
  const memory = createPayloadMemory(limits.mostBytes);
  return (request, response, next) => {
    const length = Number(request.get('content-length') ?? Number.NaN);
    if (!Number.isInteger(length)) return sendText(response, 411, 'This webhook has no Content-Length.');
    if (length > PAYLOAD_LIMIT)
      return refuse(response, 413, 'This webhook is larger than the 25 MB that GitHub sends.');
    const intake: Intake = {
      sender: networkOf(request.ip ?? ''),
      received: 0,
      isComplete: false,
      drop() {
        end();
        response.set('Retry-After', '5');
        refuse(response, 503, 'This webhook arrived too slowly, or too many arrived at once. Redeliver it.');
        onShed();
      },
    };
    const deadline = setTimeout(intake.drop, limits.deadlineMs);
    const end = () => {
      memory.remove(intake);
      clearTimeout(deadline);
    };
    memory.add(intake);
    // Once the signature holds, GitHub sent it: many simultaneous ones must not displace each other.
    response.locals.stopCounting = end;
    response.once('close', end);
    request.on('data', (chunk: Buffer) => memory.receive(intake, chunk.length));
    request.once('end', () => {
      intake.isComplete = true;
      clearTimeout(deadline);
    });
    next();
  };
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
 * Drops payloads until the bytes that are held fit: of the sender that holds the most, the payload that began first. So
 * many large payloads can't displace a small one, and slow ones can't displace a fast one.
 */
export function createPayloadMemory(mostBytes: number) {
  /** In the order in which they began. */
  const intakes = new Set<Intake>();
  let total = 0;
  return {
    add: (intake: Intake) => void intakes.add(intake),

    /** Counts a piece of a payload, unless the payload was dropped. */
    receive(intake: Intake, bytes: number): void {
      if (!intakes.has(intake)) return;
      intake.received += bytes;
      total += bytes;
      while (total > mostBytes) {
        const first = firstOfLargest([...intakes].filter((one) => !one.isComplete && one.received > 0));
        if (!first) return;
        first.drop();
      }
    },

    remove(intake: Intake): void {
      if (intakes.delete(intake)) total -= intake.received;
    },
  };
}

function firstOfLargest(intakes: Intake[]): Intake | undefined {
  const heldBy = new Map<string, number>();
  for (const { sender, received } of intakes) heldBy.set(sender, (heldBy.get(sender) ?? 0) + received);
  const [largest] = [...heldBy].sort(([, a], [, b]) => b - a)[0] ?? [];
  return intakes.find(({ sender }) => sender === largest);
}
