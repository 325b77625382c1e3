import { z } from 'zod';
import type { ReadMyUserRecord, Sessions } from '../../people/ports.ts';
import { AppError, STORE_FULL } from '../../shared/app-error.ts';

/** The store asks GitHub. */
const ANSWER_MS = 20_000;

export type OAuthExchangeDeps = {
  /** The record store's address. */
  url: string;
  publicUrl: string;
  /** Completes a sign-in with what GitHub says about the token's user. If it throws, the person isn't signed in. */
  finishSignIn(input: { userId: string; accessToken: string }): Promise<void>;
  sessions: Pick<Sessions, 'begin'>;
  readMyUserRecord: ReadMyUserRecord;
};

const oauthCode = z.object({
  provider: z.literal('github'),
  code: z.string().min(1).max(512),
  codeVerifier: z.string().max(512).default(''),
  redirectURL: z.string().max(512),
});

const optionalText = z.string().optional();

/** The parts of the store's answer that we use. The page gets `meta`, which has no refresh token of GitHub. */
const authenticated = z.object({
  record: z.object({ id: z.string() }),
  meta: z
    .object({
      id: optionalText,
      username: optionalText,
      name: optionalText,
      avatarURL: optionalText,
      accessToken: optionalText,
      isNew: z.boolean().optional(),
    })
    .optional(),
});

/**
 * Exchanges the code of GitHub's sign-in for a session of the record store.
 *
 * @throws AppError `signInUnconfirmed` if GitHub doesn't take the code or doesn't answer, `storeUnavailable` if the store can't
 *   store who signed in, and the errors of `finishSignIn`. The person then has no session.
 */
export function createOAuthExchange(deps: OAuthExchangeDeps) {
  return async (body: unknown, expand: string | undefined): Promise<unknown> => {
    const parsed = oauthCode.safeParse(body);
    if (!parsed.success || parsed.data.redirectURL !== `${deps.publicUrl}/oauth`)
      throw new AppError('malformed');
    const { meta, record } = await authenticate(deps.url, { ...parsed.data, createData: {} });
    if (!meta?.accessToken) throw new AppError('notAuthorizedWithGitHub');
    await deps.finishSignIn({ userId: record.id, accessToken: meta.accessToken });
    // A new session: clearing the profile at a first sign-in ended the session that came with the code.
    const token = await deps.sessions.begin(record.id);
    const userRecord = await deps.readMyUserRecord(token, expand);
    if (!userRecord) throw new AppError('notAuthorizedWithGitHub');
    return { ...userRecord, meta };
  };
}

async function authenticate(url: string, body: object): Promise<z.infer<typeof authenticated>> {
  const { status, text } = await fetch(`${url}/api/collections/gh_users/auth-with-oauth2`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS),
  })
    .then(async (answer) => ({ status: answer.status, text: await answer.text() }))
    .catch((cause: unknown) => {
      throw new AppError('storeUnavailable', { cause });
    });
  if (status === 200) return authenticated.parse(JSON.parse(text));
  const cause = new Error(`the record store answered ${status}: ${text}`);
  if (isAboutGitHub(status, text)) throw new AppError('signInUnconfirmed', { cause });
  throw new AppError('storeUnavailable', { cause, ...(status === 400 && { sentence: STORE_FULL }) });
}

/**
 * The store doesn't say whether GitHub refused or didn't answer. A 400 after GitHub's part, with a full disk for
 * example, is the store's own failure.
 */
const isAboutGitHub = (status: number, text: string) =>
  status === 400 && text.includes('"message":"Failed to fetch OAuth2 ');
