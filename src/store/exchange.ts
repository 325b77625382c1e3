import { z } from 'zod';
import { AppError } from '../app-error.ts';
import type { OwnRecord } from './own-record.ts';

/** Finishes a sign-in with what GitHub says of the person behind the token. */
export type SignedIn = (input: { userId: string; accessToken: string }) => Promise<void>;

const code = z.object({
  provider: z.literal('github'),
  code: z.string().min(1).max(512),
  codeVerifier: z.string().max(512).default(''),
  redirectURL: z.string().max(512),
});

type Authenticated = {
  token: string;
  record: { id: string };
  meta?: {
    id?: string;
    username?: string;
    name?: string;
    avatarURL?: string;
    accessToken?: string;
    isNew?: boolean;
  };
};

/**
 * Exchanges the code of GitHub's sign-in for a session of the record store.
 *
 * @throws AppError `notAuthorizedWithGitHub` where the code does not serve,
 *   `storeUnavailable`, and whatever `signedIn` throws: the person then has no session.
 */
export function createExchange(input: {
  url: string;
  publicUrl: string;
  signedIn: SignedIn;
  begin(userId: string): Promise<string>;
  ownRecord: OwnRecord;
}) {
  const users = `${input.url}/api/collections/gh_users`;
  return async (body: unknown, expand: unknown): Promise<unknown> => {
    const parsed = code.safeParse(body);
    if (!parsed.success || parsed.data.redirectURL !== `${input.publicUrl}/oauth`)
      throw new AppError('malformed');
    const { meta, record } = await ask<Authenticated>(`${users}/auth-with-oauth2`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...parsed.data, createData: {} }),
    });
    if (!meta?.accessToken) throw new AppError('notAuthorizedWithGitHub');
    await input.signedIn({ userId: record.id, accessToken: meta.accessToken });
    // The token that came with the code is not used: clearing the profile ended it.
    const token = await input.begin(record.id);
    const own = await input.ownRecord(token, typeof expand === 'string' ? expand : undefined);
    if (!own) throw new AppError('notAuthorizedWithGitHub');
    const { id, username, name, avatarURL, accessToken, isNew } = meta;
    return {
      ...own,
      meta: { id, username, name, avatarURL, accessToken, isNew },
    };
  };
}

async function ask<T>(url: string, request: { headers: Record<string, string>; body?: string }): Promise<T> {
  const answer = await fetch(url, { method: 'POST', ...request, signal: AbortSignal.timeout(20_000) }).catch(
    (cause: unknown) => {
      throw new AppError('storeUnavailable', { cause });
    },
  );
  if (answer.status >= 500) throw new AppError('storeUnavailable');
  if (!answer.ok) {
    throw new AppError('notAuthorizedWithGitHub', {
      cause: new Error(`the record store answered ${answer.status}: ${await answer.text()}`),
    });
  }
  return (await answer.json()) as T;
}
