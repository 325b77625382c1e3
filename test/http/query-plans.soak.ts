import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createStoreClient, type StoreClient } from '../../src/adapters/pocketbase/client.ts';
import { verifyBinary } from '../../src/adapters/pocketbase/process/binary.ts';
import { runStoreCommand } from '../../src/adapters/pocketbase/process/commands.ts';
import { folderFlags } from '../../src/adapters/pocketbase/process/data-folder.ts';
import { isHealthy, type StoreAddress } from '../../src/adapters/pocketbase/process/process-marker.ts';
import { type Collection, type Field, text } from '../../src/adapters/pocketbase/schema/fields.ts';
import { collections } from '../../src/adapters/pocketbase/schema.ts';
import { connectStore } from '../../src/app/connect-store.ts';
import { createOutcomeLog } from '../../src/app/outcome-log.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { askAsTheDashboard, askEverything } from '../support/every-query.ts';
import { flat } from '../support/every-room.ts';
import { freePort } from '../support/product.ts';
import { GITHUB, SECRET_KEY, silent, startMigratedStore } from '../support/stores.ts';
import { until } from '../support/until.ts';

const ROWS = 1_000;

/** Tables that stay small: all of one is no longer than a page of another. */
const SMALL: [table: RegExp, reason: string][] = [
  [/ FROM organizations /, 'has one record for each installation, and each round of the scheduler reads all'],
  [/ FROM (hooks|hook_work) /, 'an organization has at most two'],
  [/ FROM signing_keys /, 'has one record for each rotation'],
  [/ FROM deployments /, 'has one record for each environment of a run’s attempt, for 90 days'],
  [/ FROM approval_days /, 'has 31 days of one organization'],
];

/** Scans that end early, or have to read everything. */
const SCANS: [sql: RegExp, reason: string][] = [
  [/^SELECT (?!.* WHERE ).* LIMIT \d{1,2}$/, 'without a condition, it reads no more than it returns'],
  [
    /^SELECT COUNT.* FROM notices$/,
    'a metric counts the queue; what can’t be sent for three days is deleted',
  ],
];

