import { goThroughProxy } from '../adapters/https/outgoing-proxy.ts';
import { findUnreviewedBinary } from '../adapters/pocketbase/process/binary.ts';
import { freeBytes } from '../app/readings.ts';
import { emailAddress } from '../contract/email.ts';
import { type Config, ConfigError, loadDotEnv, readConfig, settingHints } from '../settings/config.ts';
import { createLog } from '../shared/log.ts';
import { checkAddress, checkProxy } from './doctor/address.ts';
import { checkBackups, tryBackups } from './doctor/backups.ts';
import { type Check, conclusionOf, exitCodeOf, type Finding, runChecks } from './doctor/finding.ts';
import { githubChecks } from './doctor/github.ts';
import {
  checkBinary,
  checkDisk,
  checkMode,
  checkRights,
  checkRunning,
  checkSettings,
  checkWayOut,
  isRunning,
  listGuarded,
} from './doctor/machine.ts';
import { checkMail, mailServer } from './doctor/mail.ts';
import { checkStore, readStore } from './doctor/record-store.ts';
import { checkRedis } from './doctor/redis.ts';
import { printFinding } from './print.ts';
import { hasStore, noInstallation, type Printing } from './run-command.ts';
import { UsageError } from './usage-error.ts';

/** Another process may be starting its store. */
const STORE_MS = 25_000;

/**
 * `otp-guard doctor`: makes every check of `cli/doctor`, and says what to do. It changes nothing (what
 * it writes to try the folder and the bucket of backups, it deletes again), and works next to a running product and
 * without one. The exit code is 1 if something is wrong.
 */
export async function doctor({ mail, json }: Printing & { mail?: string }): Promise<void> {
  if (mail !== undefined && !emailAddress.safeParse(mail).success)
    throw new UsageError('--mail needs an e-mail address, such as mona@example.org.');
  const findings = await runChecks(await findChecks(mail));
  printDiagnosis(findings, { json });
  process.exitCode = exitCodeOf(findings);
}

async function findChecks(mail: string | undefined): Promise<Check[]> {
  try {
    loadDotEnv();
    // Nothing is created: not even the folder of the data.
    const config = readConfig(undefined, { makeFolders: false });
    if (!config.github && !hasStore(config)) throw noInstallation(config);
    await goThroughProxy(config.outgoingProxy);
    return [settingsCheck([]), ...(await checksOf(config, mail))];
  } catch (error) {
    // Every other check needs the settings.
    if (error instanceof ConfigError) return [settingsCheck(error.faults)];
    throw error;
  }
}

const settingsCheck = (faults: readonly string[]): Check => ({
  name: 'settings',
  run: async () => checkSettings(faults, settingHints()),
});

async function checksOf(config: Config, to: string | undefined): Promise<Check[]> {
  const { store } = config;
  const log = await createLog({ logLevel: 'silent' });
  const disk = store.kind === 'embedded' ? store.dataDir : process.cwd();
  return [
    { name: 'running', run: () => checkRunning(config) },
    { name: 'mode', run: async () => checkMode(config) },
    {
      name: 'record store',
      run: () =>
        checkStore(
          () => readStore(config, log),
          () => isRunning(config),
        ),
      limitMs: STORE_MS,
    },
    { name: 'address', run: () => checkAddress(config) },
    { name: 'proxy', run: () => checkProxy(config) },
    ...(store.kind === 'embedded'
      ? [{ name: 'binary', run: async () => checkBinary(findUnreviewedBinary()) }]
      : []),
    { name: 'way out', run: async () => checkWayOut(config) },
    ...githubChecks(config, log),
    { name: 'mail', run: () => checkMail(mailServer(config), to) },
    { name: 'disk', run: async () => checkDisk(disk, await freeBytes(disk)) },
    { name: 'rights', run: async () => checkRights(await listGuarded(config)) },
    { name: 'backups', run: () => checkBackups(tryBackups(config)) },
    { name: 'redis', run: () => checkRedis(config.redisUrl) },
  ];
}

/** Writes the findings to standard output: one line for each, or one line of JSON. */
function printDiagnosis(findings: readonly Finding[], { json }: { json?: boolean | undefined }): void {
  const problems = findings.filter(({ status }) => status === 'problem').length;
  if (json) {
    process.stdout.write(`${JSON.stringify({ problems, findings })}\n`);
    return;
  }
  for (const { check, status, text } of findings)
    printFinding(status === 'problem' ? 'PROBLEM' : status, `${check}: ${text}`);
  process.stdout.write(`\n${conclusionOf(findings)}\n`);
}
