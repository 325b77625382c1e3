import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type PocketBase from 'pocketbase';
import { DEFAULT_POLICY } from '../../src/contract/policy.ts';
import type { Organization } from '../../src/organizations/ports.ts';
import { createStoreClient } from '../../src/pocketbase/client.ts';
import { folderFlags } from '../../src/pocketbase/process/data-folder.ts';
import { isHealthy } from '../../src/pocketbase/process/is-healthy.ts';
import { runStoreCommand } from '../../src/pocketbase/process/run-store-command.ts';
import { verifyBinary } from '../../src/pocketbase/process/verify-binary.ts';
import { createActivityLog } from '../../src/pocketbase/records/activity-log.ts';
import { findInRecords } from '../../src/pocketbase/records/erase-records.ts';
import { readPerson } from '../../src/pocketbase/records/find-person.ts';
import { createLogReader } from '../../src/pocketbase/records/log-reader.ts';
import { createOrganizations } from '../../src/pocketbase/records/organizations.ts';
import { createPolicies } from '../../src/pocketbase/records/policies.ts';
import { newRecordId } from '../../src/pocketbase/records/record-id.ts';
import { createRecordedLog } from '../../src/pocketbase/records/recorded-log.ts';
import { createVouches } from '../../src/pocketbase/records/vouches.ts';
import { migrate } from '../../src/pocketbase/schema/migrate.ts';
import { collections } from '../../src/pocketbase/schema/schema.ts';
import { activityLogOf, signingKeysOf } from '../support/activity-log.ts';
import { SECRET_KEY } from '../support/empty-store.ts';
import { anInstallation } from '../support/fakes.ts';
import { GITHUB, startMigratedStore } from '../support/migrated-store.ts';
import { freePort } from '../support/product.ts';
import { bundleOf } from '../support/program.ts';
import { recordSeals } from '../support/record-seals.ts';
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
  const child = fork(bundleOf('test/support/append-process.js'), [JSON.stringify(input)], {
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
  }, 60_000);

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
    60_000 + TRIALS * 10_000,
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

/** What the page of the log filters by, with those of its older pages. */
const AT = '2026-05-04 12:00:00.000Z';
const LOG_FILTERS = [
  '',
  ` && (created < "${AT}" || (created = "${AT}" && id < "x"))`,
  ' && activity = "vouch"',
  ' && user_id = "x"',
  ' && data.repo = "hello"',
  ' && data.repo ~ "hello"',
  ' && data.login = "mona"',
  ` && created >= "${AT}"`,
  ` && created >= "${AT}" && created <= "${AT}" && activity = "vouch"`,
];

const LENGTHEN = `WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
  INSERT INTO gh_activities (id, org, activity, entry_number, user_id, data, created)
  SELECT PRINTF('%015d', i), 'ORG', IIF(i % 10, 'webauthnCollect', 'vouch'), i, i % 200,
    JSON_OBJECT('repo', 'hello', 'login', 'mona'), PRINTF('2026-05-04 12:00:%06.3fZ', i / 500.0) FROM n`;

const EXPLAIN = `const plans = input.sql.map((sql) => {
  const rows = arrayOf(new DynamicModel({ detail: '' }));
  $app.db().newQuery('EXPLAIN QUERY PLAN ' + sql).all(rows);
  return [sql, ...rows.map(({ detail }) => detail)];
});
$os.writeFile(input.out, JSON.stringify(plans), 0o600);`;

