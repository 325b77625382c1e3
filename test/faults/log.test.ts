import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type PocketBase from 'pocketbase';
import { createActivityLog } from '../../src/adapters/pocketbase/audit/activity-log.ts';
import { createVouches } from '../../src/adapters/pocketbase/authenticators/vouches.ts';
import { createOrganizations } from '../../src/adapters/pocketbase/organizations/organizations.ts';
import { findInRecords, readPerson } from '../../src/adapters/pocketbase/people/erase.ts';
import { createPolicies } from '../../src/adapters/pocketbase/policies/policies.ts';
import { newRecordId } from '../../src/adapters/pocketbase/records/records-of.ts';
import { DEFAULT_POLICY } from '../../src/contract/policy.ts';
import type { Organization } from '../../src/organizations/ports.ts';
import { activityLogOf, signingKeysOf } from '../support/activity-log.ts';
import { anInstallation } from '../support/fakes.ts';
import { bundleOf } from '../support/program.ts';
import { recordSeals, SECRET_KEY, startMigratedStore } from '../support/stores.ts';
import { until } from '../support/until.ts';
import { verifiedEntries } from '../support/written-log.ts';

const AT_ONCE = 64;
const TRIALS = process.env.SOAK ? 20 : 2;
const MOST = 12;
const LONGEST_LIFE_MS = 200;

let store: Awaited<ReturnType<typeof startMigratedStore>>;
let org: Organization;
let input: object;
let orgId = 100;
const children: ChildProcess[] = [];

beforeAll(async () => {
  store = await startMigratedStore();
});
afterAll(() => store?.stop());
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
});

beforeEach(async () => {
  const { one, records } = store;
  orgId += 1;
  const account = { id: orgId, login: `org-${orgId}`, type: 'Organization', htmlUrl: '' } as const;
  org = await createOrganizations(one, activityLogOf(one)).save(anInstallation({ id: orgId, account }));
  const password = 'a-password-of-the-tests';
  const email = `${orgId}@unconfirmed.invalid`;
  const fields = { email, verified: true, password, passwordConfirm: password, github_id: orgId };
  const { id: userId } = await records.collection('gh_users').create({ ...fields, username: 'mona' });
  const key = { type: 'passkey', key_id: `key-${orgId}`, user: userId, org: org.id };
  const { id: authenticator } = await records.collection('webauthn').create(key);
  const { address } = store;
  const publicUrl = 'http://localhost:3000';
  input = { address, secretKey: SECRET_KEY, publicUrl, org, userId, authenticator };
});

