import { type Found, ok, problem, unknown } from './finding.ts';

/**
 * Whether people can sign in with the App's client secret.
 *
 * @param deps.trySecret Asks GitHub about a token, as each sign-in does. @returns The status of the answer.
 */
export async function checkSignIn(deps: { trySecret(): Promise<number> }): Promise<Found> {
  const status = await deps.trySecret();
  if (status === 401)
    return problem(
      "GitHub refused the client secret, so nobody can sign in. Compare GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET with the App's settings on GitHub.",
    );
  // GitHub knows the client, and not the token that was made up.
  if (status === 404 || status === 422) return ok('GitHub accepts the client secret.');
  return unknown(`GitHub answered ${status}, so it is not known whether it accepts the client secret.`);
}
