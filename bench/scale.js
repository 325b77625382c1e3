// Compares an organization that has a million log entries, waiting pull requests and repositories, and a hundred thousand
// people, with one that has a thousand of each, in the same record store: the inbox, the pages of the lists, and the log.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { createOwnApprovals } from '../dist/adapters/pocketbase/approvals/approvals.js';
import { createPullSearch, createWaitingPulls } from '../dist/adapters/pocketbase/approvals/waiting-pulls.js';
import { createActivityLog, nextEntry } from '../dist/adapters/pocketbase/audit/activity-log.js';
import { createLogReader } from '../dist/adapters/pocketbase/audit/log-reader.js';
import { createSigningKeys } from '../dist/adapters/pocketbase/audit/signing-keys.js';
import { createHeldAuthenticators } from '../dist/adapters/pocketbase/authenticators/held-authenticators.js';
import { createStoreClient } from '../dist/adapters/pocketbase/client.js';
import { createDeployments } from '../dist/adapters/pocketbase/deployments/stores.js';
import { createInboxStores } from '../dist/adapters/pocketbase/inbox/stores.js';
import { migrate } from '../dist/adapters/pocketbase/migrate.js';
import {
  createCandidates,
  createMemberships,
} from '../dist/adapters/pocketbase/organizations/memberships.js';
import { runStoreCommand } from '../dist/adapters/pocketbase/process/commands.js';
import { startEmbeddedStore } from '../dist/adapters/pocketbase/process/start-store.js';
import { createRepositoryChecks } from '../dist/adapters/pocketbase/protection/repository-checks.js';
import { createRecordSeals } from '../dist/adapters/pocketbase/records/record-seals.js';
import { countAuthenticators } from '../dist/authenticators/count-authenticators.js';
import { createSealer } from '../dist/authenticators/seal.js';
import { DEFAULT_POLICY } from '../dist/contract/default-policy.js';
import { inbox } from '../dist/inbox/inbox.js';
import { createReadPools, createWaitingLists } from '../dist/inbox/read-where.js';
import { appendLeaf, EMPTY } from '../dist/proofs/merkle.js';
import { systemClock as clock } from '../dist/shared/clock.js';
import { createRecordMac } from '../dist/shared/crypto.js';
import { compare } from './compare.js';
import { newFolder } from './parts.js';

const MANY = { id: 'org000000000001', orgId: 1, entries: 1_000_000, people: 100_000 };
const FEW = { id: 'org000000000002', orgId: 2, entries: 1_000, people: 1_000 };
const GOAL = 1.2;
/** An audit path in a log of a million entries is twice as long as in one of a thousand. */
const GOAL_OF_RECEIPT = 2;
const ROUNDS = 200;
const PAGE = 50;
const AUTHENTICATORS_A_PAGE = 25;
const IN_INBOX = 25;
/** How many entries a receipt proves: the approval, and how its key came in. */
const OF_RECEIPT = 5;
const ROWS_AT_ONCE = 20_000;
const PUBLIC_URL = 'http://localhost:3000';
const OWNER = 'user00000000001';
const MEMBER = { userId: 'user00000000002', githubId: 2, login: 'person-2' };

/** Without a rule, nothing waits for one person and no other. */
const WANTED = { session: MEMBER, accessToken: '', tab: 'may-approve' };

/** Each waiting pull request needs an approval of any member. */
const LACK = { rule: '', missing: 'Needs 1 approval.', lacking: 1, counted: [], excluded: [] };

const dataDir = newFolder();
const log = pino({ level: 'silent' });
const start = () => startEmbeddedStore({ dataDir, publicUrl: PUBLIC_URL, log });
async function createOrganizations(client) {
  const github = { clientId: 'x', clientSecret: 'x', serverUrl: PUBLIC_URL, apiUrl: PUBLIC_URL };
  const config = { store: { kind: 'embedded', dataDir }, publicUrl: PUBLIC_URL, secretKeys: [] };
  await migrate(client, config, github);
  for (const { id, orgId } of [MANY, FEW]) {
    const organization = { id, org_id: orgId, name: `org-${orgId}`, installation_id: orgId };
    await client.run((records) => records.collection('organizations').create(organization));
  }
}

