import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import PocketBase from 'pocketbase';
import { collections } from '../../src/adapters/pocketbase/schema/schema.ts';
import { connectStore } from '../../src/app/connect-store.ts';
import { createOutcomeLog } from '../../src/app/outcome-log.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { SECRET_KEY, silent } from '../support/empty-store.ts';
import { askAsTheDashboard, askEverything } from '../support/every-query.ts';
import { GITHUB, startMigratedStore } from '../support/migrated-store.ts';
import { copyStore, fill, type Plan, startPrintingStore } from '../support/query-plans.ts';

const ROWS = 3_000;

/** Tables that stay small: all of one is no longer than a page of another. */
const SMALL: [table: RegExp, reason: string][] = [
  [/ FROM organizations /, 'has one record for each installation, and each round of the scheduler reads all'],
  [/ FROM (hooks|hook_work) /, 'an organization has at most two'],
  [/ FROM signing_keys /, 'has one record for each rotation'],
  [/ FROM approval_days /, 'has 31 days of one organization'],
];

/** Scans that end early, or have to read everything. */
const SCANS: [sql: RegExp, reason: string][] = [
  [/^SELECT (?!.* WHERE ).* LIMIT \d{1,2}$/, 'without a condition, it reads no more than it returns'],
  [
    /^SELECT COUNT.* FROM notices$/,
    'a metric counts the queue; what can’t be sent for three days is deleted',
  ],
  [
    / FROM open_pulls .* ORDER BY compared ASC, since DESC LIMIT 50$/,
    'in the order of its index; only what suspended organizations have is passed over',
  ],
];

/** Sorts of what belongs to one head, pull request, repository or person. */
const SORTS: [sql: RegExp, reason: string][] = [
  [/ FROM approvals WHERE \((repo_id|org_id) = \d+ AND head = /, 'those of a head'],
  [/ FROM gh_commits .*\Wcommit = '/, 'those of a commit'],
  [/ FROM approvals WHERE \(repo_id = \d+ AND pr = \d+ AND /, 'those of a pull request'],
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
/** Every filter, as the code has it and as the store gets it. */
const filters: string[] = [];

beforeAll(async () => {
  store = await startMigratedStore();
  const sql = await collectStatements();
  const copy = await copyStore(store.dataDir);
  // PocketBase lets SQLite collect statistics only after a change of a collection, as an upgrade makes. So a new store
  // has none, and one that was upgraded has those of its records.
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
  const { filter } = PocketBase.prototype;
  PocketBase.prototype.filter = function (text, values) {
    filters.push(text);
    return filter.call(this, text, values);
  };
  try {
    const { client } = printing;
    await client.run(async (records) => {
      records.beforeSend = (url, options) => {
        filters.push(options.query?.filter ?? '');
        return { url, options };
      };
    });
    const world = { client, clock: systemClock, outcomes: createOutcomeLog(silent) };
    const ports = connectStore(() => [SECRET_KEY], world, store.address.url);
    await askEverything(client, ports, { userId, githubId: 11, login: 'mona' });
    const member = await client.run((records) => records.collection('gh_users').impersonate(userId, 3600));
    member.autoCancellation(false);
    const { id: org } = await store.records.collection('organizations').getFirstListItem('');
    await askAsTheDashboard(client, member, { org, userId, token: member.authStore.token });
  } finally {
    PocketBase.prototype.filter = filter;
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

/**
 * Definitions ask nothing by themselves. An operator starts the others: they read all records of a kind, and nobody
 * waits for a page.
 */
const NO_PAGE = /(^|\/)collections\.ts$|^schema\/|^people\/erase\.ts$|^backups\/inspect-archive\.ts$/;
const COMPARES = / (?:[=~<>]|[!<>]=) (?:"\w*"|\d+|true|false)(?: |$)/;

/** The parts of filters in a line: between quotes and what is inserted. */
const partsOf = (line: string) =>
  line
    .replaceAll(/\{:(\w+)\}/g, '«$1»')
    .split(/['`]|\$\{|\}/)
    .filter((part, position) => part.includes('«') || (position % 2 === 1 && COMPARES.test(part)))
    .filter((part) => !/=>|; *$/.test(part) || part.includes('«'))
    .map((part) => part.replaceAll(/«(\w+)»/g, '{:$1}').replace(/";$/, ''));

it('knows every condition in the code', () => {
  const folders = ['src/adapters/pocketbase', 'web/src'];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.ts$/.test(name) && !NO_PAGE.test(name))
      .map((name) => join(folder, name)),
  );
  const parts = files.flatMap((file) => readFileSync(file, 'utf8').split('\n').flatMap(partsOf));
  expect(parts.length).toBeGreaterThan(100);
  expect(parts.filter((part) => !filters.some((filter) => filter.includes(part)))).toEqual([]);
});