async function startAppending(): Promise<ChildProcess> {
  const child = fork(bundleOf('append-process'), [JSON.stringify(input)], {
    execArgv: [],
    silent: true,
  });
  children.push(child);
  child.stderr?.pipe(process.stderr);
  await once(child, 'message');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

const readLog = () => verifiedEntries(store.one, org);

/** Expects that what is stored and what is logged are the same changes. */
async function expectNoneWithoutTheOther(entries: Awaited<ReturnType<typeof readLog>>): Promise<void> {
  const { records } = store;
  const stored = async (collection: string, filter: string) =>
    (await records.collection(collection).getFullList({ filter })).filter(
      ({ id }) => !JSON.stringify(input).includes(id),
    );
  const approvals = await stored('approvals', `org_id = ${org.orgId}`);
  const keys = await stored('webauthn', `org = "${org.id}"`);
  const policies = await stored('policies', `org = "${org.id}"`);
  const notices = await stored('notices', `user.github_id = ${orgId}`);
  const logged = (kind: string) => entries.filter(({ activity }) => activity === kind);
  expect({
    approvals: logged('webauthnCollect')
      .map(({ subject }) => subject)
      .sort(),
    keys: logged('webauthnRegister')
      .map(({ subject }) => subject)
      .sort(),
    policies: logged('policyChange').map(({ data }) => data?.number),
    notices: logged('webauthnRegister').length,
  }).toEqual({
    approvals: approvals.map(({ id }) => `approvals:${id}`).sort(),
    keys: keys.map(({ key_id }) => `credential:${key_id}`).sort(),
    policies: policies.map(({ number }) => number),
    notices: notices.length,
  });
}

describe('the log of two processes over one store', () => {
  it(`gets ${AT_ONCE} changes at once without a gap, and no change without its entry`, async () => {
    const both = await Promise.all([startAppending(), startAppending()]);
    await Promise.all(
      both.map((child) => {
        child.send(AT_ONCE / 2);
        return once(child, 'message');
      }),
    );
    const entries = await readLog();
    expect(entries).toHaveLength(AT_ONCE);
    await expectNoneWithoutTheOther(entries);
  });

  it(
    `is whole if one is killed at any moment, and the other goes on (${TRIALS} times)`,
    async () => {
      const stays = await startAppending();
      for (let trial = 0; trial < TRIALS; trial += 1) {
        const before = (await readLog()).length;
        const killed = await startAppending();
        const done = once(stays, 'message');
        for (const child of [stays, killed]) child.send(MOST);
        await until('one of them to append', async () => (await readLog()).length > before);
        await delay(Math.random() * LONGEST_LIFE_MS);
        await kill(killed);
        await done;
        const compare = async () => expectNoneWithoutTheOther(await readLog());
        // The store may still be busy with what the killed process sent.
        await until('the store to be at rest', () =>
          compare().then(
            () => true,
            () => false,
          ),
        ).catch(compare);
        expect((await readLog()).length).toBeGreaterThanOrEqual(before + MOST);
      }
    },
    600_000 + TRIALS * 10_000,
  );
});

const anEntry = () => ({
  activity: { activity: 'setOrgImage' as const, userId: '', orgRecordId: org.id, data: {} },
  notices: [],
});

describe('a log whose end was changed in the database', () => {
  type Stored = { id: string; entry_number: number; nodes: string; checkpoint: string };
  const stored = (records: PocketBase) =>
    records
      .collection('gh_activities')
      .getFullList<Stored>({ filter: `org = "${org.id}"`, sort: 'entry_number' });

  it.each<[string, (records: PocketBase, all: Stored[]) => Promise<unknown>]>([
    ['the newest hashes', (records, all) => change(records, all, { nodes: all[0]?.nodes })],
    ['the newest checkpoint', (records, all) => change(records, all, { checkpoint: all[1]?.checkpoint })],
    [
      'an entry that nobody signed',
      (records) =>
        records
          .collection('gh_activities')
          .create({ org: org.id, entry_number: 4, activity: 'vouch', checkpoint: 'x' }),
    ],
    [
      "another organization's log",
      async (records, all) => {
        const orgOfOther = await records
          .collection('organizations')
          .create({ org_id: orgId * 1000, name: 'other' });
        for (const { id } of all)
          await records.collection('gh_activities').update(id, { org: orgOfOther.id });
        org = { ...org, id: orgOfOther.id };
      },
    ],
  ])('takes no further entry: %s', async (_what, tamper) => {
    const { one, two, records } = store;
    for (let entry = 0; entry < 3; entry += 1) await activityLogOf(one).send(anEntry());
    await tamper(records, await stored(records));
    const alerts: string[] = [];
    const publicUrl = 'http://localhost:3000';
    const log = createActivityLog(two, signingKeysOf(two), {
      publicUrl,
      onChanged: (id) => void alerts.push(id),
    });
    const before = await stored(records);
    for (let tries = 0; tries < 2; tries += 1)
      await expect(log.send(anEntry())).rejects.toMatchObject({ code: 'logChanged' });
    expect([await stored(records), alerts]).toEqual([before, [org.id]]);
  });

  const change = (records: PocketBase, all: Stored[], fields: object) =>
    records.collection('gh_activities').update(String(all.at(-1)?.id), fields);
});

it('leaves a policy in force, and a vouch valid, whose author is erased', async () => {
  const { one, records } = store;
  const [seals, person] = [recordSeals(), await readPerson(one, orgId)];
  const policies = createPolicies(one, activityLogOf(one), seals);
  const by = { userId: person.userId, login: 'mona' };
  await policies.save(org, { policy: DEFAULT_POLICY, replaces: 0, by, signed: null }, anEntry());
  const expand = { org: { org_id: orgId } };
  const vouch = {
    id: newRecordId(),
    credential: 'other',
    org: org.id,
    voucher_id: orgId,
    voucher_login: 'mona',
  };
  await records.collection('vouches').create({ ...vouch, mac: seals.macOf('vouches', { ...vouch, expand }) });
  const found = await findInRecords(one, seals, { person, erase: true });
  expect(found).toEqual({ policies: 1, vouches: 1, webauthn: 1, gh_users: 1 });
  expect(await policies.inForce(orgId)).toEqual({ policy: DEFAULT_POLICY, number: 1 });
  expect(await createVouches(one, activityLogOf(one), seals).among(['other'])).toEqual(new Set(['other']));
  expect(await findInRecords(one, seals, { person, erase: false })).toEqual({});
});
