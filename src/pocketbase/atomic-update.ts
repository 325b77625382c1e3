import type { StoreFetch } from './store-fetch.ts';

const UPDATE = /\/api\/collections\/[^/]+\/records\/[^/?]+(\?.*)?$/;

type InBatch = { status?: number; body?: unknown };
type FailedBatch = { data?: { requests?: Record<string, { response?: { status?: number } }> } };

/**
 * Makes each update of a record atomic. PocketBase reads a record, changes the fields that it was sent, and saves all
 * fields: of two updates at the same moment, the later takes back what the earlier has changed, such as a withdrawal or
 * the end of a session. In a batch it reads and saves in one transaction, so an update is sent as a batch of one.
 */
export const withAtomicUpdates =
  (send: StoreFetch): StoreFetch =>
  async (url, init = {}) => {
    const { method, body } = init;
    if (method !== 'PATCH' || typeof body !== 'string' || !UPDATE.test(url)) return send(url, init);
    const path = url.slice(url.indexOf('/api/collections/'));
    const requests = [{ method, url: path, body: JSON.parse(body) as unknown }];
    const batch = { ...init, method: 'POST', body: JSON.stringify({ requests }) };
    const answer = await send(`${url.slice(0, -path.length)}/api/batch`, batch);
    const data = await answer.json();
    const [done] = Array.isArray(data) ? (data as InBatch[]) : [];
    if (done) return { status: done.status ?? 200, url, json: async () => done.body };
    const refused = (data as FailedBatch | null)?.data?.requests?.['0']?.response;
    return refused?.status
      ? { status: refused.status, url, json: async () => refused }
      : { status: answer.status, url, json: async () => data };
  };
