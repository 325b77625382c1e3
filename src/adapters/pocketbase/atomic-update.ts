const UPDATE = /\/api\/collections\/[^/]+\/records\/[^/?]+(\?.*)?$/;

type InBatch = { status?: number; body?: unknown };
type FailedBatch = { data?: { requests?: Record<string, { response?: { status?: number } }> } };

/**
 * `fetch` that makes each update of a record atomic. PocketBase reads a record, changes the fields that it was sent, and saves all
 * fields: of two updates at the same moment, the later takes back what the earlier has changed, such as a withdrawal or
 * the end of a session. In a batch it reads and saves in one transaction, so an update is sent as a batch of one.
 */
export const fetchAtomically: typeof fetch = async (input, init = {}) => {
  const { method, body } = init;
  const url = String(input);
  if (method !== 'PATCH' || typeof body !== 'string' || !UPDATE.test(url)) return fetch(input, init);
  const path = url.slice(url.indexOf('/api/collections/'));
  const requests = [{ method, url: path, body: JSON.parse(body) as unknown }];
  const batch = { ...init, method: 'POST', body: JSON.stringify({ requests }) };
  const answer = await fetch(`${url.slice(0, -path.length)}/api/batch`, batch);
  const data: unknown = await answer.json();
  const [done] = Array.isArray(data) ? (data as InBatch[]) : [];
  if (done) return Response.json(done.body, { status: done.status ?? 200 });
  const refused = (data as FailedBatch | null)?.data?.requests?.['0']?.response;
  return refused?.status
    ? Response.json(refused, { status: refused.status })
    : Response.json(data, { status: answer.status });
};
