import { writeFile } from 'node:fs/promises';
import { createGitHubApp, type GitHubApp } from '../github/app.ts';
import { requireCredentials } from '../github/credentials.ts';
import { createLog } from '../log.ts';
import { connectLimits } from '../redis-limits.ts';
import { loadDotEnv, readConfig, settingHints } from '../settings/config.ts';
import { StartError } from '../start-error.ts';
import { confirm, readToken } from './acceptance/ask.ts';
import { openPull } from './acceptance/open-pull.ts';
import { type Seen, toRows } from './acceptance/outcome.ts';
import { createReport, isAsAssumed, markdownOf, type Report, tableOf } from './acceptance/report.ts';
import { openScratch, reasonOf, type Scratch, statusOf } from './acceptance/scratch.ts';
import { tryLists } from './acceptance/try-lists.ts';
import { tryMergeGroup } from './acceptance/try-merge-group.ts';
import { tryReads } from './acceptance/try-reads.ts';
import { tryRename } from './acceptance/try-rename.ts';
import { tryRule } from './acceptance/try-rule.ts';
import { tryRuns } from './acceptance/try-runs.ts';
import { trySuites } from './acceptance/try-suites.ts';
import type { Printing } from './run-command.ts';

type Options = Printing & { yes?: boolean; rename?: boolean; report?: string };
/** The token is never an argument: other users of the machine can read those. */
type TokenEnv = Record<string, string | undefined>;

/**
 * `otp-guard acceptance`: tries in a scratch repository what we assume about GitHub, cleans up, and prints what it saw.
 *
 * @returns Whether everything that was tried is as assumed.
 */
export async function acceptance(name: string, options: Options, env: TokenEnv): Promise<boolean> {
  loadDotEnv();
  for (const hint of settingHints()) process.stderr.write(`${hint}\n`);
  const config = readConfig(undefined, { makeFolders: false });
  const { github } = config;
  if (!github) throw new StartError('There is no GitHub App yet. Run otp-guard start to register one.');
  const log = await createLog({ ...config, logLevel: 'silent' });
  const limits = await connectLimits(config.redisUrl, { appId: github.appId, log });
  const stop = listenForStop();
  try {
    const app = createGitHubApp(github, { log, limits });
    await app.probot.ready();
    const report = await runIn(app, { name, appId: github.appId, options, env, signal: stop.signal });
    process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : tableOf(report));
    if (options.report !== undefined) await writeFile(options.report, markdownOf(report));
    return isAsAssumed(report);
  } finally {
    stop.end();
    limits.close();
  }
}

type Run = { name: string; appId: number; options: Options; env: TokenEnv; signal: AbortSignal };

async function runIn(app: GitHubApp, { name, appId, options, env, signal }: Run): Promise<Report> {
  const { enterpriseVersion } = await requireCredentials(app);
  const token = await readToken(env.GITHUB_TOKEN, signal);
  const scratch = await openScratch({ app, appId, token, signal, name });
  const renames = options.rename ? ', renames it and back' : '';
  if (!options.yes)
    await confirm(
      `This opens and merges a pull request between new branches of ${name}${renames}, and deletes them. A running OTP Guard reports the merge to the owners.`,
      signal,
    );
  const started = new Date().toISOString();
  const all: Seen[] = [];
  const failure = await tryAll(scratch, options, all).then(
    () => null,
    (error: unknown) => failureOf(error, signal),
  );
  const leftBehind = await scratch.undo.run();
  return createReport({
    ...{ repository: name, enterpriseVersion, started },
    ...{ rows: toRows(all), failure, leftBehind },
  });
}

/** Adds to `all`, so that a failure leaves what was seen before it. */
async function tryAll(scratch: Scratch, { rename }: Options, all: Seen[]): Promise<void> {
  all.push({
    id: 'reinstallation-details',
    notTried: 'Only a person can remove the App and install it again.',
  });
  if (!rename)
    all.push({ id: 'rename-keeps-details', notTried: 'Add --rename to rename the repository and back.' });
  all.push(...(await tryMergeGroup(scratch)));
  const pull = await openPull(scratch);
  all.push(...(await tryLists(scratch, pull)));
  // Before the first run, which brings a suite.
  all.push(...(await trySuites(scratch, pull)));
  all.push(...(await tryReads(scratch, pull)));
  all.push(...(await tryRuns(scratch, pull)));
  if (rename) all.push(...(await tryRename(scratch, pull)));
  // The last one, because it merges.
  all.push(...(await tryRule(scratch, pull)));
}

function failureOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'it was stopped.';
  if (statusOf(error) !== undefined) return `${reasonOf(error)}.`;
  return (error as Error | null)?.message ?? 'unknown reason';
}

/** The first Ctrl-C or SIGTERM lets the command clean up; the second ends it at once. */
function listenForStop(): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const stop = () => {
    end();
    process.stderr.write('Cleaning up. Press Ctrl-C again to leave everything as it is.\n');
    controller.abort();
  };
  const end = () => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  return { signal: controller.signal, end };
}
