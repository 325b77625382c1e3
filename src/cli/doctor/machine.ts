import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { availableParallelism, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { type findUnreviewedBinary, POCKETBASE_VERSION } from '../../adapters/pocketbase/process/binary.ts';
import type { Config } from '../../settings/config.ts';
import { READINESS_TEXTS } from '../../shared/readiness-texts.ts';
import { VERSION } from '../../shared/version.ts';
import { get, isOurs, localUrlOf, membersOf } from './address.ts';
import { type Found, note, ok, problem, symptom } from './finding.ts';

/** The checks that find the cause of what `/readyz` says. */
const CAUSES = {
  noStore: ['record store', 'disk'],
  noWrites: ['record store', 'disk'],
  noWebhooks: ['address', 'proxy', 'reach', 'webhooks'],
  noBackup: ['backups', 'disk'],
} satisfies { [Trouble in keyof typeof READINESS_TEXTS]?: string[] };
/** The causes of anything else, such as GitHub's refusal. */
const OTHER_CAUSES = ['record store', 'disk', 'clock', 'App'];

/** Checks that OTP Guard runs on this machine and can take work; if it doesn't run, that its port is free. */
export async function checkRunning(
  config: Pick<Config, 'host' | 'port'>,
  { request, listen, load, version } = {
    request: get,
    listen: tryPort,
    load: loadOf,
    version: VERSION || null,
  },
): Promise<Found> {
  const localUrl = localUrlOf(config);
  const [alive, ready] = await Promise.all([request(`${localUrl}/healthz`), request(`${localUrl}/readyz`)]);
  if (!alive) {
    const refusal = await listen(config);
    const silent = `What uses the port of ${localUrl} doesn't answer.`;
    if (refusal === 'EADDRINUSE' && load() > BUSY)
      return problem(
        `${silent} This machine is too busy: ${Math.round(load())} programs want each of its processors. Run top, and end what isn't needed.`,
      );
    if (refusal === 'EADDRINUSE')
      return problem(`${silent} If it is OTP Guard, it hangs: restart it. Otherwise set PORT to a free one.`);
    if (refusal !== null)
      return problem(`OTP Guard can't listen at ${localUrl} (${refusal}). Check HOST and PORT.`);
    return note(`OTP Guard doesn't run at ${localUrl}. Start it: otp-guard start.`);
  }
  if (alive.status !== 200 || !isOurs(alive.text))
    return problem(`Another program uses the port of ${localUrl}. Stop it, or set PORT to a free one.`);
  const running = membersOf(alive.text).version;
  if (running !== version)
    return problem(`OTP Guard ${running} runs at ${localUrl}, and ${version} is installed. Restart it.`);
  if (!ready)
    return problem(`OTP Guard runs at ${localUrl}, but doesn't say whether it's ready. Restart it.`);
  if (ready.status === 200 && ready.text === 'ok') return ok(`OTP Guard runs at ${localUrl}, and is ready.`);
  const text = ready.text.slice(0, 200);
  const troubles = Object.keys(CAUSES) as (keyof typeof CAUSES)[];
  const trouble = troubles.find((one) => text.startsWith(READINESS_TEXTS[one]));
  const causes = trouble ? CAUSES[trouble] : OTHER_CAUSES;
  return symptom(`OTP Guard runs${ready.status === 200 ? '' : ", but isn't ready"}: ${text}`, causes);
}

/** Tells whether OTP Guard answers where these settings have it listen. */
export const isRunning = async (config: Pick<Config, 'host' | 'port'>): Promise<boolean> =>
  isOurs((await get(`${localUrlOf(config)}/healthz`))?.text ?? '');

/** More programs than this want each processor of a machine on which answers take longer than the doctor waits. */
const BUSY = 4;

const loadOf = () => (loadavg()[0] ?? 0) / availableParallelism();

/** Listens there as OTP Guard does, and stops. @returns Null if that works, otherwise the code of the error. */
function tryPort({ port, host }: Pick<Config, 'host' | 'port'>): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'));
    server.once('listening', () => server.close(() => resolve(null)));
    server.listen({ port, host });
  });
}

const MB = 1024 * 1024;
const LEAST_BYTES = 200 * MB;
const LITTLE_BYTES = 1024 * MB;

/** @param free What our user can still write there, in bytes. */
export function checkDisk(dataDir: string, free: number): Found {
  const text = `${dataDir} has ${Math.floor(free / MB).toLocaleString('en')} MB left`;
  if (free < LEAST_BYTES)
    return problem(`${text}. Make room: on a full disk nothing can be approved, and no backup is made.`);
  return free < LITTLE_BYTES ? note(`${text}. Make room soon.`) : ok(`${text}.`);
}

