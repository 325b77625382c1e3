import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { GitHubApp, Octokit } from '../../github/app.ts';
import { StartError } from '../../start-error.ts';
import { UsageError } from '../usage-error.ts';
import { createUndo, type Undo } from './undo.ts';

/** The repository in which the command tries things, and who does what there. */
export type Scratch = {
  at: { owner: string; repo: string };
  id: number;
  defaultBranch: string;
  /** With the operator's token: what a person does. */
  person: Octokit;
  /** With an installation token: what only the App may do. */
  installation: Octokit;
  /** With the App's key: its webhooks. */
  app: Octokit;
  appId: number;
  undo: Undo;
  signal: AbortSignal;
  /** The beginning of each branch that the command creates. */
  prefix: string;
};

type Input = { app: GitHubApp; appId: number; token: string; signal: AbortSignal; name: string };

/**
 * Reads the repository and finds the App's installation in it. Changes nothing.
 *
 * @throws UsageError or StartError if the command may not or can't work there.
 */
export async function openScratch({ app, appId, token, signal, name }: Input): Promise<Scratch> {
  const at = parseName(name);
  const person = app.asUser(token);
  const { data } = await person.rest.repos
    .get(at)
    .catch(refuseAs('GITHUB_TOKEN doesn’t show this repository'));
  if (data.full_name.toLowerCase() !== name.toLowerCase())
    throw new UsageError(`This repository is ${data.full_name} now. Give that name.`);
  if (data.permissions?.admin === false)
    throw new StartError('GITHUB_TOKEN must be of somebody who administers this repository.');
  const { data: open } = await person.rest.pulls.list({ ...at, state: 'open', per_page: 1 });
  if (open.length > 0)
    throw new StartError('This repository has open pull requests, so it isn’t a scratch repository.');
  const asApp = await app.asApp();
  const { data: found } = await asApp.rest.apps
    .getRepoInstallation(at)
    .catch(refuseAs('The App isn’t installed in this repository'));
  return {
    ...{ at, id: data.id, defaultBranch: data.default_branch, person, app: asApp, appId, signal },
    installation: await app.asInstallation(found.id),
    undo: createUndo(),
    prefix: `otp-guard-acceptance-${randomBytes(4).toString('hex')}`,
  };
}

function parseName(name: string): Scratch['at'] {
  const [owner = '', repo = '', ...rest] = name.split('/');
  if (!/^[\w.-]+$/.test(owner) || !/^[\w.-]+$/.test(repo) || rest.length > 0)
    throw new UsageError('Name the scratch repository as owner/repository.');
  return { owner, repo };
}

const refuseAs =
  (reason: string) =>
  (error: unknown): never => {
    throw new StartError(`${reason}: ${reasonOf(error)}.`);
  };

/** Why a request failed, without anything of the request but its path. */
export function reasonOf(error: unknown): string {
  const { status, request } = error as { status?: number; request?: { method: string; url: string } };
  if (!status || !request) return 'GitHub didn’t answer';
  return `GitHub answered ${status} to ${request.method} ${new URL(request.url).pathname}`;
}

export const statusOf = (error: unknown) => (error as { status?: unknown } | null)?.status;

const POLL_MS = 500;

/** Reads until there is something; undefined when the time is over. */
export async function poll<T>(
  { signal }: Pick<Scratch, 'signal'>,
  patienceMs: number,
  read: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const end = performance.now() + patienceMs;
  for (let wait = POLL_MS; ; wait = Math.min(wait * 2, 8 * POLL_MS)) {
    signal.throwIfAborted();
    const found = await read();
    if (found !== undefined || performance.now() > end) return found;
    await pause(wait, undefined, { signal });
  }
}
