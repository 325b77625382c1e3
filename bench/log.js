// Measures the log of a million entries against one of a thousand, in the same store and in turn: a page of it, the
// reads of a receipt, and an append. Exits with 1 if one costs more than 1.5 times as much.  npm run bench -- log
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { createSealer } from '../dist/authenticators/seal.js';
import { createStoreClient } from '../dist/pocketbase/client.js';
import { runStoreCommand } from '../dist/pocketbase/process/run-store-command.js';
import { startEmbeddedStore } from '../dist/pocketbase/process/start-embedded-store.js';
import { createActivityLog } from '../dist/pocketbase/records/activity-log.js';
import { createLogReader } from '../dist/pocketbase/records/log-reader.js';
import { nextEntry } from '../dist/pocketbase/records/next-entry.js';
import { createRecordSeals } from '../dist/pocketbase/records/record-seals.js';
import { createSigningKeys } from '../dist/pocketbase/records/signing-keys.js';
import { migrate } from '../dist/pocketbase/schema/migrate.js';
import { appendLeaf, EMPTY } from '../dist/proofs/merkle.js';
import { createRecordMac } from '../dist/record-mac.js';

const ROUNDS = 60;
const MOST_RATIO = 1.5;
const ORGS = [
  { id: 'org000000000001', orgId: 1, size: 1_000_000 },
  { id: 'org000000000002', orgId: 2, size: 1_000 },
];
const USER = 'user00000000011';
const PUBLIC_URL = 'http://localhost:3000';
const AT_ONCE = 20_000;
/** How many entries a receipt proves: the approval, and how its key came in. */
const OF_RECEIPT = 5;

const log = pino({ level: 'silent' });
const dataDir = mkdtempSync(join(tmpdir(), 'otp-guard-bench-'));
function portsOver(client) {
  const keys = () => ['a-key-of-the-benchmark-of-more-than-32-characters'];
  const seals = createRecordSeals(createRecordMac(keys), () => undefined);
  const signingKeys = createSigningKeys(client, createSealer(keys), seals);
  const activityLog = createActivityLog(client, signingKeys, { publicUrl: PUBLIC_URL });
  return { client, signingKeys, activityLog, logReader: createLogReader(client, signingKeys) };
}

const anActivity = (org, name) => ({
  activity: 'webauthnCollect',
  userId: USER,
  orgRecordId: org,
  data: {
    login: 'mona',
    user: 'mona',
    type: 'passkey',
    sha: 'ab'.repeat(20),
    pr: 7,
    repo: 'hello',
    org: 'octo',
  },
  subject: `approvals:${name}`,
  facts: { repoId: 1, userVerified: true },
  personFacts: { by: { id: 11, login: 'mona' }, proofSha256: 'x'.repeat(43) },
});

/** Organizations and a member through the store's own interface, the entries through its console. */
async function fill() {
  const filling = await startEmbeddedStore({ dataDir, publicUrl: PUBLIC_URL, log });
  const logs = [];
  try {
    const { client, signingKeys } = portsOver(createStoreClient(filling));
    const github = { clientId: 'x', clientSecret: 'x', serverUrl: PUBLIC_URL, apiUrl: PUBLIC_URL };
    const store = { kind: 'embedded', dataDir };
    await migrate(client, { store, publicUrl: PUBLIC_URL, secretKeys: [] }, github);
    await client.run(async (records) => {
      const password = 'a-password-of-the-benchmark';
      const secret = { password, passwordConfirm: password, email: 'x@unconfirmed.invalid', verified: true };
      await records.collection('gh_users').create({ id: USER, github_id: 11, username: 'mona', ...secret });
      for (const { id, orgId } of ORGS) {
        await records
          .collection('organizations')
          .create({ id, org_id: orgId, name: `org-${orgId}`, installation_id: orgId });
        const member = { org: id, github_id: 11, login: 'mona', role: 'admin', user: USER };
        await records.collection('org_members').create(member);
      }
    });
    const key = await signingKeys.current();
    for (const org of ORGS) logs.push(writeEntries(org, key));
  } finally {
    await filling.stop();
  }
  for (const input of logs) await runStoreCommand(dataDir, { name: 'fill', script: INSERT, input });
}

/** Runs in PocketBase. What differs from entry to entry comes from files. */
const INSERT = `
  const columns = 'id, org, user_id, activity, data, leaf, event, person, salts, entry_number, nodes, checkpoint, subject, created';
  const values = "{:org}, {:user}, {:activity}, {:data}, {:leaf}, {:event}, {:person}, {:salts}";
  const varying = "value->>0, " + values + ", value->>1, value->>2, value->>3, value->>4";
  const at = "strftime('%Y-%m-%d %H:%M:%fZ', 1700000000 + (value->>1), 'unixepoch')";
  const query = 'INSERT INTO gh_activities (' + columns + ') SELECT ' + varying + ', ' + at + ' FROM json_each({:rows})';
  for (const file of input.files) {
    const rows = toString($os.readFile(file));
    $app.db().newQuery(query).bind({ ...input.same, rows }).execute();
  }
`;

