export const USERS = 'gh_users';
export const EXPAND_MEMBERSHIPS = 'org_members_via_user.org';

type Refreshed = { token: string; record: Record<string, unknown> };

/** The request for the person's record and a new token. */
export const refreshRequest = (token: string) => ({
  path: `/api/collections/${USERS}/auth-refresh?expand=${EXPAND_MEMBERSHIPS}`,
  init: { method: 'POST', headers: { Authorization: token } },
});

/** Resolves to the person's record and a new token, or to the refusal with its status; 0 if there was no answer. */
export async function fetchRefresh(
  send: typeof fetch,
  token: string,
): Promise<Refreshed | { status: number; refusal?: Response }> {
  try {
    const { path, init } = refreshRequest(token);
    const response = await send(path, init);
    if (!response.ok) return { status: response.status, refusal: response };
    const answer = (await response.json()) as Partial<Refreshed>;
    return answer.token && answer.record ? { token: answer.token, record: answer.record } : { status: 0 };
  } catch {
    return { status: 0 };
  }
}
