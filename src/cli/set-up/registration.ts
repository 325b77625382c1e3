import { z } from 'zod';
import { LOGIN } from '../../contract/fields.ts';
import { GITHUB_API_VERSION, type GitHubUrls } from '../../settings/github-config.ts';
import { systemClock } from '../../shared/clock.ts';
import { sha256Base64url } from '../../shared/crypto.ts';
import { createExpiringMap } from '../../shared/expiring-map.ts';
import { type Html, html } from '../../shared/html.ts';
import { createQueues } from '../../shared/queues.ts';
import { readAppManifest } from '../app-manifest.ts';
import { randomToken } from './admission.ts';
import { addToEnvFile, EnvFileError, tryEnvFile } from './env-file.ts';

type RegistrationDeps = {
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

/** A form that isn't sent to GitHub: why, in one sentence, and what the operator chose in it. */
export type RefusedForm = { problem: string; organization: string; isPersonal: boolean; isPublic: boolean };

export type Registration = ReturnType<typeof createRegistration>;

/** GitHub's code, and with it the whole registration, expires after an hour. */
const LIFE_MS = 60 * 60_000;

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
  const states = createExpiringMap<true>(systemClock, LIFE_MS);
  /** Apps whose credentials couldn't be saved yet, by code: GitHub shows them once. */
  const unsaved = new Map<string, RegisteredApp>();
  const codes = createQueues<'any'>(1);
  let registered: RegisteredApp | null = null;

  async function save(code: string): Promise<Problem | null> {
    await tryEnvFile(deps.envFile);
    const { serverUrl } = addresses;
    const app = unsaved.get(code) ?? (await exchangeCode({ ...deps, serverUrl }, code));
    if ('sentence' in app) return app;
    unsaved.set(code, app);
    // A start without the setting that this one has would look for the App on github.com.
    const where =
      serverUrl === 'https://github.com' ? {} : { GITHUB_SERVER_URL: serverUrl, GITHUB_API_URL: deps.apiUrl };
    await addToEnvFile(deps.envFile, { ...where, ...app.settings });
    registered = app;
    deps.onRegistered(app);
    return null;
  }

  async function finish({ code, state }: { code: string; state: string }): Promise<Problem | null> {
    if (registered) return null;
    const key = sha256Base64url(state);
    if (!states.get(key)) return WRONG_STATE;
    try {
      const problem = await save(code);
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
     * Makes the form that asks GitHub to register the App, with a new `state`.
     *
     * @returns the problem in one sentence if the account isn't named or `.env` can't be written.
     */
    async begin(form: Record<string, unknown>): Promise<{ action: string; manifest: object } | RefusedForm> {
      const isPersonal = form.account === 'personal';
      const isPublic = form.public === 'yes';
      const organization = isPersonal ? '' : String(form.organization ?? '').trim();
      const chosen = { organization, isPersonal, isPublic };
      if (!isPersonal && !LOGIN.test(organization)) return { problem: NO_NAME, ...chosen };
      try {
        await tryEnvFile(deps.envFile);
      } catch (error) {
        if (error instanceof EnvFileError) return { problem: error.message, ...chosen };
        throw error;
      }
      const state = randomToken();
      states.set(sha256Base64url(state), true);
      const redirectUrl = `${deps.origin}/set-up/registered`;
      const owner = organization && `/organizations/${organization}`;
      return {
        action: `${addresses.serverUrl}${owner}/settings/apps/new?state=${state}`,
        manifest: createManifest(addresses, { redirectUrl, organization, isPublic }),
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
const unknownCode = (serverUrl: string): Problem => ({
  status: 502,
  sentence: "GitHub doesn't know this code. It works once, for an hour.",
  next: html`<p>If the App is on GitHub now, <a href="${serverUrl}/settings/apps">delete it</a> (an organization's is
in its own settings), then <a href="/set-up">register it again</a>.</p>`,
});

/** GitHub refuses longer names. */
const LONGEST_NAME = 34;

/** The addresses that the operator should check before the App is registered. */
export type Addresses = {
  publicUrl: string;
  /** Where GitHub will send webhooks. */
  webhookUrl: string;
  /** The origin of GitHub's pages. */
  serverUrl: string;
};

/**
 * The manifest from which GitHub registers the App (docs.github.com, "Registering a GitHub App from a manifest"). Names
 * are unique on GitHub, so the App of an organization carries its name; people can change it on GitHub's page.
 *
 * @param chosen.redirectUrl Where GitHub sends the browser after the registration.
 * @param chosen.organization Empty for an App of a personal account.
 */
function createManifest(
  { publicUrl, webhookUrl }: Addresses,
  chosen: { redirectUrl: string; organization: string; isPublic: boolean },
) {
  const app = readAppManifest();
  return {
    ...app,
    name: `${app.name} ${chosen.organization}`.slice(0, LONGEST_NAME).trim(),
    public: chosen.isPublic,
    url: publicUrl,
    hook_attributes: { url: webhookUrl, active: true },
    redirect_url: chosen.redirectUrl,
    callback_urls: [`${publicUrl}/oauth`],
    setup_url: `${publicUrl}/org/repositories`,
  };
}

const ANSWER_MS = 15_000;

/** Credentials go into a file of settings, so no value may contain a quote, a line break or an escape. */
const plain = z.string().regex(/^[\w.-]{1,255}$/);
const answerSchema = z.object({
  id: z.int().positive(),
  client_id: plain,
  client_secret: plain,
  webhook_secret: plain,
  pem: z.string().regex(/^-----BEGIN [A-Z ]+-----[\w+/=\s-]+$/),
  html_url: z.url(),
});

export type RegisteredApp = {
  /** The App's credentials, named as in `.env`. */
  settings: Record<string, string>;
  /** The page on GitHub that installs the App. */
  installUrl: string;
};

/**
 * Exchanges GitHub's code for the credentials of the new App (docs.github.com,
 * "Create a GitHub App from a manifest"). Each code works once, for an hour.
 *
 * @returns `NO_ANSWER` if the same code may still work; another problem if GitHub doesn't know it, or no longer.
 */
async function exchangeCode(
  { apiUrl, serverUrl, answerMs = ANSWER_MS }: GitHubUrls & { answerMs?: number | undefined },
  code: string,
): Promise<RegisteredApp | Problem> {
  // Such a code isn't even sent: it could lead to another path of the API.
  if (!/^[\w.-]{1,255}$/.test(code) || /^\.+$/.test(code)) return unknownCode(serverUrl);
  try {
    const answer = await fetch(`${apiUrl}/app-manifests/${code}/conversions`, {
      method: 'POST',
      headers: {
        accept: 'application/vnd.github+json',
        'user-agent': 'otp-guard',
        'x-github-api-version': GITHUB_API_VERSION,
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMs),
    });
    if (answer.status === 404 || answer.status === 422) return unknownCode(serverUrl);
    if (answer.status !== 201) return NO_ANSWER;
    return toApp(answerSchema.parse(await answer.json()), serverUrl);
  } catch {
    return NO_ANSWER;
  }
}

function toApp(app: z.infer<typeof answerSchema>, serverUrl: string): RegisteredApp | Problem {
  if (new URL(app.html_url).origin !== serverUrl) return unknownCode(serverUrl);
  return {
    settings: {
      APP_ID: String(app.id),
      PRIVATE_KEY: app.pem,
      WEBHOOK_SECRET: app.webhook_secret,
      GITHUB_CLIENT_ID: app.client_id,
      GITHUB_CLIENT_SECRET: app.client_secret,
    },
    installUrl: `${app.html_url}/installations/new`,
  };
}
