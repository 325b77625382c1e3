import { backupFolders } from '../adapters/pocketbase/backups/backup-folder.ts';
import { SCHEMA_VERSION } from '../adapters/pocketbase/schema/schema.ts';
import { emailAddress } from '../contract/email.ts';
import {
  type Config,
  ConfigError,
  isProxyUnknown,
  loadDotEnv,
  readConfig,
  settingHints,
} from '../settings/config.ts';
import { systemClock } from '../shared/clock.ts';
import { freeBytes } from '../shared/free-bytes.ts';
import { createLog } from '../shared/log.ts';
import { checkAddress } from './doctor/check-address.ts';
import { checkBackups } from './doctor/check-backups.ts';
import { checkDisk } from './doctor/check-disk.ts';
import { githubChecks } from './doctor/check-github.ts';
import { checkMail } from './doctor/check-mail.ts';
import { checkProxy } from './doctor/check-proxy.ts';
import { checkRedis } from './doctor/check-redis.ts';
import { checkRights } from './doctor/check-rights.ts';
import { checkRunning } from './doctor/check-running.ts';
import { checkSettings } from './doctor/check-settings.ts';
import { checkStore } from './doctor/check-store.ts';
import { listGuarded, newestBackup } from './doctor/files.ts';
import type { Check } from './doctor/finding.ts';
import { mailServer } from './doctor/mail-server.ts';
import { certificateOf, get, resolveName, tryPort } from './doctor/network.ts';
import { pingRedis } from './doctor/ping-redis.ts';
import { printDiagnosis } from './doctor/print-diagnosis.ts';
import { readSchema } from './doctor/read-schema.ts';
import { exitCodeOf, runChecks } from './doctor/run-checks.ts';
import { tryBackups } from './doctor/try-backups.ts';
import type { Printing } from './run-command.ts';
import { UsageError } from './usage-error.ts';

/** Another process may be starting its store. */
const STORE_MS = 25_000;

/**
 * `otp-guard doctor`: looks at everything that an operator can get wrong, and says what to do. It changes nothing (what it
 * writes to try the folder and the bucket of backups, it deletes again), and works beside a running product and without one. The exit code is 1 if something is wrong.
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
    return [settingsCheck([]), ...(await checksOf(config, mail))];
  } catch (error) {
    // Without settings there is nothing else to look at.
    if (error instanceof ConfigError) return [settingsCheck(error.faults)];
    throw error;
  }
}

const settingsCheck = (faults: readonly string[]): Check => ({
  name: 'settings',
  run: async () => checkSettings({ faults, hints: settingHints() }),
});

async function checksOf(config: Config, to: string | undefined): Promise<Check[]> {
  const { publicUrl, store, trustProxy, redisUrl } = config;
  const clock = systemClock;
  const log = await createLog({ ...config, logLevel: 'silent' });
  const folders = backupFolders(config.backup);
  const localUrl = `http://${config.host ?? 'localhost'}:${config.port}`;
  const disk = store.kind === 'embedded' ? store.dataDir : process.cwd();
  return [
    { name: 'running', run: () => checkRunning({ localUrl, get, tryPort: () => tryPort(config) }) },
    {
      name: 'record store',
      run: () => checkStore({ known: SCHEMA_VERSION, readSchema: () => readSchema(config, log) }),
      limitMs: STORE_MS,
    },
    { name: 'address', run: () => checkAddress({ publicUrl, clock, resolve: resolveName, certificateOf }) },
    {
      name: 'proxy',
      run: () => checkProxy({ publicUrl, trustProxy, isProxyUnknown: isProxyUnknown(config), get }),
    },
    ...githubChecks(config, { log, get, isRunning: async () => (await get(`${localUrl}/healthz`)) !== null }),
    { name: 'mail', run: () => checkMail({ mail: mailServer(config), to }) },
    { name: 'disk', run: () => checkDisk({ dataDir: disk, freeBytes: () => freeBytes(disk) }) },
    { name: 'rights', run: () => checkRights({ list: () => listGuarded(config) }) },
    {
      name: 'backups',
      run: () => checkBackups({ clock, folders, newest: () => newestBackup(folders), ...tryBackups(config) }),
    },
    {
      name: 'redis',
      run: () => checkRedis({ ping: redisUrl === undefined ? undefined : () => pingRedis(redisUrl) }),
    },
  ];
}
