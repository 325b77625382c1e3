import { createKeptReads, type KeptReads } from './kept-reads.ts';
import type { MovedHeads } from './moved-heads.ts';

/** A response of the emulator. `json` is undefined if the body isn't JSON. */
export type EmulatorResponse = { status: number; headers: Headers; body: Buffer; json: unknown };

export type EmulatorRequest = {
  method: string;
  path: string;
  token?: string;
  headers?: Record<string, string>;
  body?: unknown;
};

/** Sends requests to the emulator. */
export type EmulatorClient = Pick<KeptReads<unknown>, 'beginWrite'> & {
  /** Sends one request as the bearer of `token`, by default as octocat. Throws only if there is no response. */
  send(request: EmulatorRequest): Promise<EmulatorResponse>;
  /** The object at `path`; undefined for any status but 2xx. Its shape isn't checked. */
  get<T>(path: string, token?: string): Promise<T | undefined>;
  /** All pages of a list: an array, or the `items` of a search. */
  list<T>(path: string, token?: string): Promise<T[]>;
};

function parse(body: Buffer, type: string | null): unknown {
  if (!type?.includes('json') || body.length === 0) return undefined;
  return JSON.parse(body.toString('utf8'));
}

function encode(body: unknown): Uint8Array<ArrayBuffer> | string | null {
  if (body === undefined) return null;
  return Buffer.isBuffer(body) ? Uint8Array.from(body) : JSON.stringify(body);
}

/** One request to us needs several reads here, and only writes change what they find. */
type Answer = Omit<EmulatorResponse, 'json'>;

/** Requests without a token use `serviceTokens` in turn, because the emulator limits the rate of each. */
export function createEmulatorClient(
  url: string,
  serviceTokens: readonly string[],
  movedHeads: MovedHeads,
): EmulatorClient {
  let next = 0;
  const serviceToken = () => serviceTokens[next++ % serviceTokens.length] ?? '';

  const reads = createKeptReads<Answer>(({ status }) => status === 200 || status === 404);

  const exchange = async (request: EmulatorRequest): Promise<Answer> => {
    const response = await fetch(`${url}${request.path}`, {
      method: request.method,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${request.token ?? serviceToken()}`,
        ...request.headers,
      },
      body: encode(request.body),
      redirect: 'manual',
    });
    const { status, headers } = response;
    return { status, headers, body: Buffer.from(await response.arrayBuffer()) };
  };

  const write = async (given: EmulatorRequest): Promise<Answer> => {
    const done = reads.beginWrite();
    return exchange(given).finally(done);
  };

  const send = async (given: EmulatorRequest): Promise<EmulatorResponse> => {
    const { method, path, token, headers } = given;
    const read = () => exchange(given);
    const answer = await (method === 'GET'
      ? reads.get(JSON.stringify([path, token, headers]), read)
      : write(given));
    const found = parse(answer.body, answer.headers.get('content-type'));
    const json = movedHeads.apply(found);
    return json === found
      ? { ...answer, json }
      : { ...answer, json, body: Buffer.from(JSON.stringify(json)) };
  };

  const get = async <T>(path: string, token?: string): Promise<T | undefined> => {
    const answer = await send({ method: 'GET', path, ...(token && { token }) });
    return answer.status >= 200 && answer.status < 300 ? (answer.json as T) : undefined;
  };

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

  return { send, get, list, beginWrite: reads.beginWrite };
}
