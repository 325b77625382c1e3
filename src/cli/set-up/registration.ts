import { type Html, html } from '../../html.ts';
import { type EnvFile, EnvFileError, openEnvFile } from './env-file.ts';
import { exchangeCode, type RegisteredApp } from './exchange-code.ts';
import { createManifest } from './manifest.ts';
import type { OneTimeStates } from './one-time-states.ts';
import type { Facts } from './progress.ts';

export type BeginDeps = { origin: string; facts: Facts; states: OneTimeStates; envFile: string };

const NO_NAME = "Enter the organization's name as in its address on GitHub, such as acme.";

/** GitHub's logins; those of managed users contain an underscore. */
const LOGIN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$/;

/**
 * What to send to GitHub so that it registers the App, with a new `state`.
 *
 * @returns the problem in one sentence if the account isn't named or `.env` can't be written.
 */
export async function beginRegistration(
  { origin, facts, states, envFile }: BeginDeps,
  form: Record<string, unknown>,
): Promise<{ action: string; manifest: object } | { problem: string; organization: string }> {
  const organization = form.account === 'personal' ? '' : String(form.organization ?? '').trim();
  if (form.account !== 'personal' && !LOGIN.test(organization)) return { problem: NO_NAME, organization };
  try {
    await (await openEnvFile(envFile)).close();
  } catch (error) {
    if (error instanceof EnvFileError) return { problem: error.message, organization };
    throw error;
  }
  const { serverUrl } = facts;
  const owner = organization && `/organizations/${organization}`;
  return {
    action: `${serverUrl}${owner}/settings/apps/new?state=${states.create()}`,
    manifest: createManifest(
      { ...facts, redirectUrl: `${origin}/set-up/registered`, isPublic: form.public === 'yes' },
      organization,
    ),
  };
}

export type FinishDeps = Omit<BeginDeps, 'origin'> & {
  apiUrl: string;
  answerMs: number | undefined;
  /** Apps whose credentials couldn't be saved yet, by code: GitHub shows them once. */
  unsaved: Map<string, RegisteredApp>;
  onRegistered(app: RegisteredApp): void;
};

/** Why the registration isn't finished, and a link that helps. */
export type Problem = { status: number; sentence: string; next?: Html };

const WRONG_STATE: Problem = {
  status: 403,
  sentence: "This way back from GitHub was used before, has expired or isn't ours.",
  next: html`<p><a href="/set-up">Back to the set-up</a></p>`,
};

const NO_ANSWER: Problem = {
  status: 502,
  sentence: "GitHub didn't answer. Reload this page to try again.",
};

/**
 * Exchanges the code that GitHub sent back for the App's credentials, and adds
 * them to `.env`. The state is used up first, so of several requests one goes
 * on. It's valid again for a reload if GitHub didn't answer or `.env` can't be
 * written.
 *
 * @returns null if the App is registered and saved.
 */
export async function finishRegistration(
  deps: FinishDeps,
  { code, state }: { code: string; state: string },
): Promise<Problem | null> {
  if (!deps.states.take(state)) return WRONG_STATE;
  try {
    const envFile = await openEnvFile(deps.envFile);
    const problem = await saveApp(deps, envFile, code).finally(envFile.close);
    if (problem === NO_ANSWER) deps.states.putBack(state);
    return problem;
  } catch (error) {
    if (!(error instanceof EnvFileError)) throw error;
    deps.states.putBack(state);
    return { status: 500, sentence: `${error.message} Then reload this page.` };
  }
}

async function saveApp(deps: FinishDeps, envFile: EnvFile, code: string): Promise<Problem | null> {
  const { facts, apiUrl, answerMs, unsaved } = deps;
  const app =
    unsaved.get(code) ?? (await exchangeCode({ serverUrl: facts.serverUrl, apiUrl, answerMs }, code));
  if (app === 'noAnswer') return NO_ANSWER;
  if (app === 'refused') return unknownCode(facts);
  unsaved.set(code, app);
  await envFile.add(app.settings);
  unsaved.clear();
  deps.onRegistered(app);
  return null;
}

/** Nobody can read the credentials of such an App again, and its name is taken. */
const unknownCode = ({ serverUrl }: Facts): Problem => ({
  status: 502,
  sentence: "GitHub doesn't know this code. It works once, for an hour.",
  next: html`<p>If the App is on GitHub now, <a href="${serverUrl}/settings/apps">delete it</a> (an organization's is
in its own settings), then <a href="/set-up">register it again</a>.</p>`,
});
