// Tries in a scratch repository of the real GitHub what docs/assumptions.md lists, cleans up, and prints a report:
//   npm run build && GITHUB_TOKEN=… node scripts/acceptance.js acme/scratch --yes [--rename] > report.md
// The App comes from the settings of OTP Guard. Exits with 1 if GitHub differs, or if the script couldn't finish.
import { parseArgs } from 'node:util';
import { ProbotOctokit } from 'probot';
import { OPEN_HEADS } from '../dist/adapters/github/open-heads-query.js';
import { loadDotEnv, readConfig } from '../dist/settings/config.js';
import { COMMIT, VERSION } from '../dist/shared/version.js';
import { isAsAssumed, reportOf } from './acceptance/report.js';
import { openPull, openScratch, reasonOf } from './acceptance/scratch.js';
import { tryLists, tryMergeGroup, tryReads, tryRename, tryRuns, trySuites } from './acceptance/tries.js';
import { tryOrganizationRuleset } from './acceptance/try-organization-ruleset.js';
import { tryRule } from './acceptance/try-rule.js';

await main().catch((error) => {
  process.stderr.write(`${error.status ? reasonOf(error) : error.message}\n`);
  process.exitCode = 1;
});

async function main() {
  const options = { yes: { type: 'boolean' }, rename: { type: 'boolean' } };
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const [name = ''] = positionals;
  const token = process.env.GITHUB_TOKEN?.trim();
  if (!token) throw new Error('Set the environment variable GITHUB_TOKEN.');
  if (!/^[\w.-]+\/[\w.-]+$/.test(name)) throw new Error('Name the scratch repository as owner/repository.');
  if (!values.yes)
    throw new Error(
      `This opens and merges a pull request between new branches of ${name}${values.rename ? ', renames it and back' : ''}, and deletes them. A running OTP Guard reports the merge to the owners. Run it again with --yes to allow that.`,
    );
  loadDotEnv();
  const { github } = readConfig(undefined, { makeFolders: false });
  if (!github) throw new Error('There is no GitHub App yet. Run otp-guard start to register one.');
  const stop = listenForStop();
  try {
    const scratch = await openScratch({ ...clientsOf(github, token), name, signal: stop.signal });
    const started = new Date().toISOString();
    const all = [];
    const failure = await tryAll({ ...scratch, openHeads: OPEN_HEADS }, values, all).then(
      () => null,
      (error) => (stop.signal.aborted ? 'it was stopped' : error.status ? reasonOf(error) : error.message),
    );
    const leftBehind = await scratch.undo.run();
    const version = `${VERSION} (commit ${COMMIT ?? 'unknown'})`;
    const found = { name, enterpriseVersion: scratch.enterpriseVersion, started, version, all };
    const report = reportOf({ ...found, failure, leftBehind });
    process.stdout.write(report.text);
    if (!isAsAssumed(report)) process.exitCode = 1;
  } finally {
    stop.end();
  }
}

/** Clients with the person's token, with the App's key, and with an installation's tokens. */
function clientsOf({ apiUrl: baseUrl, appId, privateKey }, token) {
  const nothing = () => undefined;
  const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
  const plain = { baseUrl, log, throttle: { enabled: false }, retry: { enabled: false } };
  const app = new ProbotOctokit({ ...plain, auth: { appId, privateKey } });
  const factory = (auth) => new ProbotOctokit({ ...plain, auth });
  return {
    ...{ appId, app, person: new ProbotOctokit({ ...plain, auth: { token } }) },
    asInstallation: (installationId) => app.auth({ type: 'installation', installationId, factory }),
  };
}

/** Adds to `all`, so that a failure leaves the results before it. */
async function tryAll(scratch, { rename }, all) {
  all.push({
    id: 'reinstallation-details',
    notTried: 'Only a person can remove the App and install it again.',
  });
  if (!rename)
    all.push({ id: 'rename-keeps-details', notTried: 'Add --rename to rename the repository and back.' });
  all.push(...(await tryMergeGroup(scratch)));
  const pull = await openPull(scratch);
  // The suites before the first run, which brings one. The rule last, because it merges.
  const beforeMerge = [tryLists, trySuites, tryReads, tryRuns, tryOrganizationRuleset];
  const tries = [...beforeMerge, ...(rename ? [tryRename] : []), tryRule];
  for (const one of tries) all.push(...(await one(scratch, pull)));
}

/** The first Ctrl-C or SIGTERM cleans up; the second ends the script immediately. */
function listenForStop() {
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
