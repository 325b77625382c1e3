import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** The answer that a test gets. */
export type Sent = { status: number; text: string; headers: Headers };

type Request = {
  method?: string;
  /** In place of the address's own, neither decoded nor normalised. */
  path?: string;
  headers?: Record<string, string>;
  body?: string;
};

/** Closes a connection long before a server does, so that no request meets a connection that is just being closed. */
const agent = new Agent({ keepAlive: true, timeout: 1_000 });

/**
 * Sends a request as `fetch` would, for a third of its processor time. Follows no redirect.
 *
 * @throws Error if nobody answers, or if the connection ends before the answer does.
 */
export async function send(
  url: string,
  { method = 'GET', path, headers, body }: Request = {},
): Promise<Sent> {
  const answer = await new Promise<IncomingMessage>((done, failed) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const all = { 'user-agent': 'a test', ...headers, ...length };
    const options = { method, agent, headers: all, ...(path !== undefined && { path }) };
    request(url, options, done).once('error', failed).end(body);
  });
  const received = await text(answer);
  return {
    status: answer.statusCode ?? 0,
    text: received,
    get headers() {
      return headersOf(answer);
    },
  };
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const pairs = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Headers(pairs);
}

let sentRequests = 0;
/** Headers with a new client address each time, because a test sends more requests than the rate limits allow. */
export const fromElsewhere = () => {
  sentRequests += 1;
  return {
    'x-forwarded-for': `10.${(sentRequests >> 16) & 255}.${(sentRequests >> 8) & 255}.${sentRequests & 255}`,
  };
};