/** The SQL of everything but the log. The owner of both organizations is the first person in each. */
function insertsOf({ id, orgId, entries, people }) {
  const insert = (into, values, count, where = '') =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT OR IGNORE INTO ${into} SELECT ${values} FROM n ${where}`;
  const at = "STRFTIME('%Y-%m-%d %H:%M:%fZ', 1790000000 + i * 10.0, 'unixepoch')";
  const rowId = (kind) => `PRINTF('${kind}${orgId}%0${14 - kind.length}d', i)`;
  const user = "PRINTF('user%011d', i)";
  return [
    insert(
      'gh_users (id, github_id, username, email, verified, tokenKey, password, address)',
      `${user}, i, 'person-' || i, i || '@unconfirmed.invalid', TRUE, PRINTF('%050d', i), 'x', 'x@example.org'`,
      people,
    ),
    insert(
      'org_members (id, org, github_id, login, role, user, created)',
      `${rowId('m')}, '${id}', i, PRINTF('person-%07d', i), IIF(i = 1, 'admin', 'member'), ${user}, ${at}`,
      people,
    ),
    // One in ten has none, and one in ten has two.
    insert(
      'webauthn (id, org, user, key_id, type, label, created)',
      `${rowId('w')}, '${id}', ${user}, '${orgId}:' || i, 'passkey', 'Laptop', ${at}`,
      people,
      'WHERE i % 10 > 0',
    ),
    insert(
      'totps (id, org_id, user_id, label, created)',
      `${rowId('t')}, '${id}', PRINTF('user%011d', i * 10 - 9), 'App', ${at}`,
      people / 10,
    ),
    insert(
      'open_pulls (id, org, repo_id, repo_name, pr, title, author, head, base, approved, opened, since, changed, lacks)',
      `${rowId('p')}, '${id}', ${orgId}, 'repository', i, 'Change ' || i, 'person-1', PRINTF('%040d', i), 'main', FALSE, ${at}, ${at}, ${at}, '${JSON.stringify([LACK])}'`,
      entries,
    ),
    insert(
      'repository_checks (id, org, repo_id, name, default_branch, required, checked, due)',
      `${rowId('r')}, '${id}', ${orgId * 10_000_000} + i, PRINTF('repository-%07d', i), 'main', 'thisApp', ${at}, ${at}`,
      entries,
    ),
  ];
}

const keys = () => ['a-key-of-the-benchmark-of-more-than-32-characters'];
const seals = createRecordSeals(createRecordMac(keys), () => undefined);

function logOver(client) {
  const signingKeys = createSigningKeys(client, createSealer(keys), seals);
  const activityLog = createActivityLog(client, signingKeys, { publicUrl: PUBLIC_URL });
  return { signingKeys, activityLog, logReader: createLogReader(client, signingKeys) };
}

const anActivity = (org, name) => ({
  activity: 'webauthnCollect',
  userId: OWNER,
  orgRecordId: org,
  data: {
    login: 'mona',
    user: 'mona',
    type: 'passkey',
    sha: 'ab'.repeat(20),
    pr: 7,
    repo: 'hello',
    org: 'o',
  },
  subject: `approvals:${name}`,
  facts: { repoId: 1, userVerified: true },
  personFacts: { by: { id: 1, login: 'mona' }, proofSha256: 'x'.repeat(43) },
});

/** Runs in PocketBase. The fields that differ from entry to entry come from files. */
const INSERT_ENTRIES = `
  const columns = 'id, org, user_id, activity, data, leaf, event, person, salts, entry_number, nodes, checkpoint, subject, created';
  const values = "{:org}, {:user}, {:activity}, {:data}, {:leaf}, {:event}, {:person}, {:salts}";
  const varying = "value->>0, " + values + ", value->>1, value->>2, value->>3, value->>4";
  const at = "strftime('%Y-%m-%d %H:%M:%fZ', 1790000000 + (value->>1) * 10.0, 'unixepoch')";
  const query = 'INSERT INTO gh_activities (' + columns + ') SELECT ' + varying + ', ' + at + ' FROM json_each({:rows})';
  for (const file of input.files) {
    const rows = toString($os.readFile(file));
    $app.db().newQuery(query).bind({ ...input.same, rows }).execute();
  }
`;

/** The entries have one text in common. Their hashes are those of a real log, so that reads and appends work on it. */
function writeEntries({ id, orgId, entries }, key) {
  const origin = `localhost:3000/log/${orgId}`;
  const now = new Date();
  const { fields } = nextEntry(anActivity(id, 'same'), { origin, frontier: EMPTY, now, key });
  const same = { org: id, user: OWNER, activity: fields.activity, leaf: fields.leaf };
  for (const name of ['data', 'event', 'person', 'salts']) same[name] = JSON.stringify(fields[name]);
  const files = [];
  let frontier = EMPTY;
  let rows = [];
  for (let number = 1; number <= entries; number += 1) {
    // The last one is whole: the next append compares its checkpoint with its hashes.
    const last =
      number === entries && nextEntry(anActivity(id, String(number)), { origin, frontier, now, key }).fields;
    const hash = createHash('sha256').update(`${orgId}:${number}`).digest();
    const appended = appendLeaf(frontier, hash);
    frontier = appended.frontier;
    const nodes = appended.completed.map((node) => Buffer.from(node).toString('base64')).join(' ');
    const { checkpoint } = last || fields;
    const entryId = `e${orgId}${String(number).padStart(13, '0')}`;
    rows.push([entryId, number, last ? last.nodes : nodes, checkpoint, `approvals:${number}`]);
    if (rows.length < ROWS_AT_ONCE && number < entries) continue;
    const file = join(dataDir, `rows-${orgId}-${files.length}.json`);
    writeFileSync(file, JSON.stringify(rows));
    files.push(file);
    rows = [];
  }
  return { same, files };
}

/** When a row with this number was created. */
const timeOf = (number) => new Date(1_790_000_000_000 + number * 10_000).toISOString().replace('T', ' ');
const padded = (number) => String(number).padStart(7, '0');

async function measure(client) {
  const owner = await client.run((records) => records.collection('gh_users').impersonate(OWNER, 3600));
  owner.autoCancellation(false);
  const works = { ...inboxOf(client), ...pagesOf(client, owner), ...logOf(client) };
  for (const [name, work] of Object.entries(works)) {
    const [a, b] = [MANY, FEW].map((org) => async () => void (await work(org)));
    const goal = name.endsWith('receipt') ? GOAL_OF_RECEIPT : GOAL;
    await compare({ name, goal, rounds: ROUNDS, a, b });
  }
}

/** The inbox of a member. GitHub shows them the organization's repository. */
function inboxOf(client) {
  const waitingPulls = createWaitingPulls(client);
  const deps = {
    teamsOf: async () => new Set(),
    ownApprovals: createOwnApprovals(client),
    clock,
    readPools: createReadPools({ candidates: createCandidates(client), clock }),
    memberships: createMemberships(client),
    // This store has none; the request for them is a part of the page.
    deployments: createDeployments({ client, seals }),
    policies: { inForce: async () => ({ policy: DEFAULT_POLICY }) },
    profiles: createInboxStores(client).profiles,
    origins: { publicUrl: PUBLIC_URL, githubUrl: PUBLIC_URL },
  };
  const newLists = () => createWaitingLists({ waitingPulls, clock });
  const kept = newLists();
  const read = async ({ orgId }, waitingLists) => {
    const visible = {
      installations: async () => [{ id: orgId, suspended: false }],
      in: async () => new Map([[orgId, 'write']]),
    };
    const { pulls } = await inbox({ ...deps, visible, waitingLists }, WANTED);
    if (pulls.length !== IN_INBOX) throw new Error(`the inbox shows ${pulls.length}`);
  };
  return {
    'inbox, first page': (org) => read(org, kept),
    'inbox, first page after a change': (org) => read(org, newLists()),
  };
}

/** The first and the hundredth page of each list, as the dashboard asks for them: after the last row of the page before. */
function pagesOf(client, owner) {
  const memberships = createMemberships(client);
  const repositoryChecks = createRepositoryChecks(client);
  const pullSearch = createPullSearch(client);
  const held = { memberships, heldAuthenticators: createHeldAuthenticators(client) };
  const all = { state: 'all', search: '', most: PAGE + 1 };
  const pageOf = (collection, { org, at, most, expand }) =>
    owner.collection(collection).getList(1, most, {
      filter: `${org}${at && ` && (created <= "${at}" && (created < "${at}" || id < "x"))`}`,
      sort: '-created,-id',
      expand,
      skipTotal: true,
    });
  const lists = {
    'waiting pull requests': ({ id }, before) =>
      pullSearch.list(id, { search: '', after: before ? `${timeOf(before)}/${before}` : '', most: PAGE }),
    repositories: ({ id }, before) =>
      repositoryChecks.list(id, { ...all, after: before ? `repository-${padded(before)}` : '' }),
    members: ({ id }, before) =>
      memberships.list(id, { ...all, after: before ? `person-${padded(before)}` : '' }),
    'members without an authenticator': ({ id }, before) =>
      memberships.list(id, { ...all, state: 'missing', after: before ? `person-${padded(before)}` : '' }),
    // With the numbers above the list.
    authenticators: ({ id, orgId, people }, before) => {
      const at = before ? timeOf(people - before / 2) : '';
      const most = AUTHENTICATORS_A_PAGE + 1;
      return Promise.all([
        countAuthenticators(held, { session: { userId: OWNER }, orgID: orgId }),
        pageOf('webauthn', { org: `org = "${id}"`, at, most, expand: 'user,org' }),
        pageOf('totps', { org: `org_id = "${id}"`, at, most, expand: 'user_id,org_id' }),
      ]);
    },
    log: ({ id, entries }, before) =>
      pageOf('gh_activities', {
        org: `org = "${id}"`,
        at: before ? timeOf(entries - before) : '',
        most: PAGE,
        expand: 'user_id',
      }),
  };
  // A thousand have no hundredth page: one in their middle.
  const hundredth = ({ people }) => Math.min(99 * PAGE, people / 2);
  return Object.fromEntries(
    Object.entries(lists).flatMap(([name, read]) => [
      [`${name}, first page`, (org) => read(org, 0)],
      [`${name}, hundredth page`, (org) => read(org, hundredth(org))],
    ]),
  );
}

function logOf(client) {
  const { activityLog, logReader } = logOver(client);
  return {
    'log, a page in the middle of an export': ({ id, entries }) => logReader.after(id, entries / 2, PAGE),
    'log, the reads of a receipt': async ({ id, entries }) => {
      const checkpoint = await logReader.newest(id);
      const numbers = Array.from({ length: OF_RECEIPT }, () => 1 + Math.floor(Math.random() * entries));
      const found = await Promise.all(
        numbers.map((number) => logReader.ofSubject(id, `approvals:${number}`)),
      );
      if (found.some(([entry]) => !entry)) throw new Error('an entry is missing');
      await logReader.paths(id, numbers, checkpoint.size);
    },
    'log, an append': ({ id }) => activityLog.send({ activity: anActivity(id, 'appended'), notices: [] }),
  };
}

const startedAt = performance.now();
let store = await start();
try {
  const client = createStoreClient(store);
  await createOrganizations(client);
  const key = await logOver(client).signingKeys.current();
  await store.stop();
  const sql = [MANY, FEW].flatMap(insertsOf);
  const execute = 'for (const sql of input.sql) $app.db().newQuery(sql).execute();';
  await runStoreCommand(dataDir, { name: 'fill', script: execute, input: { sql } });
  for (const org of [MANY, FEW])
    await runStoreCommand(dataDir, { name: 'fill', script: INSERT_ENTRIES, input: writeEntries(org, key) });
  store = await start();
  console.log(`Filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s.`);
  await measure(createStoreClient(store));
} finally {
  await store.stop();
}
