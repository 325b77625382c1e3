import { createAppKey } from '../../demo/github/app-jwt.ts';
import type { StepUpAction } from '../../src/contract/step-up.ts';
import { type CodeApp, SoftwareAuthenticator } from './authenticator.ts';
import { workerGlobals } from './built.ts';
import type { Answer, OwnProduct, Session, TestProduct } from './product.ts';
import { fromElsewhere, send } from './send.ts';

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

export type Org = { org: string; orgID: number };

export function orgOf(product: TestProduct): Org {
  const { org, orgID } = product.github.facts;
  return { org, orgID };
}

export function otherOrgOf(product: TestProduct): Org {
  const { otherOrg, otherOrgID } = product.github.facts;
  return { org: otherOrg, orgID: otherOrgID };
}

export function registerCodes(
  product: TestProduct,
  session: Session,
  input: Partial<Org> & { app: CodeApp; code: string; stepUp?: unknown },
): Promise<Answer> {
  const { app, code, stepUp, ...org } = input;
  return product.call(
    '/github-register-totp',
    {
      ...orgOf(product),
      ...org,
      totpSecret: app.base32,
      totpValue: code,
      accessToken: session.accessToken,
      ...(stepUp !== undefined && { stepUp }),
    },
    session,
  );
}

export async function registerKey(
  product: TestProduct,
  session: Session,
  input: Partial<Org> & {
    key?: SoftwareAuthenticator;
    type?: string;
    label?: string;
    stepUp?: unknown;
    emailCode?: unknown;
    deviceLink?: string;
  } = {},
): Promise<Answer & { key: SoftwareAuthenticator }> {
  const {
    key = new SoftwareAuthenticator(product.origin),
    type = 'passkey',
    label = 'A key',
    stepUp,
    emailCode,
    deviceLink,
    ...org
  } = input;
  const params = { label, type, ...orgOf(product), ...org };
  const requested = await product.call(
    '/github-register-authenticator-params',
    { ...params, accessToken: session.accessToken },
    session,
  );
  if (requested.status !== 200)
    throw new Error(`registration options: ${requested.status} ${requested.text}`);
  const answer = await product.call(
    '/github-register-passkey',
    {
      params,
      pkCreds: key.create(requested.json<{ options: { challenge: string } }>().options),
      accessToken: session.accessToken,
      ...(stepUp !== undefined && { stepUp }),
      emailCode,
      deviceLink,
    },
    session,
  );
  return { ...answer, key };
}

/** Registers a passkey in the organization; throws if the product refuses. */
export async function registerPasskey(
  product: TestProduct,
  session: Session,
  org: Org = orgOf(product),
  authenticator = new SoftwareAuthenticator(product.origin),
): Promise<SoftwareAuthenticator> {
  const input = { ...org, key: authenticator, label: `Passkey of ${session.login}` };
  const { key, status, text } = await registerKey(product, session, input);
  if (status !== 200) throw new Error(`registration: ${status} ${text}`);
  return key;
}

type ActionOf = {
  type: StepUpAction;
  authenticatorID?: string;
  memberID?: number;
  denialID?: string;
  policy?: unknown;
};

/** Requests a step-up challenge for an action and signs it with the key. */
export async function proofBy(
  product: TestProduct,
  session: Session,
  key: SoftwareAuthenticator,
  action: ActionOf,
  org: Org = orgOf(product),
) {
  const requested = await product.call('/webauthn-challenge', { ...action, ...org }, session);
  if (requested.status !== 200) throw new Error(`step-up challenge: ${requested.status} ${requested.text}`);
  return { ...action, webauthn: key.get(requested.json<{ options: { challenge: string } }>().options) };
}

/** The person's newest records of a collection; throws if the record store refuses. */
export async function listOf(
  product: TestProduct,
  session: Session,
  collection: 'webauthn' | 'totps' | 'gh_activities',
): Promise<Found['items']> {
  const { status, items } = await listed(product, session, collection, 'perPage=20&sort=-created');
  if (status !== 200) throw new Error(`list of ${collection}: ${status}`);
  return items;
}

/** Puts a policy in force that differs from the default one in these parts, by an owner with this key. */
export async function setPolicy(
  product: TestProduct,
  owner: Session,
  key: SoftwareAuthenticator,
  parts: object,
  org = orgOf(product),
): Promise<void> {
  const policy = { version: 1, ...parts };
  const stepUp = await proofBy(product, owner, key, { type: 'change-policy', policy }, org);
  const body = { ...org, policy, stepUp, accessToken: owner.accessToken };
  const answer = await product.call('/github-set-policy', body, owner);
  if (answer.status !== 200) throw new Error(`policy: ${answer.status} ${answer.text}`);
}
