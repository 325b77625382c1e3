/** An answer of the emulator, read to its end. `json` is undefined where the body is not JSON. */
export type Answer = { status: number; headers: Headers; body: Buffer; json: unknown };

export type UpstreamRequest = {
  method: string;
  path: string;
  token?: string;
  headers?: Record<string, string>;
  body?: unknown;
};

/** The emulator behind the layer. */
export type Upstream = {
  /** Sends one request as the bearer of `token`, by default as octocat. Throws only when nothing answers. */
  send(request: UpstreamRequest): Promise<Answer>;
  /** The object at `path`; undefined for any status but 2xx. The caller vouches for its shape. */
  get<T>(path: string, token?: string): Promise<T | undefined>;
  /** Every page of a list: an array, or the array that a search answers as `items`. */
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

/** Talks to the emulator at `url`; requests of the layer's own take turns with `serviceTokens`. */
export function createUpstream(url: string, serviceTokens: readonly string[]): Upstream {
  let turn = 0;
  const service = () => serviceTokens[turn++ % serviceTokens.length] ?? '';

  const send = async (request: UpstreamRequest): Promise<Answer> => {
    const response = await fetch(`${url}${request.path}`, {
      method: request.method,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${request.token ?? service()}`,
        ...request.headers,
      },
      body: encode(request.body),
      redirect: 'manual',
    });
    const body = Buffer.from(await response.arrayBuffer());
    const json = parse(body, response.headers.get('content-type'));
    return { status: response.status, headers: response.headers, body, json };
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

  return { send, get, list };
}
