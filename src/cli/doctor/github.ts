import type { Logger } from 'pino';
import { createGitHubApp } from '../../adapters/github/app.ts';
import {
  type AppAtGitHub,
  createAppRegistration,
  isOlderThanChecked,
  OLDEST_CHECKED,
} from '../../adapters/github/app-registration.ts';
import { EVERYWHERE, missingIn } from '../../protection/permissions.ts';
import type { Config } from '../../settings/config.ts';
import { systemClock } from '../../shared/clock.ts';
import { type AppManifest, readAppManifest } from '../app-manifest.ts';
import { checkReach, get } from './address.ts';
import { type Check, type Found, note, ok, problem, symptom, unknown } from './finding.ts';

/** An answer and one retry take less than the time that a check has. */
const [ANSWER_MS, RETRY_MS] = [4_000, 200];

type Registration = ReturnType<typeof createAppRegistration>;

/** The checks that ask GitHub. */
export function githubChecks(config: Config, log: Logger): Check[] {
  const { github, githubUrls, publicUrl, webhookProxyUrl } = config;
  const clock = { name: 'clock', run: () => checkClock(githubUrls.apiUrl) };
  if (!github) {
    const text = 'No App is registered yet. Run otp-guard setup.';
    return [clock, { name: 'App', run: async () => note(text) }];
  }
  const app = createGitHubApp(github, { log, answerMs: ANSWER_MS, retryMs: RETRY_MS });
  const hookUrl = webhookProxyUrl ?? `${publicUrl}/api/github/webhooks`;
  return [
    clock,
    ...checksAtGitHub(createAppRegistration(app), hookUrl),
    { name: 'reach', run: () => checkReach(config, github.appId) },
  ];
}

const NOT_ASKED = 'Not checked, because of what is said about the App.';

/** One cause is one problem: what GitHub refuses because the App or the clock is wrong isn't asked. */
export function checksAtGitHub(registration: Registration, hookUrl: string): Check[] {
  let asked: ReturnType<Registration['readApp']> | undefined;
  const readApp = () => {
    asked ??= registration.readApp();
    return asked;
  };
  const ifAccepted = (run: Check['run']) => async () => readApp().then(run, () => unknown(NOT_ASKED));
  return [
    { name: 'App', run: () => checkApp({ readApp }, readAppManifest()) },
    { name: 'sign-in', run: ifAccepted(() => checkSignIn(registration)) },
    { name: 'organizations', run: ifAccepted(() => checkOrganizations(registration)) },
    { name: 'webhooks', run: ifAccepted(() => checkWebhooks(registration, hookUrl)) },
  ];
}

/** Checks that GitHub accepts the App's key, and the App has the permissions and events of app.yml. */
export async function checkApp(
  { readApp }: { readApp(): Promise<Omit<AppAtGitHub, 'installUrl'>> },
  expected: Pick<AppManifest, 'default_permissions' | 'default_events'>,
): Promise<Found[]> {
  const app = await readApp().catch((error: Error) => error.message);
  if (typeof app === 'string') return [symptom(app, ['clock'])];
  const permissions = missingIn(app.permissions, expected.default_permissions);
  const events = expected.default_events.filter((name) => !app.events.includes(name));
  const found = [
    permissions.length > 0 &&
      problem(
        `The App ${app.slug} lacks ${permissionsText(permissions)}. Add it in the App's settings on GitHub, then accept it in each account that installed the App.`,
      ),
    events.length > 0 &&
      problem(
        `The App ${app.slug} isn't subscribed to ${events.join(', ')}. Subscribe it in its settings on GitHub.`,
      ),
    app.enterpriseVersion !== null &&
      isOlderThanChecked(app.enterpriseVersion) &&
      note(
        `This Enterprise Server (${app.enterpriseVersion}) is older than ${OLDEST_CHECKED}, the oldest that OTP Guard was compared with. It shows rule suites only with administration: write, so a merge without an approval is logged without the rules that it went around.`,
      ),
  ].filter((one) => one !== false);
  return found.length > 0
    ? found
    : [ok(`GitHub accepts the App ${app.slug}, and it has the permissions and events of app.yml.`)];
}

const permissionsText = (missing: ReturnType<typeof missingIn>) =>
  missing.map(({ name, level }) => `${name}: ${level}`).join(', ');

/** One-time codes change every 30 seconds, and GitHub refuses an App whose clock is a minute ahead. */
const MOST_MS = 30_000;
const NOTABLE_MS = 5_000;

