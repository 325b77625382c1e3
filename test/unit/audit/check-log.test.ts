import { describe, expect, it } from '@jest/globals';
import {
  type CheckLogDeps,
  checkEntry,
  checkWholeLog,
  createLogChecks,
} from '../../../src/audit/check-log.ts';
import { withoutPerson } from '../../../src/audit/log-parts.ts';
import type { RecordedEntry } from '../../../src/audit/ports.ts';
import { FakeClock } from '../../support/fakes.ts';
import { aSigningKey, writtenLog } from '../../support/written-log.ts';

const SIZE = 20;
const { key, entries, frontiers } = writtenLog(SIZE);
const others = writtenLog(SIZE, aSigningKey()).entries;
const ofOtherOrg = writtenLog(SIZE, key, 'guard.example.org/log/99').entries;
const { data: shown, event, person, salts } = entries[0] as RecordedEntry;
if (!shown || !event || !person || !salts.event) throw new Error('nothing was written');

const flip = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
const erased = (entry: RecordedEntry): RecordedEntry => ({
  ...entry,
  person: null,
  salts: { event: entry.salts.event, person: null },
  data: withoutPerson(entry.data ?? {}),
});

/** Changes that a person with the database can make to each entry. */
const CHANGES: Record<string, (entry: RecordedEntry, at: number) => object> = {
  'another number': ({ number }) => ({ number: number + 1 }),
  'another leaf': (_, at) => ({ leaf: others[at]?.leaf }),
  'the leaf in another form': ({ leaf }) => ({ leaf: ` ${leaf}` }),
  'a leaf that is no JSON': () => ({ leaf: 'x' }),
  'another kind': () => ({ activity: 'vouch' }),
  'another kind in both': (one) => ({ activity: 'vouch', event: { ...one.event, activity: 'vouch' } }),
  'another label': ({ data }) => ({ data: { ...data, label: 'x' } }),
  'one more thing shown': ({ data }) => ({ data: { ...data, sha: 'ab' } }),
  'nothing shown': () => ({ data: null }),
  'another label in both': (one) => ({
    data: { ...one.data, label: 'x' },
    person: { ...one.person, data: { ...one.person?.data, label: 'x' } },
  }),
  'another time': (one) => ({ event: { ...one.event, at: '2020-01-01T00:00:00.000Z' } }),
  'other facts': (one) => ({ event: { ...one.event, facts: {} } }),
  'another log': (one) => ({ event: { ...one.event, log: 'elsewhere/log/9' } }),
  'no event': () => ({ event: null }),
  'no event, as if it was erased': (one) => ({ event: null, salts: { ...one.salts, event: null } }),
  'another person': (one) => ({ person: { ...one.person, facts: { by: { id: 12, login: 'mona' } } } }),
  'no person': () => ({ person: null }),
  'no person, still shown': (one) => ({ person: null, salts: { ...one.salts, person: null } }),
  'no salt of the person': (one) => ({ salts: { ...one.salts, person: null } }),
  'another salt': (one) => ({ salts: { ...one.salts, event: flip(one.salts.event ?? '') } }),
  'a salt that is none': (one) => ({ salts: { ...one.salts, event: '!' } }),
  'no salts': () => ({ salts: null }),
  "somebody else's record": () => ({ userGithubId: 12 }),
  'another subject': () => ({ subject: 'credential:x' }),
  'other hashes': ({ nodes }) => ({ nodes: flip(nodes) }),
  'one hash more': ({ nodes }) => ({ nodes: `${nodes} ${nodes.split(' ')[0]}` }),
  'no hashes': () => ({ nodes: '' }),
  'another signature': ({ checkpoint }) => ({ checkpoint: checkpoint.replace(/(.{20})=*\n$/, 'A$1\n') }),
  'a checkpoint of another size': (_, at) => ({ checkpoint: entries[(at + 1) % SIZE]?.checkpoint }),
  "another key's checkpoint": (_, at) => ({ checkpoint: others[at]?.checkpoint }),
  'no checkpoint': () => ({ checkpoint: '' }),
  "another key's entry": (_, at) => ({ ...others[at] }),
  "another organization's entry": (_, at) => ({ ...ofOtherOrg[at] }),
};

describe('comparing an entry with what was written', () => {
  const check = (entry: RecordedEntry, at: number) => {
    const before = frontiers[at];
    if (!before) throw new Error('no such entry');
    return checkEntry(entry, { before, orgId: 9, keys: [key] });
  };

  it.each(Object.keys(CHANGES))('finds %s, at every place', (name) => {
    const found = entries.map((entry, at) => check({ ...entry, ...CHANGES[name]?.(entry, at) }, at));
    expect(found).toEqual(entries.map(() => null));
  });

  it('takes entries as they were written, and those whose person was erased', () => {
    expect(entries.map(check)).toEqual(frontiers.slice(1));
    expect(entries.map(erased).map(check)).toEqual(frontiers.slice(1));
  });
});

