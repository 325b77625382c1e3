import type { Logger } from 'pino';
import { createGitHubApp } from '../../adapters/github/app.ts';
import { createAppRegistration } from '../../adapters/github/app-registration.ts';
import type { Config } from '../../settings/config.ts';
import { type Clock, systemClock } from '../../shared/clock.ts';
import { type AppManifest, readAppManifest } from '../app-manifest.ts';
import { checkReach, type Get } from './address.ts';
import { type Check, type Found, note, ok, problem, unknown } from './finding.ts';

/** Less than the time that a check has, with one retry. */
const [ANSWER_MS, RETRY_MS] = [4_000, 200];

type Deps = { log: Logger; get: Get; isRunning(): Promise<boolean> };

/** The checks that ask GitHub. */
export function githubChecks(config: Config, { log, get, isRunning }: Deps): Check[] {
  const { github, githubUrls, publicUrl, webhookProxyUrl } = config;
  const githubDate = async () => (await get(githubUrls.apiUrl))?.headers.date ?? null;
  const clock = { name: 'clock', run: () => checkClock({ clock: systemClock, githubDate }) };
  if (!github) {
    const text = 'No App is registered yet. Run otp-guard setup.';
    return [clock, { name: 'App', run: async () => note(text) }];
  }
  const app = createGitHubApp(github, { log, answerMs: ANSWER_MS, retryMs: RETRY_MS });
  const registration = createAppRegistration(app);
  return [
    clock,
    {
      name: 'App',
      run: () => checkApp({ expected: readAppManifest(), readApp: registration.readApp }),
    },
    { name: 'sign-in', run: () => checkSignIn({ trySecret: registration.tryClientSecret }) },
    { name: 'organizations', run: () => checkOrganizations({ ask: registration.askAccounts }) },
    {
      name: 'reach',
      run: () => checkReach({ publicUrl, appId: github.appId, isRunning, get }),
    },
    {
      name: 'webhooks',
      run: () =>
        checkWebhooks({
          expectedUrl: webhookProxyUrl ?? `${publicUrl}/api/github/webhooks`,
          readConfig: registration.readWebhookConfig,
          readDeliveries: registration.readDeliveries,
        }),
    },
  ];
}

/** The App as GitHub knows it. */
export type RegisteredApp = {
  slug: string;
  permissions: Record<string, string>;
  events: string[];
};

export type AppDeps = {
  expected: Pick<AppManifest, 'default_permissions' | 'default_events'>;
  /** Rejects with a sentence for the operator. */
  readApp(): Promise<RegisteredApp>;
};

const LEVELS = ['read', 'write', 'admin'];

/** Whether GitHub accepts the App's key, and the App has the permissions and events of app.yml. */
export async function checkApp({ expected, readApp }: AppDeps): Promise<Found[]> {
  const app = await readApp().catch((error: Error) => error.message);
  if (typeof app === 'string') return [problem(app)];
  const permissions = Object.entries(expected.default_permissions)
    .filter(([name, level]) => LEVELS.indexOf(app.permissions[name] ?? '') < LEVELS.indexOf(level))
    .map(([name, level]) => `${name}: ${level}`);
  const events = expected.default_events.filter((name) => !app.events.includes(name));
  const found = [
    permissions.length > 0 &&
      problem(
        `The App ${app.slug} lacks ${permissions.join(', ')}. Add it in the App's settings on GitHub, then accept it in each account that installed the App.`,
      ),
    events.length > 0 &&
      problem(
        `The App ${app.slug} isn't subscribed to ${events.join(', ')}. Subscribe it in its settings on GitHub.`,
      ),
  ].filter((one) => one !== false);
  return found.length > 0
    ? found
    : [ok(`GitHub accepts the App ${app.slug}, and it has the permissions and events of app.yml.`)];
}

/** One-time codes change every 30 seconds, and GitHub refuses an App whose clock is a minute ahead. */
const MOST_MS = 30_000;
const NOTABLE_MS = 5_000;

/**
 * Compares this machine's time with GitHub's, as its answers' `Date` header shows it.
 *
 * @param deps.githubDate The header of an answer to a request that is sent now; null if there was no answer.
 */