it('reads the log by its indexes, also by the statistics of a long log', async () => {
  const { dataDir, address, records, two } = store;
  for (let entry = 0; entry < 5; entry += 1) await activityLogOf(two).send(anEntry());
  const port = await freePort();
  // Prints the SQL that PocketBase makes of our filters.
  const args = ['serve', `--http=127.0.0.1:${port}`, ...folderFlags(dataDir), '--dev'];
  const printing = spawn(await verifyBinary(), args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(printing);
  let printed = '';
  printing.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const url = `http://127.0.0.1:${port}`;
  await until('the store to start', () => isHealthy(url));
  const client = createStoreClient({ ...address, url });
  await client.run(async () => undefined);
  printed = '';
  const at = new Date();
  const log = createLogReader(client, signingKeysOf(client));
  await createActivityLog(client, signingKeysOf(client), { publicUrl: url }).send(anEntry());
  await createRecordedLog(client).after(org.id, 3, 500);
  await Promise.all([
    log.newest(org.id),
    log.atSize(org.id, 5),
    log.ofSubject(org.id, 'x'),
    log.after(org.id, 2, 50),
  ]);
  await Promise.all([
    log.period(org.id, { from: at, to: at }),
    log.paths(org.id, [1, 4], 6),
    log.frontier(org.id, 5),
  ]);
  const { userId } = input as { userId: string };
  const membership = { org: org.id, github_id: orgId, login: 'mona', role: 'member', user: userId };
  await records.collection('org_members').create(membership);
  const pages = await client.run((superuser) => superuser.collection('gh_users').impersonate(userId, 3600));
  for (const clause of LOG_FILTERS)
    await pages.collection('gh_activities').getList(1, 50, {
      filter: `org = "${org.id}"${clause}`,
      sort: '-created,-id',
      skipTotal: true,
    });
  const sql = printed
    .split('\n')
    .flatMap((line) => /^\[[^\]]+\] (SELECT .* FROM `gh_activities` .*)$/.exec(line)?.[1] ?? []);
  const copy = join(dataDir, 'copy');
  const file = join(copy, 'pocketbase', 'data', 'data.db');
  mkdirSync(dirname(file), { recursive: true });
  const execute = `for (const sql of input.sql) $app.db().newQuery(sql).execute();`;
  const run = (folder: string, script: string, input: object) =>
    runStoreCommand(folder, { name: 'explain', script, input });
  await run(dataDir, execute, { sql: [`VACUUM INTO '${file}'`] });
  await run(copy, execute, { sql: [LENGTHEN.replaceAll('ORG', org.id)] });
  // SQLite plans with statistics that are there when a process begins.
  for (const statistics of [[], ['ANALYZE']]) {
    await run(copy, execute, { sql: statistics });
    const out = join(copy, 'plans.json');
    await run(copy, EXPLAIN, { sql, out });
    const plans = JSON.parse(readFileSync(out, 'utf8')) as string[][];
    expect(plans.length).toBeGreaterThanOrEqual(10 + LOG_FILTERS.length);
    const slow = plans.filter(
      ([, ...steps]) =>
        /SCAN gh_activities( |,|$)|ORDER BY/.test(steps.join()) || !/gh_activities USING/.test(steps.join()),
    );
    expect(slow).toEqual([]);
  }
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

it('begins with 1 after an upgrade from schema 6, and older entries stay as they are', async () => {
  const { one, records } = store;
  const [now] = collections(GITHUB).filter(({ name }) => name === 'gh_activities');
  const isOlder = (name: string) => ['activity', 'data', 'user_id', 'org', 'created'].includes(name);
  // A view of later versions, which reads what they added.
  await records.collections.delete('hook_work');
  await records.collections.update('gh_activities', {
    fields: now?.fields.filter(({ name }) => isOlder(name)),
    indexes: [],
  });
  await records.collections.delete('signing_keys');
  const older = { activity: 'vouch', org: org.id, data: { login: 'mona' } };
  const { id } = await records.collection('gh_activities').create(older);
  const { url, email, password } = store.address;
  const external = { kind: 'external', url, email, password } as const;
  await migrate(one, { store: external, publicUrl: url, secretKeys: [SECRET_KEY] }, GITHUB);
  expect(await records.collection('gh_activities').getOne(id)).toMatchObject({ ...older, entry_number: 0 });
  await createActivityLog(one, signingKeysOf(one), { publicUrl: url }).send(anEntry());
  expect((await readLog()).map(({ number, activity }) => [number, activity])).toEqual([[1, 'setOrgImage']]);
});
