export type Code = { provider: 'github'; code: string; codeVerifier: string; redirectURL: string };

/** A running product and its GitHub, wherever they run. */
export type Place = { origin: string; github: { origin: string } };

/** What a browser brings back from GitHub's page: a code for this person. */
export async function codeFor(product: Place, login: string): Promise<Code> {
  const methods = await fetch(`${product.origin}/api/collections/gh_users/auth-methods`);
  const { oauth2 } = (await methods.json()) as {
    oauth2: { providers: { name: string; authURL: string; codeVerifier: string }[] };
  };
  const provider = oauth2.providers.find(({ name }) => name === 'github');
  if (!provider) throw new Error('no GitHub sign-in');
  const redirectURL = `${product.origin}/oauth`;
  const { searchParams } = new URL(`${provider.authURL}${encodeURIComponent(redirectURL)}`);
  const chosen = await fetch(`${product.github.origin}/login/oauth/callback`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({
      login,
      redirect_uri: redirectURL,
      scope: '',
      state: searchParams.get('state') ?? '',
      client_id: searchParams.get('client_id') ?? '',
    }),
  });
  const code = new URL(chosen.headers.get('location') ?? '').searchParams.get('code') ?? '';
  return { provider: 'github', code, codeVerifier: provider.codeVerifier, redirectURL };
}