/** A file or folder that only our user should use. `mode` is null if it doesn't exist; `isSecret`: its content is secret. */
type Guarded = { path: string; mode: number | null; isSecret: boolean };

const [GROUP_READS, OTHERS_READ, SOMEBODY_WRITES] = [0o040, 0o004, 0o022];

/** Checks that no other user of the machine can read or change `.env`, the keys or the data. */
export function checkRights(guarded: Guarded[]): Found[] {
  const all = guarded.filter((one): one is Guarded & { mode: number } => one.mode !== null);
  const found = all.map(faultOf).filter((one) => one !== null);
  if (found.length > 0) return found;
  if (all.length === 0) return [ok('There is neither .env nor data yet.')];
  return [ok(`Only their owner can use ${all.map(({ path }) => path).join(', ')}.`)];
}

function faultOf({ path, mode, isSecret }: Guarded & { mode: number }): Found | null {
  const advice = `Run chmod go= '${path}'.`;
  if (mode & SOMEBODY_WRITES) return problem(`Others on this machine can change ${path}. ${advice}`);
  if (mode & OTHERS_READ && isSecret) return problem(`Everybody on this machine can read ${path}. ${advice}`);
  if (mode & OTHERS_READ) return note(`Everybody on this machine can list ${path}. ${advice}`);
  return mode & GROUP_READS
    ? note(`The group of ${path} can read it. If nobody needs that: ${advice}`)
    : null;
}

/** All wrong settings together, and names that look like a misspelt one of ours. None has a value in it. */
export function checkSettings(faults: readonly string[], hints: readonly string[]): Found[] {
  const found = [...faults.map(problem), ...hints.map(note)];
  return found.length > 0 ? found : [ok('All settings can be read.')];
}

type Unreviewed = NonNullable<ReturnType<typeof findUnreviewedBinary>>;

/** Checks that the embedded PocketBase is a file that we, or on other platforms its operator, compared. */
export function checkBinary(unreviewed: Unreviewed | null): Found {
  if (!unreviewed) return ok("PocketBase's binary for this platform was reviewed; each start compares it.");
  const { platform, hash, named } = unreviewed;
  if (named === hash)
    return ok(`PocketBase's binary is the one that POCKETBASE_SHA256 names, for ${platform}.`);
  const archive = `pocketbase_${POCKETBASE_VERSION}_${platform.replace('-', '_').replace('x64', 'amd64')}.zip`;
  return problem(
    `Nobody reviewed PocketBase's binary for ${platform}, whose SHA-256 is ${hash}. Download ${archive} from PocketBase's releases on GitHub, compare it with checksums.txt there, unpack it, and compare shasum -a 256 pocketbase with this hash. If both are the same, set POCKETBASE_SHA256=${hash}.`,
  );
}

/** Shows how requests leave this machine, without the password of a proxy. */
export function checkWayOut({ outgoingProxy }: Pick<Config, 'outgoingProxy'>): Found {
  if (!outgoingProxy) return ok('Requests to GitHub go straight, without a proxy.');
  const { url, except } = outgoingProxy;
  const others = except ? `, except to the hosts of NO_PROXY (${except})` : '';
  return ok(`Requests to GitHub and other https addresses go through ${new URL(url).origin}${others}.`);
}

/** Checks that OTP Guard runs as it should once people depend on it. */
export const checkMode = ({ production }: Pick<Config, 'production'>): Found =>
  production
    ? ok('NODE_ENV is production, so the set-up page is closed.')
    : note(
        "NODE_ENV isn't production: without the App's settings, OTP Guard would open its set-up page. Before people depend on it, add NODE_ENV=production to .env, and start again.",
      );

const IN_DATA = ['secret.key', 'running.json', 'pocketbase'];

/** The file that holds settings, and the data of an embedded store with its keys. */
export async function listGuarded({ store }: Pick<Config, 'store'>): Promise<Guarded[]> {
  const data = store.kind === 'embedded' ? store.dataDir : null;
  const guarded = [
    { path: resolve('.env'), isSecret: true },
    ...(data === null ? [] : [{ path: data, isSecret: false }]),
    ...(data === null ? [] : IN_DATA.map((name) => ({ path: join(data, name), isSecret: true }))),
  ];
  return Promise.all(guarded.map(async (one) => ({ ...one, mode: await modeOf(one.path) })));
}

const modeOf = (path: string) =>
  stat(path).then(
    ({ mode }) => mode & 0o777,
    () => null,
  );
