import { createAppKey } from '../../src/demo/github/app-jwt.ts';
import type { Session, TestProduct } from './product.ts';

/** GitHub's API as the App itself. */
export async function asApp<T>(product: TestProduct, method: string, path: string): Promise<T> {
  const { origin, env } = product.github;
  const token = createAppKey(env.PRIVATE_KEY, env.GITHUB_CLIENT_ID).sign();
  const answer = await fetch(`${origin}${path}`, { method, headers: { authorization: `Bearer ${token}` } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text === '' ? 'null' : text);
}

/** Makes somebody an owner or a member of an organization at GitHub, or ends that. */
export async function setRole(
  product: TestProduct,
  login: string,
  role: 'admin' | 'member' | null,
  org: string = product.github.facts.org,
): Promise<void> {
  if (role === null) await product.asAdmin('DELETE', `/orgs/${org}/members/${login}`);
  else await product.asAdmin('PUT', `/orgs/${org}/memberships/${login}`, { role });
}

/** A test asks more often than one person may: behind a proxy, each of its questions comes from an address of its own. */
let asked = 0;
export const fromElsewhere = () => {
  asked += 1;
  return { 'x-forwarded-for': `10.0.${(asked >> 8) & 255}.${asked & 255}` };
};

export type Found = { status: number; items: Record<string, unknown>[] };

/** Records as the record store lists them to a person; none where it refuses. */
export async function listed(
  product: TestProduct,
  session: Partial<Session>,
  collection: string,
  query = 'perPage=50',
): Promise<Found> {
  const answer = await fetch(`${product.origin}/api/collections/${collection}/records?${query}`, {
    headers: { ...fromElsewhere(), ...(session.token !== undefined && { authorization: session.token }) },
  });
  const body = answer.ok ? ((await answer.json()) as { items: Found['items'] }) : { items: [] };
  return { status: answer.status, items: body.items };
}

/** The person's own record. */
export async function ownRecord(
  product: TestProduct,
  session: Partial<Session>,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${product.origin}/api/collections/gh_users/auth-refresh`, {
    method: 'POST',
    headers: { ...fromElsewhere(), ...(session.token !== undefined && { authorization: session.token }) },
  });
  if (!answer.ok) throw new Error(`own record: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { record: Record<string, unknown> }).record;
}

/** GitHub answers nobody while `work` is under way. */
export async function whileGitHubIsDown<T>(product: TestProduct, work: () => Promise<T>): Promise<T> {
  const before = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    return url.startsWith(product.github.origin)
      ? Promise.reject(new TypeError('fetch failed'))
      : before(input, init);
  };
  try {
    return await work();
  } finally {
    globalThis.fetch = before;
  }
}
