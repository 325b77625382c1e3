import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import * as version from '../../../src/shared/version.ts';

const COMMIT = 'ab'.repeat(20);
const build = '0123456789ab';

describe('The name of a build', () => {
  it.each([
    ['is the commit of a clean build', { commit: COMMIT, build }, COMMIT],
    ['tells dirty builds apart', { commit: `${COMMIT}-dirty`, build }, `${COMMIT}-dirty-${build}`],
    ['tells builds without a commit apart', { build }, `unknown-${build}`],
    ['is empty for sources', {}, ''],
  ])('%s', (_, found, name) => {
    expect(version.commitOf(found)).toBe(name);
  });
});

describe('The hash of a build', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'otp-guard-'));
    mkdirSync(join(folder, 'program'));
    writeFileSync(join(folder, 'program/one.js'), 'one');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('stays for the same files, and differs if a file or its name does', async () => {
    const { hashFolder } = await import(resolve('scripts/hash-folder.js'));
    const first = await hashFolder(folder);
    expect(first).toMatch(/^[0-9a-f]{12}$/);
    expect(await hashFolder(folder)).toBe(first);
    writeFileSync(join(folder, 'program/one.js'), 'two');
    const second = await hashFolder(folder);
    rmSync(join(folder, 'program/one.js'));
    writeFileSync(join(folder, 'program/two.js'), 'two');
    expect(new Set([first, second, await hashFolder(folder)]).size).toBe(3);
  });
});
