import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import type { RouteDeps } from '../route-deps.ts';

/** Sends requests to our own API as octocat: what a page's form does. */
export function createAsOctocat({ apiUrl, credentials }: Pick<RouteDeps, 'apiUrl' | 'credentials'>) {
  const headers = {
    authorization: `Bearer ${credentials.adminToken}`,
    'content-type': 'application/json',
  };
  return (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${apiUrl}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

export type AsOctocat = ReturnType<typeof createAsOctocat>;

/** The message of a refusal. */
export async function messageOf(answer: Response): Promise<string> {
  const { message } = (await answer.json().catch(() => ({}))) as { message?: string };
  return message ?? 'GitHub refused the request.';
}

/** Messages that a form leaves for the next view of a page, by a random key in its address. */
export function createNotices() {
  const messages = new Map<string, string>();
  return {
    leave: (page: string, message: string): string => {
      const key = randomUUID();
      messages.set(key, message);
      return `${page}?notice=${key}`;
    },
    take: (req: Request): string | undefined => {
      const key = String(req.query.notice ?? '');
      const message = messages.get(key);
      messages.delete(key);
      return message;
    },
  };
}