/** The entries have one text in common. Their hashes are those of a real log, so that reads and appends work on it. */
function writeEntries({ id, orgId, size }, key) {
  const origin = `localhost:3000/log/${orgId}`;
  const now = new Date();
  const { fields } = nextEntry(anActivity(id, 'same'), { origin, frontier: EMPTY, now, key });
  const same = { org: id, user: USER, activity: fields.activity, leaf: fields.leaf };
  for (const name of ['data', 'event', 'person', 'salts']) same[name] = JSON.stringify(fields[name]);
  const files = [];
  let frontier = EMPTY;
  let rows = [];
  for (let number = 1; number <= size; number += 1) {
    const before = frontier;
    const hash = createHash('sha256').update(`${orgId}:${number}`).digest();
    const { completed, frontier: after } = appendLeaf(before, hash);
    frontier = after;
    const nodes = completed.map((node) => Buffer.from(node).toString('base64')).join(' ');
    let { checkpoint } = fields;
    if (number === size) {
      // The last one is whole: the next append compares its checkpoint with its hashes.
      const last = nextEntry(anActivity(id, String(number)), { origin, frontier: before, now, key });
      ({ checkpoint } = last.fields);
      rows.push([idOf(orgId, number), number, last.fields.nodes, checkpoint, subjectOf(number)]);
    } else rows.push([idOf(orgId, number), number, nodes, checkpoint, subjectOf(number)]);
    if (rows.length === AT_ONCE || number === size) {
      const file = join(dataDir, `rows-${orgId}-${files.length}.json`);
      writeFileSync(file, JSON.stringify(rows));
      files.push(file);
      rows = [];
    }
  }
  return { same, files };
}

const idOf = (orgId, number) => `e${orgId}${String(number).padStart(13, '0')}`;
const subjectOf = (number) => `approvals:${number}`;

async function measure({ client, activityLog, logReader }) {
  const member = await client.run((records) => records.collection('gh_users').impersonate(USER, 3600));
  member.autoCancellation(false);
  const works = {
    'a page of the log, as the dashboard reads it': ({ id }) =>
      member.collection('gh_activities').getList(1, 50, {
        filter: `org = "${id}"`,
        sort: '-created,-id',
        expand: 'user_id',
        skipTotal: true,
      }),
    'a page in the middle of an export': ({ id, size }) => logReader.after(id, size / 2, 50),
    'the newest checkpoint': ({ id }) => logReader.newest(id),
    'the audit path of one entry': async ({ id, size }) =>
      logReader.paths(id, [1 + Math.floor(Math.random() * size)], size),
    'the reads of a receipt': async ({ id, size }) => {
      const checkpoint = await logReader.newest(id);
      const numbers = Array.from({ length: OF_RECEIPT }, () => 1 + Math.floor(Math.random() * size));
      const found = await Promise.all(numbers.map((number) => logReader.ofSubject(id, subjectOf(number))));
      if (found.some(([entry]) => !entry)) throw new Error('an entry is missing');
      await logReader.paths(id, numbers, checkpoint.size);
    },
    'an append': ({ id }) => activityLog.send({ activity: anActivity(id, 'appended'), notices: [] }),
  };
  const lines = Object.entries(works).map(([what, work]) => ({ what, work }));
  const table = [];
  for (const { what, work } of lines) {
    const times = ORGS.map(() => []);
    // The first of each reads the database from the disk.
    for (const org of ORGS) await work(org);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [at, org] of ORGS.entries()) times[at].push(await timed(() => work(org)));
    const [large, small] = times.map((list) => list.toSorted((one, other) => one - other));
    const ratio = middle(large) / middle(small);
    table.push({
      what,
      'a million (ms)': spread(large),
      'a thousand (ms)': spread(small),
      ratio: ratio.toFixed(2),
    });
  }
  console.log(`${ROUNDS} rounds, in turn. Median, and from the 10th to the 90th of a hundred.`);
  console.table(table);
  return table.some(({ ratio }) => Number(ratio) > MOST_RATIO);
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const at = (list, part) => list[Math.floor((list.length - 1) * part)];
const middle = (list) => at(list, 0.5);
const spread = (list) =>
  `${middle(list).toFixed(1)} (${at(list, 0.1).toFixed(1)}–${at(list, 0.9).toFixed(1)})`;

let store;
let failed = false;
try {
  const startedAt = performance.now();
  await fill();
  store = await startEmbeddedStore({ dataDir, publicUrl: PUBLIC_URL, log });
  console.log(`Filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s.`);
  failed = await measure(portsOver(createStoreClient(store)));
} finally {
  await store?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;
