import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { APP } from './credentials.ts';

/** One attempt to deliver an event, in the form of GitHub's "Get a delivery for an app webhook". */
export type Delivery = {
  id: number;
  guid: string;
  delivered_at: string;
  redelivery: boolean;
  duration: number;
  status: string;
  status_code: number;
  event: string;
  action: string | null;
  installation_id: number | null;
  repository_id: number | null;
  throttled_at: null;
  url: string;
  request: { headers: Record<string, string>; payload: object };
  response: { headers: Record<string, string>; payload: string };
};

export type Event = { name: string; payload: object };

const TIMEOUT_MS = 10_000;
const MOST_RECORDED = 2_000;

type Outcome = Pick<Delivery, 'status' | 'status_code' | 'response'>;
type Attempt = { guid: string; event: Event; redelivery: boolean };

const idIn = (payload: object, member: string): number | null => {
  const found = (payload as Record<string, { id?: number } | undefined>)[member];
  return found?.id ?? null;
};

async function post(url: string, headers: Record<string, string>, body: string, signal: AbortSignal) {
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
  const payload = (await response.text()).slice(0, 65_536);
  const status = STATUS_CODES[response.status] ?? 'Unknown';
  const answer = { headers: Object.fromEntries(response.headers), payload };
  return { status, status_code: response.status, response: answer };
}

function failureOf(error: unknown): Outcome {
  const isTimeout = error instanceof Error && error.name === 'TimeoutError';
  return {
    status: isTimeout ? 'timed out' : 'failed to connect to host',
    status_code: isTimeout ? 504 : 502,
    response: { headers: {}, payload: '' },
  };
}

/**
 * Sends the App's webhooks to `url`, signed with `secret`, the way GitHub does: one GUID per event, a timeout of ten
 * seconds, no retries. The events of one installation arrive in order.
 */
export function createDeliveries(input: {
  url: string;
  secret: string;
  /** The Enterprise Server that this GitHub speaks as; undefined for github.com. */
  enterprise: { host: string; version: string } | undefined;
}) {
  const recorded: Delivery[] = [];
  const queues = new Map<number | null, Promise<void>>();
  const closing = new AbortController();
  const webhookID = String(APP.id * 10 + 1);
  const userAgent = `GitHub-Hookshot/${randomBytes(4).toString('hex').slice(0, 7)}`;
  let nextID = 1;

  const headersFor = (attempt: Attempt, body: string) => ({
    accept: '*/*',
    'content-type': 'application/json',
    'user-agent': userAgent,
    'x-github-delivery': attempt.guid,
    ...(input.enterprise && {
      'x-github-enterprise-host': input.enterprise.host,
      'x-github-enterprise-version': input.enterprise.version,
    }),
    'x-github-event': attempt.event.name,
    'x-github-hook-id': webhookID,
    'x-github-hook-installation-target-id': String(APP.id),
    'x-github-hook-installation-target-type': 'integration',
    'x-hub-signature': `sha1=${createHmac('sha1', input.secret).update(body).digest('hex')}`,
    'x-hub-signature-256': `sha256=${createHmac('sha256', input.secret).update(body).digest('hex')}`,
  });

  const deliver = async (attempt: Attempt): Promise<void> => {
    if (closing.signal.aborted) return;
    const { name, payload } = attempt.event;
    const body = JSON.stringify(payload);
    const headers = headersFor(attempt, body);
    const started = Date.now();
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const outcome = await post(input.url, headers, body, signal).catch(failureOf);
    if (recorded.length >= MOST_RECORDED) recorded.shift();
    recorded.push({
      id: nextID++,
      guid: attempt.guid,
      delivered_at: new Date(started).toISOString(),
      redelivery: attempt.redelivery,
      duration: (Date.now() - started) / 1000,
      event: name,
      action: (payload as { action?: string }).action ?? null,
      installation_id: idIn(payload, 'installation'),
      repository_id: idIn(payload, 'repository'),
      throttled_at: null,
      url: input.url,
      request: { headers, payload },
      ...outcome,
    });
  };

  const enqueue = (attempt: Attempt) => {
    const queue = idIn(attempt.event.payload, 'installation');
    const before = queues.get(queue) ?? Promise.resolve();
    queues.set(
      queue,
      before.then(() => deliver(attempt)),
    );
  };

  return {
    /** Queues the event. It is sent once, after the earlier events of its installation, and recorded. */
    send: (event: Event) => enqueue({ guid: randomUUID(), event, redelivery: false }),
    /** Sends a delivery again with the same GUID; false if there is no such delivery. */
    redeliver: (id: number): boolean => {
      const earlier = recorded.find((delivery) => delivery.id === id);
      if (!earlier) return false;
      enqueue({
        guid: earlier.guid,
        event: { name: earlier.event, payload: earlier.request.payload },
        redelivery: true,
      });
      return true;
    },
    find: (id: number) => recorded.find((delivery) => delivery.id === id),
    /** Newest first. */
    all: () => recorded.toReversed(),
    /** Cancels all deliveries in progress and in the queue; resolves when none is left. */
    close: async () => {
      closing.abort();
      await Promise.all(queues.values());
    },
  };
}
