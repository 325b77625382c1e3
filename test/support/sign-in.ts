import { fromElsewhere, send } from './send.ts';

export type Code = { provider: 'github'; code: string; codeVerifier: string; redirectURL: string };

/** The origins of a running product and of its GitHub. */
export type ProductOrigins = { origin: string; github: { origin: string } };

/** Signs in at GitHub as this person; returns what the browser then sends to the product. */
export async function codeFor(product: ProductOrigins, login: string): Promise<Code> {
  const methods = await send(`${product.origin}/api/collections/gh_users/auth-methods`);
  const { oauth2 } = JSON.parse(methods.text) as {
    oauth2: { providers: { name: string; authURL: string; codeVerifier: string }[] };
  };
  const provider = oauth2.providers.find(({ name }) => name === 'github');
  if (!provider) throw new Error('no GitHub sign-in');
  const redirectURL = `${product.origin}/oauth`;
  const { searchParams } = new URL(`${provider.authURL}${encodeURIComponent(redirectURL)}`);
  const form = new URLSearchParams({
    login,
    redirect_uri: redirectURL,
    scope: '',
    state: searchParams.get('state') ?? '',
    client_id: searchParams.get('client_id') ?? '',
  });
  const chosen = await send(`${product.github.origin}/login/oauth/callback`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
  const code = new URL(chosen.headers.get('location') ?? '').searchParams.get('code') ?? '';
  return { provider: 'github', code, codeVerifier: provider.codeVerifier, redirectURL };
}

export type RawAnswer = { status: number; text: string; type: string };

/** Sends a request whose target isn't decoded or normalised, from a new address. */
export async function raw(
  origin: string,
  method: string,
  path: string,
  options: { token?: string | undefined; body?: unknown; headers?: Record<string, string> } = {},
): Promise<RawAnswer> {
  const { token, body, headers } = options;
  const answer = await send(origin, {
    method,
    path,
    headers: {
      ...fromElsewhere(),
      ...(token !== undefined && { authorization: token }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: answer.text, type: answer.headers.get('content-type') ?? '' };
}

/** Exchanges a code at the product, or directly at the record store if `at` is its origin. */
export function exchange(
  product: ProductOrigins,
  body: object,
  options: { at?: string; token?: string; expand?: string } = {},
): Promise<RawAnswer> {
  const expand = options.expand === undefined ? '' : `?expand=${encodeURIComponent(options.expand)}`;
  return raw(options.at ?? product.origin, 'POST', `/api/collections/gh_users/auth-with-oauth2${expand}`, {
    body,
    token: options.token,
  });
}

export type SignedIn = {
  token: string;
  record: Record<string, unknown> & { id: string; github_id: number };
  meta: Record<string, unknown> & { accessToken: string };
};

/** Signs in; throws if the product refuses. */
export async function signInAs(
  product: ProductOrigins,
  login: string,
  planted: object = {},
): Promise<SignedIn> {
  const answer = await exchange(product, { ...(await codeFor(product, login)), ...planted });
  if (answer.status !== 200) throw new Error(`sign-in failed: ${answer.status} ${answer.text}`);
  return JSON.parse(answer.text) as SignedIn;
}