/** Sorts of what belongs to one head, pull request, repository or person. */
const SORTS: [sql: RegExp, reason: string][] = [
  [/ FROM approvals WHERE \((repo_id|org_id) = \d+ AND head = /, 'those of a head'],
  [/ FROM (approvals|check_runs) WHERE \(repo_id = \d+ AND \(head = /, 'those of some heads of a repository'],
  [/ FROM approvals WHERE \(repo_id = \d+ AND pr = \d+\) /, 'those of a pull request'],
  [/ FROM approvals WHERE \(deployment = /, 'those of a deployment'],
  [
    / FROM open_pulls .*AND (head = '\w+'|repo_id = \d+)\) ORDER BY since DESC LIMIT 2$/,
    'those of a head or of a repository',
  ],
  [/ FROM merge_groups WHERE .*repo_id = \d+ AND base_sha = /, 'those of a repository'],
  [/ FROM (webauthn|totps) .*\W(user|user_id) = '\w+'\)? ORDER BY /, 'those of a person'],
  [
    / FROM approvals WHERE \(?(reported < '1'|withdrawal_unreported = 1)/,
    'those that GitHub doesn’t show yet',
  ],
  [
    / FROM member_standings .* ORDER BY reminded ASC/,
    'an owner reminds members, in an order that is computed',
  ],
  [
    / FROM gh_activities .*\(user_id = '\w+' OR user_id = '/,
    'SQLite reads the entries of several people, if its statistics say that they have few',
  ],
];

let store: Awaited<ReturnType<typeof startMigratedStore>>;
let plans: Plan[];
/** Every method of the ports, and the called ones. */
const methods: string[] = [];
const called = new Set<string>();

beforeAll(async () => {
  store = await startMigratedStore();
  const sql = await collectStatements();
  const copy = await copyStore(store.dataDir);
  // PocketBase lets SQLite collect statistics only after a change of a collection, as an upgrade makes. So a new store
  // has none, and an upgraded store has those of its records.
  const asNew = await copy.explain(sql);
  const tables = collections(GITHUB).filter(({ type }) => type !== 'view');
  await copy.execute([...tables.map((table) => fill(table, ROWS)), 'ANALYZE']);
  plans = [...asNew, ...(await copy.explain(sql))].map(({ sql, steps }) => ({ sql: readable(sql), steps }));
});
afterAll(() => store?.stop());

async function collectStatements(): Promise<string[]> {
  const password = 'a-password-of-the-tests';
  const person = { github_id: 11, username: 'mona', email: 'x@unconfirmed.invalid', verified: true };
  const fields = { ...person, password, passwordConfirm: password };
  const { id: userId } = await store.records.collection('gh_users').create(fields);
  const printing = await startPrintingStore(store.dataDir, store.address);
  try {
    const { client } = printing;
    const world = { client, clock: systemClock, outcomes: createOutcomeLog(silent) };
    const ports = recorded(flat(connectStore(() => [SECRET_KEY], world, store.address.url)));
    await askEverything(client, ports, { userId, githubId: 11, login: 'mona' });
    const member = await client.run((records) => records.collection('gh_users').impersonate(userId, 3600));
    member.autoCancellation(false);
    const { id: org } = await store.records.collection('organizations').getFirstListItem('');
    await askAsTheDashboard(client, member, { org, userId, token: member.authStore.token });
  } finally {
    await printing.stop();
  }
  return [...new Set(printing.statements())].filter((text) => !/ (FROM|UPDATE) `?(_|sqlite_)/.test(text));
}

/** Without quotes, and without the table before each of its columns. */
function readable(sql: string): string {
  const text = sql.replaceAll('`', '');
  const table = / FROM (\w+)/.exec(text)?.[1] ?? '';
  return text.replaceAll(new RegExp(`\\b${table}\\.`, 'g'), '');
}

const isListed =
  (list: [RegExp, string][]) =>
  ({ sql }: Plan) =>
    list.some(([pattern]) => pattern.test(sql));

it('finds the records of every query by an index', () => {
  const isScan = ({ steps }: Plan) => steps.some((step) => /^SCAN (?!JSON_EACH|CONSTANT|f$)/.test(step));
  const scans = plans.filter(isScan);
  expect(scans.filter((plan) => !isListed([...SMALL, ...SCANS])(plan))).toEqual([]);
});

it('sorts no more than a few records', () => {
  const sorts = plans.filter(({ steps }) =>
    steps.some((step) => /TEMP B-TREE FOR .*(ORDER|GROUP) BY/.test(step)),
  );
  expect(sorts.filter((plan) => !isListed([...SMALL, ...SORTS])(plan))).toEqual([]);
  // An exception that nothing needs any more is removed.
  const unused = [...SMALL, ...SCANS, ...SORTS].filter(
    ([pattern]) => !plans.some(({ sql }) => pattern.test(sql)),
  );
  expect(unused).toEqual([]);
});

function recorded<T extends object>(ports: T): T {
  const each = Object.entries(ports).map(([name, port]) => {
    methods.push(...Object.keys(port).map((method) => `${name}.${method}`));
    const get = (target: object, method: string) => {
      called.add(`${name}.${method}`);
      return Reflect.get(target, method);
    };
    return [name, new Proxy(port as object, { get } as ProxyHandler<object>)];
  });
  return Object.fromEntries(each) as T;
}

/** A change finds its record by its id, or as a method does that reads. */
const CHANGES =
  /\.(add|save|set|mark|remove|claim|consume|release|clear|retry|done|queue|finish|receive|settle|postpone|stop|rotate|begin|end|open|during|step|yieldTo|takeTry|recordUse|hasRoom)[a-zA-Z]*$/;

it('asks all that the ports ask', () => {
  const readers = methods.filter((method) => !CHANGES.test(method));
  expect(readers.length).toBeGreaterThan(50);
  expect(readers.filter((method) => !called.has(method))).toEqual([]);
});

/** A store over the same folder that prints the SQL that PocketBase makes of our requests. */
async function startPrintingStore(
  dataDir: string,
  address: StoreAddress,
): Promise<{ client: StoreClient; statements(): string[]; stop(): Promise<void> }> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const args = ['serve', `--http=${url.slice('http://'.length)}`, ...folderFlags(dataDir), '--dev'];
  const store = spawn(await verifyBinary(), args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  store.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  await until('the store to start', () => isHealthy(url));
  const client = createStoreClient({ ...address, url });
  await client.run(async () => undefined);
  printed = '';
  return {
    client,
    statements: () =>
      printed
        .split('\n')
        .flatMap((line) => /^\[[^\]]+\] ((?:SELECT|UPDATE|DELETE) .*)$/.exec(line)?.[1] ?? []),
    async stop() {
      if (store.exitCode !== null) return;
      const closed = once(store, 'close');
      store.kill();
      // When all that it printed is read, too.
      await closed;
    },
  };
}

/** Which statement, and the steps of its plan. */
type Plan = { sql: string; steps: string[] };

const EXPLAIN = `const plans = input.sql.map((sql) => {
  const rows = arrayOf(new DynamicModel({ detail: '' }));
  $app.db().newQuery('EXPLAIN QUERY PLAN ' + sql).all(rows);
  return { sql, steps: rows.map(({ detail }) => detail) };
});
$os.writeFile(input.out, JSON.stringify(plans), 0o600);`;
const EXECUTE = 'for (const sql of input.sql) $app.db().newQuery(sql).execute();';

/** A copy of a store's database, to ask for plans. */
async function copyStore(dataDir: string) {
  const copy = join(dataDir, 'copy');
  const run = (folder: string, script: string, input: object) =>
    runStoreCommand(folder, { name: 'explain', script, input });
  const file = join(copy, 'pocketbase', 'data', 'data.db');
  mkdirSync(dirname(file), { recursive: true });
  await run(dataDir, EXECUTE, { sql: [`VACUUM INTO '${file}'`] });
  return {
    // SQLite plans with statistics that are there when a process begins: so each is a process of its own.
    execute: (sql: string[]) => run(copy, EXECUTE, { sql }),
    async explain(sql: string[]): Promise<Plan[]> {
      const out = join(copy, 'plans.json');
      await run(copy, EXPLAIN, { sql, out });
      return JSON.parse(readFileSync(out, 'utf8')) as Plan[];
    },
  };
}

/** Fills a table with what a year leaves: a few organizations, hundreds of people, and everything else different. */
function fill({ name, type, fields: own }: Collection, rows: number): string {
  const fields = type === 'auth' ? [...own, text('tokenKey')] : own;
  const columns = fields.map(({ name: column }) => `\`${column}\``);
  return `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
    INSERT OR IGNORE INTO ${name} (id, ${columns.join()})
    SELECT PRINTF('filled%09d', i), ${fields.map(sampleOf).join()} FROM n`;
}

function sampleOf({ name, type, collectionId, values }: Field): string {
  if (type === 'relation')
    return collectionId === 'pbc_organizations'
      ? "PRINTF('filled%09d', 1 + i % 3)"
      : "PRINTF('filled%09d', 1 + i % 500)";
  if (type === 'autodate') return "STRFTIME('%Y-%m-%d %H:%M:%fZ', 1790000000 + i * 60.5, 'unixepoch')";
  if (type === 'date')
    return "IIF(i % 50, STRFTIME('%Y-%m-%d %H:%M:%fZ', 1790000000 + i * 60.5, 'unixepoch'), '')";
  if (type === 'bool') return 'i % 10 = 0';
  if (type === 'number') return name === 'org_id' ? '1 + i % 3' : 'i';
  if (type === 'json') return "JSON_OBJECT('repo', 'hello', 'login', 'login' || (i % 500))";
  if (type === 'select')
    return `JSON_EXTRACT('${JSON.stringify(values)}', '$[' || (i % ${(values as string[]).length}) || ']')`;
  if (name === 'pending') return "IIF(i % 100, '', 'vouch')";
  return `'${name}' || i`;
}