describe('comparing the log in the background', () => {
  function world(stored: RecordedEntry[], orgs = ['org']) {
    const reads: number[] = [];
    const changed: string[] = [];
    const w = { stored, reads, changed };
    const deps: CheckLogDeps = {
      organizations: { all: async () => orgs.map((id) => ({ id, orgId: 9 })) },
      recordedLog: {
        async after(org, number, most) {
          if (org === 'broken') throw new Error('this log can’t be read');
          const found = w.stored.filter((one) => one.number > number).slice(0, most);
          reads.push(found.length);
          return found;
        },
      },
      signingKeys: {
        // As after a rotation: the key begins to sign while the first entries are read.
        published: async () =>
          reads.length === 0 ? [] : [{ ...key, type: 'ed25519', created: new Date(0), retired: null }],
      },
      onChangedEntry: ({ id }) => void changed.push(id),
      clock: new FakeClock(),
      mostEntries: 8,
    };
    const whole = () => checkWholeLog(deps, { id: 'org', orgId: 9 });
    return Object.assign(w, createLogChecks(deps), { whole });
  }

  it('goes through each in steps, and begins again', async () => {
    const w = world(entries, ['org', 'other']);
    expect(w.of('org')).toEqual({ checked: null, changed: null });
    const seen: unknown[] = [];
    for (let step = 0; step < 8; step += 1) {
      await w.step();
      seen.push(['org', 'other'].map((org) => w.of(org).checked?.to));
    }
    const first = [8, 16, 20].map((to) => [to, undefined]);
    expect(seen).toEqual([...first, [20, 8], [20, 16], ...[20, 20, 20].map((to) => [to, 20])]);
    expect([Math.max(...w.reads), w.changed]).toEqual([9, []]);
  });

  it.each<[string, (all: RecordedEntry[]) => RecordedEntry[], number]>([
    ['an entry that is missing', (all) => all.toSpliced(11, 1), 12],
    ['an entry that was swapped', (all) => all.with(11, { ...all[12], number: 12 } as RecordedEntry), 12],
    [
      'an entry that was added',
      (all) => [...all, { ...others[SIZE - 1], number: SIZE + 1 } as RecordedEntry],
      21,
    ],
  ])('reports %s, and says so until it is right again', async (_what, change, number) => {
    const w = world(change(entries));
    for (let step = 0; step < 3; step += 1) await w.step();
    expect([w.of('org').changed, w.changed.length]).toEqual([number, 1]);
    w.stored = entries;
    for (let step = 0; step < 3; step += 1) await w.step();
    expect([w.of('org').changed, w.of('org').checked?.to]).toEqual([null, SIZE]);
  });

  it('leaves a log that can’t be read to the next round, and compares the others', async () => {
    const w = world(entries, ['broken', 'org']);
    await expect(w.step()).rejects.toThrow('can’t be read');
    for (let step = 0; step < 3; step += 1) await w.step();
    expect([w.of('broken').checked, w.of('org').checked?.to]).toEqual([null, SIZE]);
    await expect(w.step()).rejects.toThrow('can’t be read');
  });

  it('compares a short log when a person asks about it, and once for each size', async () => {
    const w = world(entries.toSpliced(11, 1));
    await w.catchUp({ id: 'org', orgId: 9 }, SIZE - 1);
    expect([w.of('org').changed, w.changed.length]).toEqual([12, 1]);
    await w.catchUp({ id: 'org', orgId: 9 }, SIZE - 1);
    expect(w.changed).toHaveLength(1);
    const whole = world(entries);
    for (let call = 0; call < 2; call += 1) await whole.catchUp({ id: 'org', orgId: 9 }, SIZE);
    expect([whole.of('org'), whole.reads]).toMatchObject([{ checked: { to: SIZE }, changed: null }, [SIZE]]);
  });

  it('reads all pages of a whole log, also if its last page is full', async () => {
    for (const size of [7, 8, 16, 20])
      expect(await world(entries.slice(0, size)).whole()).toEqual({ size, changed: null });
    expect(await world(entries.toSpliced(11, 1)).whole()).toEqual({ size: 11, changed: 12 });
  });

  it.each([
    [SIZE, 8],
    [5, 5],
  ])(
    'begins again without an alarm if a backup of %i entries was restored in the meantime',
    async (size, to) => {
      const w = world(entries);
      await w.step();
      w.stored = writtenLog(size, key).entries;
      await w.step();
      expect(w.of('org')).toMatchObject({ checked: { to }, changed: null });
      for (let step = 0; step < 3; step += 1) await w.step();
      expect([w.of('org').checked?.to, w.changed]).toEqual([size, []]);
    },
  );
});
