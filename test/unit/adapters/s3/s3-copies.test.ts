import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DAILY, fileName, tooMany } from '../../../../src/adapters/pocketbase/backups/backup-folder.ts';
import { createS3Copies } from '../../../../src/adapters/s3/s3-copies.ts';
import { startS3 } from '../../../support/s3.ts';

let s3: Awaited<ReturnType<typeof startS3>>;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'otp-guard-s3-'));
  s3 = await startS3();
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await s3.stop();
});

const copyTo = (config: typeof s3.config) =>
  createS3Copies(config, { tooMany: (names) => tooMany(DAILY, names) }).copy;
function backupOf(day: number): string {
  const path = join(folder, fileName(DAILY, new Date(Date.UTC(2026, 10, day))));
  writeFileSync(path, `the backup of day ${day} `.repeat(10_000));
  return path;
}

describe('copies in S3', () => {
  it('are kept for seven days under the prefix, and nothing else there is deleted', async () => {
    const others = ['guard/notes.txt', 'guard/otp-guard-daily-x.zip.age', fileName(DAILY, new Date(0))];
    for (const name of others) s3.objects.set(name, Buffer.from('x'));
    for (let day = 1; day <= 9; day += 1) await copyTo(s3.config)(backupOf(day));
    const kept = [3, 4, 5, 6, 7, 8, 9].map(
      (day) => `guard/${fileName(DAILY, new Date(Date.UTC(2026, 10, day)))}`,
    );
    expect([...s3.objects.keys()].sort()).toEqual([...others, ...kept].sort());
    expect(s3.objects.get(kept.at(-1) ?? '')?.toString()).toBe('the backup of day 9 '.repeat(10_000));
  });

  it('fail with the storage’s code and without the secret', async () => {
    const refused = copyTo({ ...s3.config, secret: 'another-secret' })(backupOf(1));
    await expect(refused).rejects.toThrow(/^the S3 storage answered 403 SignatureDoesNotMatch to PUT$/);
    await expect(copyTo({ ...s3.config, bucket: 'other' })(backupOf(1))).rejects.toThrow('NoSuchBucket');
    expect(s3.objects.size).toBe(0);
  });
});
