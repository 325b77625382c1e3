import { createAppKey } from '../../demo/github/app-jwt.ts';
import { workerGlobals } from './built.ts';
import type { OwnProduct, Session, TestProduct } from './product.ts';
import { send } from './send.ts';

/** Sends a request to GitHub's API as the App. */
export async function asApp<T>(product: TestProduct, method: string, path: string): Promise<T> {
  const { origin, env } = product.github;
  const token = createAppKey(env.PRIVATE_KEY, env.GITHUB_CLIENT_ID).sign();
  const { status, text } = await send(`${origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
  });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return JSON.parse(text === '' ? 'null' : text);
}

/** Makes a person an owner or a member of an organization at GitHub, or removes them. */
export async function setRole(
  product: TestProduct,
  login: string,
  role: 'admin' | 'member' | null,
  org: string = product.github.facts.org,
): Promise<void> {
  if (role === null) await product.asAdmin('DELETE', `/orgs/${org}/members/${login}`);
  else await product.asAdmin('PUT', `/orgs/${org}/memberships/${login}`, { role });
}

/** Makes the repository private, with nobody but the organization's owners in it, or undoes that. */
export async function hide(product: TestProduct, isHidden: boolean): Promise<void> {
  const { org, repo } = product.github.facts;
  await product.asAdmin('PATCH', `/repos/${org}/${repo}`, { private: isHidden });
  const default_repository_permission = isHidden ? 'none' : 'read';
  await product.asAdmin('PATCH', `/orgs/${org}`, { default_repository_permission });
}

let sentRequests = 0;
/** Headers with a new client address each time, because a test sends more requests than the rate limits allow. */
export const fromElsewhere = () => {
  sentRequests += 1;
  return { 'x-forwarded-for': `10.0.${(sentRequests >> 8) & 255}.${sentRequests & 255}` };
};

export type Found = { status: number; items: Record<string, unknown>[] };

/** The records that the person may list; none if the record store refuses. */
export async function listed(
  product: TestProduct,
  session: Partial<Session>,
  collection: string,
  query = 'perPage=50',
): Promise<Found> {
  const { status, text } = await send(`${product.origin}/api/collections/${collection}/records?${query}`, {
    headers: { ...fromElsewhere(), ...(session.token !== undefined && { authorization: session.token }) },
  });
  const { items } = (status === 200 ? JSON.parse(text) : { items: [] }) as { items: Found['items'] };
  return { status, items };
}

/** The person's user record. */
export async function ownRecord(
  product: TestProduct,
  session: Partial<Session>,
): Promise<Record<string, unknown>> {
  const { status, text } = await send(`${product.origin}/api/collections/gh_users/auth-refresh`, {
    method: 'POST',
    headers: { ...fromElsewhere(), ...(session.token !== undefined && { authorization: session.token }) },
  });
  if (status !== 200) throw new Error(`auth-refresh: ${status} ${text}`);
  return (JSON.parse(text) as { record: Record<string, unknown> }).record;
}

/** Lets every request to GitHub fail while `work` runs. */
export async function whileGitHubIsDown<T>(product: OwnProduct, work: () => Promise<T>): Promise<T> {
  product.sendInstead(() => Promise.reject(new workerGlobals.Error('connect ECONNREFUSED')));
  try {
    return await work();
  } finally {
    product.sendInstead(null);
  }
}
