import { systemClock } from '../../shared/clock.ts';
import { createExpiringMap } from '../../shared/expiring-map.ts';
import { type Html, html } from '../../shared/html.ts';
import { createQueues } from '../../shared/queues.ts';
import { sha256Base64url } from '../../shared/sha256.ts';
import { randomToken } from './admission.ts';
import { type EnvFile, EnvFileError, openEnvFile } from './env-file.ts';
import { exchangeCode, type RegisteredApp } from './exchange-code.ts';
import { type Addresses, createManifest } from './manifest.ts';

export type RegistrationDeps = {
  /** The origin of the set-up pages. */
  origin: string;
  addresses: Addresses;
  apiUrl: string;
  envFile: string;
  answerMs: number | undefined;
  onRegistered(app: RegisteredApp): void;
};

/** Why the registration isn't finished, and a link that helps. */
export type Problem = { status: number; sentence: string; next?: Html };

export type Registration = ReturnType<typeof createRegistration>;

/** GitHub's code, and with it the whole registration, expires after an hour. */
const LIFE_MS = 60 * 60_000;

/** GitHub's logins; those of managed users contain an underscore. */
const LOGIN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$/;

const NO_NAME = "Enter the organization's name as in its address on GitHub, such as acme.";

const WRONG_STATE: Problem = {
  status: 403,
  sentence: "This way back from GitHub was used before, has expired or isn't ours.",
  next: html`<p><a href="/set-up">Back to the set-up</a></p>`,
};

const NO_ANSWER: Problem = {
  status: 502,
  sentence: "GitHub didn't answer. Reload this page to try again.",
};

/** Registers one App, from the form to its credentials in `.env`. */
export function createRegistration(deps: RegistrationDeps) {
  const { addresses } = deps;
  /** The `state` values that went to GitHub, as hashes, so that no comparison tells how much of a guess was right. */
  const states = createExpiringMap<true>(systemClock);
  /** Apps whose credentials couldn't be saved yet, by code: GitHub shows them once. */
  const unsaved = new Map<string, RegisteredApp>();
  const codes = createQueues<'any'>(1);
  let registered: RegisteredApp | null = null;

  async function save(envFile: EnvFile, code: string): Promise<Problem | null> {
    const { serverUrl } = addresses;
    const app = unsaved.get(code) ?? (await exchangeCode({ ...deps, serverUrl }, code));
    if (app === 'noAnswer') return NO_ANSWER;
    if (app === 'refused') return unknownCode(addresses);
    unsaved.set(code, app);
    await envFile.add(app.settings);
    registered = app;
    deps.onRegistered(app);
    return null;
  }

  async function finish({ code, state }: { code: string; state: string }): Promise<Problem | null> {
    if (registered) return null;
    const key = sha256Base64url(state);
    if (!states.get(key)) return WRONG_STATE;
    try {
      const envFile = await openEnvFile(deps.envFile);
      const problem = await save(envFile, code).finally(envFile.close);
      if (problem !== NO_ANSWER) states.delete(key);
      return problem;
    } catch (error) {
      if (!(error instanceof EnvFileError)) throw error;
      return { status: 500, sentence: `${error.message} Then reload this page.` };
    }
  }

  return {
    /** The App, once it's registered. */
    app: () => registered,

    /**
     * What to send to GitHub so that it registers the App, with a new `state`.
     *
     * @returns the problem in one sentence if the account isn't named or `.env` can't be written.
     */
    async begin(
      form: Record<string, unknown>,
    ): Promise<{ action: string; manifest: object } | { problem: string; organization: string }> {
      const organization = form.account === 'personal' ? '' : String(form.organization ?? '').trim();
      if (form.account !== 'personal' && !LOGIN.test(organization)) return { problem: NO_NAME, organization };
      try {
        await (await openEnvFile(deps.envFile)).close();
      } catch (error) {
        if (error instanceof EnvFileError) return { problem: error.message, organization };
        throw error;
      }
      const state = randomToken();
      states.set(sha256Base64url(state), true, LIFE_MS);
      const redirectUrl = `${deps.origin}/set-up/registered`;
      const owner = organization && `/organizations/${organization}`;
      return {
        action: `${addresses.serverUrl}${owner}/settings/apps/new?state=${state}`,
        manifest: createManifest({
          ...{ ...addresses, redirectUrl, organization },
          isPublic: form.public === 'yes',
        }),
      };
    },

    /**
     * Exchanges the code that GitHub sent back for the App's credentials, and adds them to `.env`. A state works once;
     * it stays valid for a reload if GitHub didn't answer or `.env` can't be written. Finishes one registration after
     * the other, and none after one succeeded: there is one App.
     *
     * @returns null if the App is registered and saved.
     */
    finish: (input: { code: string; state: string }) => codes.add('any', () => finish(input)),
  };
}

/** Nobody can read the credentials of such an App again, and its name is taken. */
const unknownCode = ({ serverUrl }: Addresses): Problem => ({
  status: 502,
  sentence: "GitHub doesn't know this code. It works once, for an hour.",
  next: html`<p>If the App is on GitHub now, <a href="${serverUrl}/settings/apps">delete it</a> (an organization's is
in its own settings), then <a href="/set-up">register it again</a>.</p>`,
});
