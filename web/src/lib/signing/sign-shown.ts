import { startAuthentication, WebAuthnAbortService } from '@simplewebauthn/browser';
import type { SentAssertion } from '../../../../src/contract/fields.ts';
import type { Poster } from '../api/api-client.ts';
import type { Client } from '../session/client.ts';
import type { User } from '../session/user.ts';

/** The server's statement doesn't describe what the page shows. Nothing was signed. */
export class StatementRefused extends Error {}

/** The step that a person waits for after their press: `signing` while their authenticator is asked, else `pending`. */
export type Phase = 'pending' | 'signing';

/** The steps of a page that asks for a signature. */
export type Status = 'loading' | 'awaiting' | Phase | 'complete';

/** The server keeps a challenge for 60 seconds. */
const CHALLENGE_MS = 60_000;

/**
 * Wraps what asks the authenticator: `enter` gets each phase, and the call that follows is a phase of its own. A prompt
 * that isn't answered while its challenge lasts is closed, and ends like one that timed out.
 */
export const inPhases =
  <Options, Answer>(sign: (options: Options) => Promise<Answer>, enter: (phase: Phase) => void) =>
  async (options: Options): Promise<Answer> => {
    enter('signing');
    const answer = await withinChallenge(sign(options));
    enter('pending');
    return answer;
  };

/** Some prompts never end, for example those of extensions that ignore the browser's limit. */
async function withinChallenge<Answer>(prompt: Promise<Answer>): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(Object.assign(new Error('The prompt timed out.'), { name: 'NotAllowedError' }));
      WebAuthnAbortService.cancelCeremony();
    }, CHALLENGE_MS);
  });
  return Promise.race([prompt, timeout]).finally(() => clearTimeout(timer));
}

/** The person needs the rest of the challenge's time for the prompt. */
const CHALLENGE_FRESH_MS = 45_000;

/** The same request, for the next press: the server may have consumed its challenge, so that one requests another. */
export const outdated = <Request extends Signable>(request: Request): Request => ({
  ...request,
  requestedAt: Number.NEGATIVE_INFINITY,
});

/** The number of pull requests that wait for the person changes, after a denial too. */
export const announceApproval = () => void window.dispatchEvent(new window.Event('approved'));

export type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/** A challenge to sign, with what the page shows about it. */
export type Signable<Answer = object> = Answer & {
  options: object;
  /** The time at which the challenge was requested, in milliseconds of `performance.now()`. */
  requestedAt: number;
};

export type SignDeps = {
  now: () => number;
  /** Signs the challenge with the person's authenticator. */
  sign: (options: Options) => Promise<SentAssertion>;
};

/** What each signature of this person needs. `signer` is the part of every statement that the page knows. */
export function signDeps(
  { api, session, config }: Pick<Client, 'api' | 'session' | 'config'>,
  { username, githubId }: Pick<User, 'username' | 'githubId'>,
) {
  const sign: SignDeps['sign'] = (optionsJSON) => startAuthentication({ optionsJSON });
  const signer = { host: config.origin, user: { login: username, githubId } };
  return { api, accessToken: session.accessToken, signer, sign, now: () => performance.now() };
}

export type SignerDeps = ReturnType<typeof signDeps>;

/** What a page's requests need, with what its statements have to say. */
export type PageDeps<Screen> = SignDeps & { api: Poster; accessToken: () => string; screen: Screen };

export type SignOutcome<Request, Answer> =
  /** `request` is what the page shows from then on; undefined if it stays. */
  | { kind: 'approved'; answer: Answer; request?: Request }
  /** The server's facts differ from the screen; nothing was signed. */
  | { kind: 'changed'; request: Request };

type Steps<Request, Answer> = {
  /** Requests a new challenge for the same. */
  renew(): Promise<Request>;
  /** Tells whether both requests show the person the same. */
  looksTheSame(one: Request, other: Request): boolean;
  /** Rejects with `StatementRefused`. */
  check(request: Request): Promise<void>;
  send(authResponse: SentAssertion): Promise<Answer>;
};

/**
 * Signs what is on the screen and sends it. An old challenge is renewed first, and the new one is signed only if
 * everything else is as shown.
 *
 * Rejects with an `ApiError`, a `StatementRefused`, or the authenticator's error.
 */
export async function signShown<Request extends Signable, Answer>(
  { now, sign }: SignDeps,
  shown: Request,
  { renew, looksTheSame, check, send }: Steps<Request, Answer>,
): Promise<SignOutcome<Request, Answer>> {
  const isFresh = now() - shown.requestedAt < CHALLENGE_FRESH_MS;
  const request = isFresh ? shown : await renew();
  if (!looksTheSame(request, shown)) return { kind: 'changed', request };
  await check(request);
  // The contract allows any transport name; the library's type lists only the ones known today.
  const authResponse = await sign(request.options as Options);
  return { kind: 'approved', answer: await send(authResponse) };
}
