import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ClientResponseError } from 'pocketbase';
import { createWithdrawals } from '../../../../src/adapters/pocketbase/approvals/withdrawals.ts';
import type { ActivityLog, LoggedChange } from '../../../../src/adapters/pocketbase/audit/activity-log.ts';
import { createCredentials } from '../../../../src/adapters/pocketbase/authenticators/credentials.ts';
import { createTotpApps } from '../../../../src/adapters/pocketbase/authenticators/totp-apps.ts';
import { invalidateRestoredState } from '../../../../src/adapters/pocketbase/backups/restore-backup.ts';
import type { StoreClient } from '../../../../src/adapters/pocketbase/client.ts';
import {
  type CoveredCollection,
  createRecordSeals,
  type Row,
  sealContext,
} from '../../../../src/adapters/pocketbase/records/record-seals.ts';
import { rotateRecords } from '../../../../src/adapters/pocketbase/schema/rotate-records.ts';
import type { StoredApproval } from '../../../../src/approvals/ports.ts';
import { createSealer } from '../../../../src/authenticators/seal.ts';
import { createRecordMac } from '../../../../src/shared/crypto.ts';
import { SECRET_KEY } from '../../../support/empty-store.ts';
import { FakeClock } from '../../../support/fakes.ts';
import { recordSeals } from '../../../support/record-seals.ts';

/** The records of each collection. Each list is all of them, so a test stores only those that its filter finds. */
let stored: Record<string, Row[]>;
/** What else happens when records were read for the first time. */
let afterRead: Record<string, () => void>;
const rowsOf = (name: string) => {
  stored[name] ??= [];
  return stored[name];
};
const copies = (name: string) => rowsOf(name).map((row) => ({ ...row }));
const update = (name: string, id: string, fields: object) => {
  stored[name] = rowsOf(name).map((row) => (row.id === id ? { ...row, ...fields } : row));
};
const create = (name: string, fields: Row) => void rowsOf(name).push(fields);
const collection = (name: string) => ({
  getFullList: async () => copies(name),
  async getList() {
    const items = copies(name);
    afterRead[name]?.();
    delete afterRead[name];
    return { items };
  },
  update: async (id: string, fields: object) => update(name, id, fields),
  create: async (fields: Row) => create(name, fields),
});
const records = {
  filter: (filter: string) => filter,
  collection,
  collections: { truncate: async (name: string) => void delete stored[name] },
};
const client = {
  clock: new FakeClock(),
  run: (work: (of: typeof records) => unknown) => work(records),
} as unknown as StoreClient;

const DUPLICATE = { key: { code: 'validation_not_unique', message: '' } };
const send = jest.fn(async (_effects: unknown, { change, linkEntry }: LoggedChange = {}) => {
  const work: (() => void)[] = [];
  const batch = {
    collection: (name: string) => ({
      update: (id: string, fields: object) => work.push(() => update(name, id, fields)),
      upsert: () => undefined,
      create(fields: Row) {
        if (rowsOf(name).some(({ key }) => key === fields.key))
          throw new ClientResponseError({ status: 400, response: { data: DUPLICATE } });
        work.push(() => create(name, fields));
      },
    }),
  } as never;
  change?.(batch);
  linkEntry?.(batch, 'entry');
  for (const one of work) one();
});
const log = { send } as unknown as ActivityLog;
const seals = recordSeals();
const sealed = (name: CoveredCollection, row: Row): Row => ({ ...row, mac: seals.macOf(name, row) });

beforeEach(() => {
  stored = {};
  afterRead = {};
  send.mockClear();
});

describe('a withdrawal', () => {
  const APPROVAL = { id: 'approval', repo_id: 1, pr: 7, head: 'head', withdrawn: '' };
  const approval = { id: 'approval', repoId: 1, pr: 7, head: 'head' } as StoredApproval;
  const effects = { activity: { orgRecordId: 'org' }, notices: [] } as never;
  const withdraw = () =>
    createWithdrawals(client, log, seals).withdraw({ ...approval, repo: {} } as never, effects);

  it('of a forged approval is none, so that the approval gets no MAC', async () => {
    const forged = { ...sealed('approvals', APPROVAL), pr: 8 };
    stored = { approvals: [forged] };
    expect(await withdraw()).toBe(false);
    expect([stored.approvals, send.mock.calls]).toEqual([[forged], []]);
  });

  it('is stored and logged once if two processes withdraw at once, and still has to be reported', async () => {
    stored = { approvals: [sealed('approvals', APPROVAL)] };
    expect((await Promise.all([withdraw(), withdraw()])).sort()).toEqual([false, true]);
    const [row] = copies('approvals') as [Row];
    const withdrawn = `${client.clock.now().toISOString()} approval`;
    expect(row).toMatchObject({ withdrawn, withdrawal_unreported: true });
    expect(seals.isOurs('approvals', row)).toBe(true);
  });
});

