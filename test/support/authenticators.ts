import type { StepUpAction } from '../../src/contract/step-up.ts';
import { type Found, listed } from './account.ts';
import { type CodeApp, SoftwareAuthenticator } from './authenticator.ts';
import type { Answer, Session, TestProduct } from './product.ts';

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

type ActionOf = { type: StepUpAction; authenticatorID?: string; memberID?: number; policy?: unknown };

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
