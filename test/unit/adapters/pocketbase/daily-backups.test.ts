import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createDailyBackups } from '../../../../src/adapters/pocketbase/backups/daily-backups.ts';

const HOUR_MS = 60 * 60 * 1000;
const START = Date.parse('2026-11-01T00:05:00Z');
const OTHERS = [
  'otp-guard-2026-01-01-00-00-00.zip.age',
  'otp-guard-daily-notes.txt',
  'otp-guard-daily-.part',
];

let folder: string;
let made: Date[];
let taken: Set<number>;
let failed: string[];
let fails: string | undefined;
let at: number;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'otp-guard-daily-')), 'backups');
  [made, taken, failed, fails, at] = [[], new Set(), [], undefined, START];
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

/** The backups of one process; all processes share the folder and the turns. */
function aProcess() {
  const clock = { now: () => new Date(at) };
  return createDailyBackups({
    folder,
    clock,
    turns: {
      lastMade: async () => made.at(-1) ?? null,
      storeMade: async () => new Date(START),
      async take() {
        const hour = Math.floor(at / HOUR_MS);
        return !taken.has(hour) && Boolean(taken.add(hour));
      },
      made: async () => void made.push(clock.now()),
    },
    async write(path) {
      if (fails) throw new Error(fails);
      writeFileSync(path, 'a backup');
    },
    onMade: () => undefined,
    onFailed: (error) => void failed.push((error as Error).message),
  });
}
const files = () => readdirSync(folder).sort();

describe('daily backups', () => {
  it('are made once a day by one of several processes, and the last seven are kept', async () => {
    const processes = [aProcess(), aProcess()];
    for (; at < START + 9 * 24 * HOUR_MS; at += HOUR_MS / 6)
      await Promise.all(processes.map(({ round }) => round()));
    const days = ['03', '04', '05', '06', '07', '08', '09'];
    expect(files()).toEqual(days.map((day) => `otp-guard-daily-2026-11-${day}-00-05-00-000.zip.age`));
    expect([made.length, failed]).toEqual([9, []]);
  });

  it('are tried again in an hour if one fails, and are late after a day', async () => {
    const { round, isLate, lastMade } = aProcess();
    fails = 'ENOSPC: no space left on device, write';
    for (; at < START + 2 * HOUR_MS; at += HOUR_MS / 6) await round();
    expect([failed, files(), await isLate()]).toEqual([[fails, fails], [], false]);
    at += 27 * HOUR_MS;
    expect([await isLate(), await lastMade()]).toEqual([true, null]);
    // A process that starts now hasn't waited for anything yet.
    expect(await aProcess().isLate()).toBe(true);
    fails = undefined;
    await round();
    expect([files().length, await isLate(), await lastMade()]).toEqual([1, false, new Date(at)]);
  });

  it('delete what a dead process left half written, and nothing that is not theirs', async () => {
    mkdirSync(folder);
    const left = 'otp-guard-daily-2026-10-31-22-00-00-000.zip.age.part';
    const inWork = 'otp-guard-daily-2026-11-01-00-04-00-000.zip.age.part';
    for (const name of [...OTHERS, left, inWork]) writeFileSync(join(folder, name), 'x');
    await aProcess().round();
    expect(files()).toEqual([...OTHERS, inWork, 'otp-guard-daily-2026-11-01-00-05-00-000.zip.age'].sort());
  });
});
