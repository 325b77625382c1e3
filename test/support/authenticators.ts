import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { StepUpAction } from '../../src/contract/step-up.ts';
import { SoftwareAuthenticator } from './authenticator.ts';
import type { Answer, Session, TestProduct } from './product.ts';

const STEP_MS = 30_000;

/** An authenticator app with one secret. */
export class CodeApp {
  readonly base32: string;
  readonly #totp: TOTP;

  constructor(secret: Uint8Array = randomBytes(16)) {
    const stored = new Secret({ buffer: new Uint8Array(secret).buffer });
    this.base32 = stored.base32;
    this.#totp = new TOTP({ secret: stored, algorithm: 'SHA1', digits: 6, period: STEP_MS / 1000 });
  }

  /** An app that shows no code twice in these time steps, so that the code of one is wrong in all others. */
  static withoutRepeats(from: number, steps: number): CodeApp {
    for (;;) {
      const app = new CodeApp();
      const codes = Array.from({ length: steps }, (_, at) => app.codeAt(from + at * STEP_MS));
      if (new Set(codes).size === steps) return app;
    }
  }

  codeAt(ms: number): string {
    return this.#totp.generate({ timestamp: ms });
  }

  /** A code that it doesn't show around this time. */
  wrongCodeAt(ms: number): string {
    const shown = [-2, -1, 0, 1, 2].map((steps) => this.codeAt(ms + steps * STEP_MS));
    const all = ['271828', '314159', '161803', '141421', '173205', '223606'];
    return all.find((code) => !shown.includes(code)) ?? '';
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

export type ActionOf = { type: StepUpAction; authenticatorID?: string; memberID?: number; policy?: unknown };

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

/** The person's authenticators, as the record store lists them. */
export async function listOf(
  product: TestProduct,
  session: Session,
  collection: 'webauthn' | 'totps' | 'gh_activities',
): Promise<Record<string, unknown>[]> {
  const answer = await fetch(
    `${product.origin}/api/collections/${collection}/records?page=1&perPage=20&sort=-created`,
    {
      headers: { authorization: session.token },
    },
  );
  if (!answer.ok) throw new Error(`list of ${collection}: ${answer.status}`);
  return ((await answer.json()) as { items: Record<string, unknown>[] }).items;
}

/** The `authenticators` field of the person's user record. */
export async function mapOf(product: TestProduct, session: Session): Promise<unknown> {
  const answer = await fetch(`${product.origin}/api/collections/gh_users/auth-refresh`, {
    method: 'POST',
    headers: { authorization: session.token },
  });
  return ((await answer.json()) as { record: { authenticators: unknown } }).record.authenticators;
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