/** Compares this machine's time with GitHub's, as its answers' `Date` header shows it. */
export async function checkClock(
  apiUrl: string,
  { request, now } = { request: get, now: systemClock.now },
): Promise<Found> {
  const before = now().getTime();
  const answer = await request(apiUrl);
  const theirs = Date.parse(answer?.headers.date ?? '');
  if (Number.isNaN(theirs)) return unknown("GitHub didn't answer, so its time is not known.");
  const after = now().getTime();
  // The header has whole seconds, so the answer was written up to a second after that time.
  const skew = Math.max(before - (theirs + 1_000), theirs - after, 0);
  if (skew < NOTABLE_MS) return ok("This machine's time agrees with GitHub's.");
  const which = theirs > after ? 'behind' : 'ahead of';
  const text = `This machine's clock is ${Math.round(skew / 1000)} seconds ${which} GitHub's. Synchronize it with NTP.`;
  return skew > MOST_MS ? problem(`${text} One-time codes and the App's sign-in fail.`) : note(text);
}

/** Checks that people can sign in with the App's client secret. */
export async function checkSignIn({
  tryClientSecret,
}: Pick<Registration, 'tryClientSecret'>): Promise<Found> {
  const status = await tryClientSecret();
  if (status === 401)
    return problem(
      "GitHub refused the client secret, so nobody can sign in. Compare GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET with the App's settings on GitHub.",
    );
  // GitHub knows the client, and not the token that was made up.
  if (status === 404 || status === 422) return ok('GitHub accepts the client secret.');
  if (status === 0)
    return unknown("GitHub didn't answer, so it is not known whether it accepts the client secret.");
  return unknown(`GitHub answered ${status}, so it is not known whether it accepts the client secret.`);
}

/**
 * Checks that GitHub answers OTP Guard about each organization, which an IP allow list, for example, can prevent, and
 * that the organization granted what OTP Guard can't work without.
 */
export async function checkOrganizations({
  askAccounts,
}: Pick<Registration, 'askAccounts'>): Promise<Found[]> {
  const found = await askAccounts().catch(() => null);
  if (!found) return [unknown("GitHub didn't list the organizations that installed the App. Try again.")];
  const { asked, more } = found;
  if (asked.length === 0) return [note('No organization has installed the App yet.')];
  const faults = asked.flatMap(({ login, refusal, isOrganization, permissions }) => {
    if (refusal !== null)
      return [problem(`GitHub doesn't answer OTP Guard about ${login}. It says: ${refusal}`)];
    const missing = missingIn(permissions, { ...EVERYWHERE, ...(isOrganization && { members: 'read' }) });
    const text = `${login} hasn't granted OTP Guard ${permissionsText(missing)}. An owner accepts it on the page of the installation on GitHub.`;
    return missing.length > 0 ? [problem(text)] : [];
  });
  if (faults.length > 0) return faults;
  const others = more > 0 ? ` ${more} more weren't tried.` : '';
  return [ok(`GitHub answers about ${asked.map(({ login }) => login).join(', ')}.${others}`)];
}

/** Checks that GitHub sends webhooks to us, with a secret, and that the last ones were accepted. */
export async function checkWebhooks(
  { readWebhookConfig, readDeliveries }: Pick<Registration, 'readWebhookConfig' | 'readDeliveries'>,
  expectedUrl: string,
): Promise<Found[]> {
  const [config, deliveries] = await Promise.all([readWebhookConfig(), readDeliveries()]);
  const wrong = configFaults(config, expectedUrl);
  return [...wrong, ...deliveryFaults(deliveries, wrong.length === 0)];
}

type HookConfig = Awaited<ReturnType<Registration['readWebhookConfig']>>;

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

/** The checks that find why OTP Guard doesn't answer a webhook. */
const UNANSWERED = ['running', 'record store', 'disk', 'address', 'proxy', 'reach'];

function deliveryFaults(deliveries: { at: Date; status: number }[], isSetUp: boolean): Found[] {
  const [newest] = deliveries;
  if (!newest)
    return [note('GitHub has sent no webhook in the last days. Install the App, or open a pull request.')];
  const failed = deliveries.filter(({ status }) => status < 200 || status >= 300).length;
  const isBad = newest.status < 200 || newest.status >= 300;
  const last = `The last of ${deliveries.length} webhooks, ${newest.at.toISOString()},`;
  const failure = `${last} failed${newest.status > 0 ? ` with ${newest.status}` : ''}.`;
  if (newest.status === 401 || newest.status === 400)
    return [problem(`${failure} Compare WEBHOOK_SECRET with the App’s settings.`)];
  if (isBad) return [symptom(`${failure} Check that GitHub reaches PUBLIC_URL.`, UNANSWERED)];
  if (failed > 0)
    return [note(`${last} arrived, but ${failed} before it failed. OTP Guard asks for them again.`)];
  return isSetUp ? [ok(`${last} arrived.`)] : [];
}
