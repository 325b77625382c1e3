import { type Agent, request as sendRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createKeptReads } from './kept-reads.ts';
import type { PullOverlay } from './pull-overlay.ts';

/** A response of the emulator. `json` is undefined if the body isn't JSON. */
export type EmulatorResponse = { status: number; headers: Headers; body: Buffer; json: unknown };

export type EmulatorRequest = {
  method: string;
  path: string;
  token?: string;
  headers?: Record<string, string>;
  body?: unknown;
};

export type EmulatorClient = ReturnType<typeof createEmulatorClient>;

function parse(body: Buffer, type: string | null): unknown {
  if (!type?.includes('json') || body.length === 0) return undefined;
  return JSON.parse(body.toString('utf8'));
}

function encode(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  return Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
}

type Sent = { method: string; headers: Record<string, string>; body: Buffer; agent: Agent };

/**
 * Not by `fetch`: it costs more processor time, and it can use an idle connection just when the
 * emulator closes it. The agent closes one first.
 */
function ask(url: string, { method, headers, body, agent }: Sent): Promise<Answer> {
  const length = body.length > 0 ? { 'content-length': String(body.length) } : {};
  return new Promise((resolve, reject) => {
    const request = sendRequest(url, { method, headers: { ...headers, ...length }, agent }, (response) => {
      const all = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      );
      const status = response.statusCode ?? 0;
      buffer(response).then((read) => resolve({ status, headers: new Headers(all), body: read }), reject);
    });
    request.once('error', reject);
    request.end(body);
  });
}

/** One request to us needs several reads here, and only writes change what they find. */
type Answer = Omit<EmulatorResponse, 'json'>;

/** The emulator goes through all members to find one. Nothing that happens in a repository changes them. */
const MEMBERSHIP = /^\/orgs\/[^/]+\/memberships\//;
/** Each check run names the open pull requests of its head, and changes none. */
const PULLS = /^\/repos\/[^/]+\/[^/]+\/pulls\?/;
const CHECKS = /^\/repos\/[^/]+\/[^/]+\/check-(runs|suites)\b/;

/**
 * Sends requests to the emulator. Those without a token are octocat's, and use `serviceTokens` in turn, because the
 * emulator limits the rate of each.
 */
export function createEmulatorClient(
  { url, agent }: { url: string; agent: Agent },
  serviceTokens: readonly string[],
  pullOverlay: PullOverlay,
) {
  let next = 0;
  const serviceToken = () => serviceTokens[next++ % serviceTokens.length] ?? '';

  const isWorthKeeping = ({ status }: Answer) => status === 200 || status === 404;
  const reads = createKeptReads(isWorthKeeping);
  const memberships = createKeptReads(isWorthKeeping);
  const pulls = createKeptReads(isWorthKeeping);

  const readsOf = (path: string) => {
    if (MEMBERSHIP.test(path)) return memberships;
    return PULLS.test(path) ? pulls : reads;
  };

  /** Forgets what a write to `path` may change, now and when the returned function is called. */
  const beginWrite = (path: string) => {
    const ofRepository = CHECKS.test(path) ? [reads] : [reads, pulls];
    const kept = path.startsWith('/repos/') ? ofRepository : [reads, pulls, memberships];
    const ends = kept.map((one) => one.beginWrite());
    return () => {
      for (const end of ends) end();
    };
  };

  const exchange = (request: EmulatorRequest): Promise<Answer> =>
    ask(`${url}${request.path}`, {
      method: request.method,
      headers: {
        accept: '*/*',
        'content-type': 'application/json',
        authorization: `Bearer ${request.token ?? serviceToken()}`,
        ...request.headers,
      },
      body: encode(request.body),
      agent,
    });

  const write = async (given: EmulatorRequest): Promise<Answer> => {
    const done = beginWrite(given.path);
    return exchange(given).finally(done);
  };

  /** Sends one request. Throws only if there is no response. */
  const send = async (given: EmulatorRequest): Promise<EmulatorResponse> => {
    const { method, path, token, headers } = given;
    const read = () => exchange(given);
    const answer = await (method === 'GET'
      ? readsOf(path).get(JSON.stringify([path, token, headers]), read)
      : write(given));
    const found = parse(answer.body, answer.headers.get('content-type'));
    const json = pullOverlay.apply(found);
    return json === found
      ? { ...answer, json }
      : { ...answer, json, body: Buffer.from(JSON.stringify(json)) };
  };

  /** The object at `path`; undefined for any status but 2xx. Its shape isn't checked. */
  const get = async <T>(path: string, token?: string): Promise<T | undefined> => {
    const answer = await send({ method: 'GET', path, ...(token && { token }) });
    return answer.status >= 200 && answer.status < 300 ? (answer.json as T) : undefined;
  };

  /** All pages of a list: an array, or the `items` of a search. */
  const list = async <T>(path: string, token?: string): Promise<T[]> => {
    const all: T[] = [];
    for (let page = 1; ; page += 1) {
      const query = `${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`;
      const answer = (await get<T[] | { items: T[] }>(`${path}${query}`, token)) ?? [];
      const items = Array.isArray(answer) ? answer : answer.items;
      all.push(...items);
      if (items.length < 100) return all;
    }
  };

  return { send, get, list, beginWrite };
}
