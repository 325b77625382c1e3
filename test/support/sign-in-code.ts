import { send } from './send.ts';

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
