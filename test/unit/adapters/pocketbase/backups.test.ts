import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import {
  openEncrypted,
  reencryptBackups,
  WrongIdentity,
  writeEncrypted,
} from '../../../../src/adapters/pocketbase/backups/age-file.ts';
import {
  backupRecipient,
  deriveIdentity,
} from '../../../../src/adapters/pocketbase/backups/backup-identity.ts';
import { requireRestorable } from '../../../../src/adapters/pocketbase/backups/inspect-archive.ts';
import { createTemporaryStore } from '../../../../src/adapters/pocketbase/backups/open-archive.ts';
import { removeLeftovers } from '../../../../src/adapters/pocketbase/process/leftovers.ts';
import { SCHEMA_VERSION } from '../../../../src/adapters/pocketbase/schema.ts';
import { until } from '../../../support/until.ts';

const OLD = 'the-key-before-of-more-than-32-characters';
const NEW = 'the-key-of-today-of-more-than-32-characters';
const CONTENT = Buffer.alloc(200_000, 'the records');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'otp-guard-backups-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = async (name: string, recipient: string) => {
  await writeEncrypted(Readable.from([CONTENT]), join(folder, name), recipient);
  return join(folder, name);
};
// Jest compares buffers byte by byte, which takes seconds.
const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
const read = async (path: string, identities: string[]) => buffer(await openEncrypted(path, identities));

describe('a backup', () => {
  it('is encrypted for the current SECRET_KEY, and opens with it or a later list that still has it', async () => {
    const path = await write('a.zip.age', await backupRecipient(OLD));
    expect([readFileSync(path).includes('the records'), statSync(path).mode & 0o777]).toEqual([false, 0o600]);
    expect(CONTENT.equals(await read(path, [NEW, OLD].map(deriveIdentity)))).toBe(true);
    await expect(openEncrypted(path, [deriveIdentity(NEW)])).rejects.toThrow(WrongIdentity);
  });

  it('keeps its key for ever, because old backups depend on it', () => {
    expect(deriveIdentity(OLD)).toBe(
      'AGE-SECRET-KEY-1HTPGRDAM66JF5VR0THYTDD8AZGFRW3H3QRNX26ZEECPSGZ7J6WPQQ88HC8',
    );
  });
});

describe('encrypting backups again', () => {
  it('replaces the files that open, and leaves damaged files and files for others as they are', async () => {
    const own = await write('own.zip.age', await backupRecipient(OLD));
    const foreign = await write('foreign.zip.age', await identityToRecipient(await generateX25519Identity()));
    const damaged = await write('damaged.zip.age', await backupRecipient(OLD));
    writeFileSync(damaged, readFileSync(damaged).subarray(0, -1));
    writeFileSync(join(folder, 'plain.zip'), 'PK');
    writeFileSync(join(folder, 'note.age'), 'no backup');
    const before = [foreign, damaged].map(hashOf);
    const keys = {
      identities: [NEW, OLD].map(deriveIdentity),
      recipient: await backupRecipient(NEW),
    };
    // Twice, as after a process that died in the middle.
    for (const _ of [1, 2])
      expect(await reencryptBackups(folder, keys)).toEqual({
        reencrypted: [own],
        unopened: [damaged, foreign],
      });
    expect(CONTENT.equals(await read(own, [deriveIdentity(NEW)]))).toBe(true);
    await expect(openEncrypted(own, [deriveIdentity(OLD)])).rejects.toThrow(WrongIdentity);
    expect([foreign, damaged].map(hashOf)).toEqual(before);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});

describe('what a process leaves that dies in the middle', () => {
  it('is removed at the next start, but nothing of a process that is alive', async () => {
    const backups = join(folder, 'pocketbase', 'data', 'backups');
    mkdirSync(backups, { recursive: true });
    for (const name of [
      'otp_guard_20260101000000000.zip',
      'otp_guard_20260101000000000.zip.attrs',
      'own.zip',
    ])
      writeFileSync(join(backups, name), 'records');
    const used = await createTemporaryStore(folder);
    mkdirSync(join(folder, 'otp-guard-opening-left'));
    const command = join(folder, 'pocketbase', 'command-abc');
    mkdirSync(command);
    writeFileSync(join(command, 'input.json'), 'the password of the superuser');
    await removeLeftovers(folder);
    expect(readdirSync(join(folder, 'pocketbase'))).toEqual(['data']);
    expect(readdirSync(backups)).toEqual(['own.zip']);
    expect(readdirSync(folder).sort()).toEqual([basename(used.dataDir), 'pocketbase']);
    await used.remove();
    expect(readdirSync(folder)).toEqual(['pocketbase']);
  });

  it('is removed as the process exits, even if what it just killed still writes there', async () => {
    const loop = (name: string) => `(i=0; while :; do : > "$1/${name}$i"; i=$((i+1)); done) &`;
    const loops = `${['a', 'b', 'c', 'd'].map(loop).join('\n')}\nwait`;
    for (let round = 0; round < 10; round += 1) {
      const { backups, remove } = await createTemporaryStore(folder);
      const writer = spawn('sh', ['-c', loops, 'sh', backups], { detached: true, stdio: 'ignore' });
      await until('its files', () => readdirSync(backups).length > 50);
      process.kill(-(writer.pid ?? 0), 'SIGKILL');
      process.listeners('exit').at(-1)?.(0);
      expect(readdirSync(folder)).toEqual([]);
      await remove();
    }
  });
});

describe('a backup may replace the records', () => {
  const NONE = { schema: SCHEMA_VERSION, isFromBefore: false, newest: null, verified: 0, foreign: 0 };
  it.each<[what: string, content: Partial<typeof NONE>, refusal: RegExp | null]>([
    ['if a known key has sealed its records', { verified: 3 }, null],
    ['if it has no records', {}, null],
    ['without the forged records in it', { verified: 1, foreign: 3 }, null],
    ['not if no known key has sealed any record', { foreign: 3 }, /^None of the records/],
    ['not if OTP Guard didn’t write it', { schema: 0 }, /^This backup has no records of OTP Guard\./],
    [
      'not if a build before 0.1.0 wrote it, whatever its schema',
      { schema: 9, isFromBefore: true, verified: 3 },
      /^This backup was made by a build before 0\.1\.0, /,
    ],
    ['not if a newer version wrote it', { schema: 99, verified: 3 }, /^This backup has schema 99, /],
  ])('%s', (_what, content, refusal) => {
    const decide = () => requireRestorable({ ...NONE, ...content });
    if (refusal) expect(decide).toThrow(refusal);
    else expect(decide).not.toThrow();
  });
});
