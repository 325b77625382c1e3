import { describe, expect, it, jest } from '@jest/globals';
import type { LogExport } from '../../../src/contract/receipts.ts';
import type { KeptCheckpoint } from '../../../src/proofs/audit-export.ts';
import { flip, leavesOf } from '../../support/flips.ts';
import { signingKey, TestLog } from '../../support/test-log.ts';

// The same signatures are verified thousands of times here, so each is verified once.
const { ed25519 } = await import('@noble/curves/ed25519.js');
const verified = new Map<string, boolean>();
const verify: typeof ed25519.verify = (signature, message, key, options) => {
  const id = [signature, message, key].map((bytes) => Buffer.from(bytes).toString('hex')).join();
  const known = verified.get(id) ?? ed25519.verify(signature, message, key, options);
  verified.set(id, known);
  return known;
};
jest.resetModules();
jest.unstable_mockModule('@noble/curves/ed25519.js', () => ({ ed25519: { ...ed25519, verify } }));
const { auditExport } = await import('../../../src/proofs/audit-export.ts');

const SIZE = 200;
const log = new TestLog();
for (let number = 1; number <= SIZE; number += 1)
  log.add('vouch', { pr: number }, { event: { repoId: 1 }, person: { by: { id: 11, login: 'mona' } } });
const twin = new TestLog(log.key);
for (let number = 1; number <= SIZE; number += 1) twin.add('vouch');
const { keyList } = log;

const audit = (parts: unknown[], checkpoints: KeptCheckpoint[] = []) =>
  auditExport(parts, { keyList, checkpoints });
const witnesses = (of: TestLog, sizes: number[]) =>
  sizes.map((size) => ({ checkpoint: of.checkpoint(size), from: 'GitHub' }));
const textsOf = (found: Awaited<ReturnType<typeof audit>>, status: string) =>
  found.findings.filter((one) => one.status === status).map(({ text }) => text);
const at = (number: number) => ({ from: number, to: number });
const numbers = Array.from({ length: SIZE }, (_, index) => index + 1);
/** Entries on both sides of each subtree, and every third one; all of them in the soak. */
const tried = numbers.filter(
  (number) => process.env.SOAK || number % 3 === 0 || number % 16 < 2 || number === SIZE,
);
/** The entries around each: a short export is as strict as the whole, and faster. */
const windows = numbers.map((number) =>
  JSON.stringify(log.export({ from: Math.max(1, number - 2), to: Math.min(SIZE, number + 2) })),
);
const around = (number: number): LogExport => JSON.parse(windows[number - 1] as string);

