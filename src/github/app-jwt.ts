import githubAppJwt from 'universal-github-app-jwt';

/** GitHub refuses more than ten minutes (docs.github.com, "Generating a JSON Web Token for a GitHub App"). */
const LIFE_S = 10 * 60;
/** A token that expires sooner isn't sent. */
const RENEW_BEFORE_S = 2 * 60;

type AppToken = { jwt: string; expiresAt: string };

/** Signs how the App authenticates itself, and keeps the token while it's valid: a signature takes a millisecond. */
export function createAppJwt(
  privateKey: string,
): (appId: number | string, timeDifference?: number) => Promise<AppToken> {
  let last: { token: AppToken; until: number } | undefined;
  return async (appId, timeDifference) => {
    const now = Math.floor(Date.now() / 1000) + (timeDifference ?? 0);
    const isCurrent = last && last.until > now && last.until <= now + LIFE_S;
    if (last && isCurrent && timeDifference === undefined) return last.token;
    const { token: jwt, expiration } = await githubAppJwt({ id: appId, privateKey, now });
    const token = { jwt, expiresAt: new Date(expiration * 1000).toISOString() };
    last = { token, until: expiration - RENEW_BEFORE_S };
    return token;
  };
}