describe('an authenticator', () => {
  it('that is pending is no record of the person, unless it was changed in the database', async () => {
    const pending = sealed('webauthn', { id: 'key', pending: 'first' });
    const hasRecords = () => createCredentials(client, log, seals).hasRecords('user', 'org');
    stored = { webauthn: [pending] };
    expect(await hasRecords()).toBe(false);
    stored = { webauthn: [{ ...pending, pending: 'second' }] };
    expect(await hasRecords()).toBe(true);
  });

  it('that is an app counts only as it was stored, also with its own secret', async () => {
    const sealer = createSealer(() => [SECRET_KEY]);
    const secret = sealer.seal(Buffer.from('secret'), sealContext('totps', 'app', 'secret'));
    const app = sealed('totps', { id: 'app', user_id: 'user', org_id: 'org', secret, enrolled: 'alone' });
    const find = () => createTotpApps(client, log, { sealer, seals }).find('user', 'org');
    stored = { totps: [app] };
    expect(await find()).toMatchObject({ id: 'app', enrolled: 'alone' });
    stored = { totps: [{ ...app, enrolled: 'vouched' }] };
    expect(await find()).toBeNull();
  });
});

describe('a restore', () => {
  it('ends what people had begun and the last report, and refuses the codes of the next two steps', async () => {
    const BEGUN = ['challenges', 'email_codes', 'device_links', 'reconcile_reports'];
    stored = Object.fromEntries([...BEGUN, 'totps'].map((name) => [name, [{ id: 'one' }]]));
    await invalidateRestoredState(client, new Date(100 * 30_000 + 29_999));
    expect(stored).toEqual({ totps: [{ id: 'one' }], totp_steps: [{ totp: 'one', step: 102 }] });
  });
});

describe('rotating the key', () => {
  const keys = () => ['another-key-of-more-than-32-characters', SECRET_KEY] as const;
  const isOurs = (name: CoveredCollection, row: Row) =>
    createRecordSeals(createRecordMac(keys), () => undefined).isOurs(name, row);
  const isCurrent = (row: Row) =>
    createRecordMac(keys).isCurrent(String(row.mac)) && isOurs('approvals', row);
  const anApproval = (id: string, withdrawn = '') => sealed('approvals', { id, pr: 7, withdrawn });

  /** Something else changes the records when the first approvals were read. */
  const rotateWhile = (change: () => void) => {
    afterRead = { approvals: change };
    return rotateRecords(client, keys);
  };

  it('goes on until no record has the older key', async () => {
    stored = { approvals: [anApproval('m')] };
    const rotated = await rotateWhile(() => create('approvals', anApproval('a')));
    expect([rotated, copies('approvals').map(isCurrent)]).toEqual([
      { resealed: 2, refused: 0 },
      [true, true],
    ]);
  });

  it('keeps a withdrawal that comes meanwhile', async () => {
    stored = { approvals: [anApproval('m')] };
    await rotateWhile(() => update('approvals', 'm', anApproval('m', 'now')));
    const [row] = copies('approvals') as [Row];
    expect([row.withdrawn, isCurrent(row)]).toEqual(['now', true]);
  });

  it.each<[CoveredCollection, object, object]>([
    ['webauthn', { counter: 5 }, { counter: 6 }],
    ['webauthn', { backed_up: false }, { backed_up: true }],
    ['merge_groups', { passed: false }, { passed: true }],
  ])('saves a record of %s that its MAC fits when %j becomes %j meanwhile', async (name, before, after) => {
    stored = { [name]: [sealed(name, { id: 'm', ...before })] };
    afterRead = { [name]: () => update(name, 'm', sealed(name, { id: 'm', ...after })) };
    await rotateRecords(client, keys);
    expect(copies(name).map((row) => isOurs(name, row))).toEqual([true]);
  });
});