describe('an audit of a log of 200 entries', () => {
  it('finds each of them as it was, in one file or in parts', async () => {
    const whole = await audit([log.export()], witnesses(log, [1, 100, 150]));
    expect(textsOf(whole, 'failed')).toEqual([]);
    expect([whole.valid, whole.differs]).toEqual([true, null]);
    expect(textsOf(whole, 'proved')).toEqual([
      '200 entries, 1 to 200: all of them fit their leaves, follow each other and have signed checkpoints.',
      'They’re part of the log of 200 entries that a published key signed.',
      '3 checkpoints from elsewhere match, the largest (GitHub) with 150 entries: nothing before it was rewritten.',
    ]);
    expect(textsOf(whole, 'claimed')).toEqual([
      'For the entries 151 to 200, only the server says that nothing was rewritten.',
    ]);
    const parts = [
      log.export({ to: 77, size: 120 }),
      log.export({ from: 78, to: 150 }),
      log.export({ from: 151 }),
    ];
    expect((await audit(parts, witnesses(log, [77, 120]))).valid).toBe(true);
    for (const number of numbers) expect((await audit([around(number)])).valid).toBe(true);
  });

  it('names each entry in which a value is another one', async () => {
    for (const number of tried) {
      const part = around(number);
      const index = part.entries.findIndex((one) => one.number === number);
      for (const [nth, path] of leavesOf(part.entries[index]).entries()) {
        // Each value in every fourth entry is enough.
        if (nth % 4 !== number % 4) continue;
        // A checkpoint has four parts: its name, its size, its root and its signature.
        for (const place of path[0] === 'checkpoint' ? [0.1, 0.14, 0.3, 0.8] : [0.5]) {
          const tampered = flip(part, ['entries', index, ...path], place);
          const { valid, differs } = await audit([tampered]);
          expect([number, path, valid, differs]).toEqual([number, path, false, at(number)]);
        }
      }
    }
  });

  it.each<[what: string, tamper: (entries: LogExport['entries'], index: number) => unknown, first?: number]>([
    ['without it', (entries, index) => entries.splice(index, 1)],
    ['with it twice', (entries, index) => entries.splice(index, 0, entries[index] as never), 1],
    [
      'swapped with the next',
      (entries, i) => entries.splice(i, 2, entries[i + 1] as never, entries[i] as never),
    ],
    ['behind all others', (entries, index) => entries.push(...entries.splice(index, 1))],
    [
      'of another log of this server',
      (entries, i) => entries.splice(i, 1, twin.entries[(entries[i]?.number ?? 1) - 1] as never),
    ],
    [
      'of that other log before it',
      (entries, i) => entries.splice(i, 0, twin.entries[(entries[i]?.number ?? 1) - 1] as never),
    ],
    [
      'without what its leaf commits to',
      (entries, i) => Object.assign(entries[i] as object, { event: null }),
    ],
    [
      'without its event and salt, as if it was erased',
      (entries, i) => {
        const one = entries[i] as LogExport['entries'][number];
        Object.assign(one, { event: null, salts: { ...one.salts, event: null } });
      },
    ],
    [
      'with another’s content',
      (entries, i) => Object.assign(entries[i] as object, { person: { data: {}, facts: {} } }),
    ],
  ])('names each entry %s', async (what, tamper, first = 0) => {
    for (const number of tried) {
      const part = around(number);
      const index = part.entries.findIndex((one) => one.number === number);
      const before = JSON.stringify(part);
      tamper(part.entries, index);
      // The last entry is already behind all others, and two logs of one server may both begin.
      if (JSON.stringify(part) === before || (what.startsWith('of ') && number === 1)) continue;
      const { valid, differs } = await audit([part]);
      expect([number, valid, differs]).toEqual([number, false, at(number + first)]);
    }
  });

  it('refuses another log before, after or around the entries, and another key', async () => {
    const part = log.export({ from: 70, to: 90 });
    for (const path of leavesOf({ ...part, entries: [] }))
      expect([path, (await audit([flip(part, path)])).valid]).toEqual([path, false]);
    const gap = await audit([log.export({ to: 50 }), log.export({ from: 60 })]);
    expect([gap.valid, gap.differs]).toEqual([false, at(51)]);
    const forked = await audit([log.export({ to: 50, size: 50 }), twin.export({ from: 51 })]);
    expect([forked.valid, forked.differs]).toEqual([false, at(51)]);
    expect(textsOf(forked, 'failed')).toEqual([expect.stringContaining('begins with another log')]);
    const thief = new TestLog(signingKey());
    thief.add('vouch');
    for (const parts of [[thief.export()], [], [null], [{ ...part, entries: [] }], ['x']])
      expect((await audit(parts)).valid).toBe(false);
    expect((await auditExport([part], { keyList: null, checkpoints: [] })).valid).toBe(false);
  });

  it('refuses a signed checkpoint that isn’t the one of the entries, and more hashes than lead to it', async () => {
    const root = new Uint8Array(32);
    const part = log.export({ to: 50, size: 50 });
    const early = log.export({ to: 50 });
    const elsewhere = 'guard.example.org/log/10';
    const ofOther = log.note({ size: 500, root }, log.key, elsewhere);
    const refused = [
      [{ ...part, checkpoint: log.note({ size: 50, root }) }],
      [{ ...early, right: [...early.right, ...early.right.slice(0, 1)] }],
      [part, { ...part, log: elsewhere, checkpoint: ofOther, left: [], entries: [], right: [] }],
    ];
    for (const one of [part, early]) expect((await audit([one])).valid).toBe(true);
    for (const parts of refused) expect((await audit(parts)).valid).toBe(false);
  });

  it('refuses entries that name another log than their checkpoints do', async () => {
    const stray = new TestLog(log.key);
    stray.note = (body) => TestLog.prototype.note.call(stray, body, log.key, log.origin);
    Object.assign(stray, { origin: 'other.example/log/9' });
    stray.add('vouch');
    Object.assign(stray, { origin: log.origin });
    expect(textsOf(await audit([stray.export()]), 'failed')).toEqual(['Entry 1 belongs to another log.']);
  });

  it('doesn’t say that a log was rolled back of which it read nothing', async () => {
    const found = await audit([{ ...log.export(), checkpoint: '' }], witnesses(log, [200]));
    expect(textsOf(found, 'failed').filter((text) => text.includes('shows'))).toEqual([]);
  });

  it.each([1, 26, 200])('finds out from GitHub that all from entry %d on was rewritten', async (from) => {
    const rewritten = log.fork(from - 1);
    while (rewritten.entries.length < SIZE) rewritten.add('vouch', { pr: 0 });
    expect((await audit([rewritten.export()])).valid).toBe(true);
    const shown = witnesses(
      log,
      numbers.filter((number) => number % 25 === 0),
    );
    const found = await audit([rewritten.export()], shown);
    const range = { from: Math.floor((from - 1) / 25) * 25 + 1, to: Math.ceil(from / 25) * 25 };
    expect([found.valid, found.differs]).toEqual([false, range]);
    expect(textsOf(found, 'failed')[0]).toMatch(/differs from what GitHub shows.*rewritten/);
  });

  it('finds out from GitHub that the log was rolled back', async () => {
    const backup = log.fork(150);
    const found = await audit([backup.export()], witnesses(log, [100, 150, 180]));
    expect([found.valid, found.differs]).toEqual([false, { from: 151, to: 180 }]);
    expect(textsOf(found, 'failed')[0]).toMatch(/^GitHub shows 180 entries, this log has 150:/);
    backup.add('restore');
    while (backup.entries.length < SIZE) backup.add('vouch');
    const grown = await audit([backup.export()], witnesses(log, [100, 150, 180]));
    expect([grown.valid, grown.differs]).toEqual([false, { from: 151, to: 180 }]);
  });

  it('finds out that a log was begun again with another key', async () => {
    const begun = new TestLog();
    begun.add('vouch');
    const kept = [...witnesses(log, [150]), ...witnesses(begun, [1])];
    const found = await auditExport([begun.export()], { keyList: begun.keyList, checkpoints: kept });
    expect(textsOf(found, 'failed')).toEqual([expect.stringContaining('keys were exchanged')]);
  });

  it('ignores strangers’ checkpoints that no published key signed, or of another log, and says so', async () => {
    const root = new Uint8Array(32);
    const others = [
      { checkpoint: log.note({ size: 5, root }, signingKey()), from: 'a stranger', isByAnyone: true },
      { checkpoint: log.note({ size: 5, root }, log.key, 'guard.example.org/log/10'), from: 'another log' },
      { checkpoint: 'nothing', from: 'a stranger', isByAnyone: true },
    ];
    const found = await audit([log.export()], [...others, ...witnesses(log, [200])]);
    expect(textsOf(found, 'claimed')).toEqual([
      'Not compared: 2 checkpoints that no published key signed.',
      'Not compared: 1 checkpoint of another log.',
    ]);
    expect([found.valid, (await audit([log.export()], others)).valid]).toEqual([true, false]);
    const early = await audit([log.export({ from: 100 })], witnesses(log, [50]));
    expect(textsOf(early, 'failed')).toEqual([expect.stringContaining('Export the whole log')]);
  });

  it('still proves a log from which people were erased', async () => {
    const part = log.export();
    for (const entry of part.entries.slice(0, 30))
      Object.assign(entry, { person: null, salts: { ...entry.salts, person: null } });
    const found = await audit([part], witnesses(log, [200]));
    expect(found.valid).toBe(true);
    expect(textsOf(found, 'claimed')).toEqual([
      expect.stringMatching(/^30 entries had a person erased.*: 1; 2; .*; 20; …$/),
    ]);
  });
});
