/**
 * What Octokit reads of a `Response`. For that one, Node loads all of its `fetch`, which takes 40 ms of a start, and 10 MB
 * for as long as the process runs. Its text can be read again.
 */
export type Answer = Pick<Response, 'status' | 'url' | 'text' | 'arrayBuffer'> & { headers: Headers };

export type Headers = Iterable<[string, string]> & {
  /** By its name in small letters; null if there's none. */
  get(name: string): string | null;
};

/**
 * @param answer.headers By their names in small letters.
 * @param answer.body Decompressed.
 */
export function createAnswer(answer: {
  status: number;
  url: string;
  headers: Record<string, string>;
  body: Buffer;
}): Answer {
  const { status, url, body } = answer;
  const headers = new Map(Object.entries(answer.headers));
  return {
    status,
    url,
    headers: { get: (name) => headers.get(name) ?? null, [Symbol.iterator]: () => headers.entries() },
    text: async () => body.toString('utf8'),
    arrayBuffer: async () => new Uint8Array(body).buffer,
  };
}

/** An answer of ours in the place of GitHub's. */
export const answerInstead = (
  status: number,
  { url, message, headers = {} }: { url: string; message: string; headers?: Record<string, string> },
): Answer =>
  createAnswer({
    status,
    url,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: Buffer.from(JSON.stringify({ message })),
  });