export async function checkClock(deps: {
  clock: Clock;
  githubDate(): Promise<string | null>;
}): Promise<Found> {
  const before = deps.clock.now().getTime();
  const theirs = Date.parse((await deps.githubDate()) ?? '');
  if (Number.isNaN(theirs)) return unknown("GitHub didn't answer, so its time is not known.");
  const after = deps.clock.now().getTime();
  // The header has whole seconds, so the answer was written up to a second after that time.
  const skew = Math.max(before - (theirs + 1_000), theirs - after, 0);
  if (skew < NOTABLE_MS) return ok("This machine's time agrees with GitHub's.");
  const which = theirs > after ? 'behind' : 'ahead of';
  const text = `This machine's clock is ${Math.round(skew / 1000)} seconds ${which} GitHub's. Synchronize it with NTP.`;
  return skew > MOST_MS ? problem(`${text} One-time codes and the App's sign-in fail.`) : note(text);
}

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

/** The answer to one request with an organization's token: null if it's good, or GitHub's sentence. */
export type Asked = { login: string; refusal: string | null };

/** Whether GitHub answers OTP Guard about each organization: an IP allow list, for example, keeps it out of one. */
export async function checkOrganizations(deps: {
  /** At most `most` of those that didn't suspend the App. */
  ask(): Promise<{ asked: Asked[]; more: number }>;
}): Promise<Found[]> {
  const found = await deps.ask().catch(() => null);
  if (!found) return [unknown("GitHub didn't list the organizations that installed the App. Try again.")];
  const { asked, more } = found;
  if (asked.length === 0) return [note('No organization has installed the App yet.')];
  const refused = asked.filter(({ refusal }) => refusal !== null);
  if (refused.length === 0) {
    const others = more > 0 ? ` ${more} more weren't tried.` : '';
    return [ok(`GitHub answers about ${asked.map(({ login }) => login).join(', ')}.${others}`)];
  }
  return refused.map(({ login, refusal }) =>
    problem(`GitHub doesn't answer OTP Guard about ${login}. It says: ${refusal}`),
  );
}

export type HookConfig = { url: string; hasSecret: boolean; isJson: boolean; verifiesTls: boolean };
/** One of GitHub's attempts; `status` is what the receiver answered, 0 if nothing. */
export type Delivery = { at: Date; status: number };

export type WebhookDeps = {
  /** Where GitHub should send them. */
  expectedUrl: string;
  /** GitHub's page with the App's settings. */
  readConfig(): Promise<HookConfig>;
  /** The newest first. */
  readDeliveries(): Promise<Delivery[]>;
};

/** Whether GitHub sends webhooks to us, with a secret, and whether the last ones were accepted. */
export async function checkWebhooks(deps: WebhookDeps): Promise<Found[]> {
  const [config, deliveries] = await Promise.all([deps.readConfig(), deps.readDeliveries()]);
  const wrong = configFaults(config, deps.expectedUrl);
  return [...wrong, ...deliveryFaults(deliveries, wrong.length === 0)];
}

function configFaults({ url, hasSecret, isJson, verifiesTls }: HookConfig, expected: string): Found[] {
  const where = "in the App's settings on GitHub, under Webhook";
  return [
    url !== expected && problem(`GitHub sends webhooks to ${url || 'nowhere'}. Set ${expected} ${where}.`),
    !hasSecret && problem(`Webhooks have no secret. Set WEBHOOK_SECRET ${where}.`),
    !isJson && problem(`Webhooks come as forms. Choose application/json ${where}.`),
    !verifiesTls &&
      expected.startsWith('https:') &&
      note(`GitHub doesn't verify our certificate. Enable SSL verification ${where}.`),
  ].filter((one) => one !== false);
}

function deliveryFaults(deliveries: Delivery[], isSetUp: boolean): Found[] {
  const [newest] = deliveries;
  if (!newest)
    return [note('GitHub has sent no webhook in the last days. Install the App, or open a pull request.')];
  const failed = deliveries.filter(({ status }) => status < 200 || status >= 300).length;
  const isBad = newest.status < 200 || newest.status >= 300;
  const last = `The last of ${deliveries.length} webhooks, ${newest.at.toISOString()},`;
  if (isBad)
    return [
      problem(
        `${last} failed${newest.status > 0 ? ` with ${newest.status}` : ''}. ${newest.status === 401 || newest.status === 400 ? 'Compare WEBHOOK_SECRET with the App’s settings.' : 'Check that GitHub reaches PUBLIC_URL.'}`,
      ),
    ];
  if (failed > 0)
    return [note(`${last} arrived, but ${failed} before it failed. OTP Guard asks for them again.`)];
  return isSetUp ? [ok(`${last} arrived.`)] : [];
}
