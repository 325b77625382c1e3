// Compares the log of a million entries with one of a thousand, in the same store: pages of it, the reads of a receipt,
// and an append.  npm run bench -- log
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSealer } from '../dist/authenticators/seal.js';
import { createActivityLog } from '../dist/pocketbase/records/activity-log.js';
import { createLogReader } from '../dist/pocketbase/records/log-reader.js';
import { nextEntry } from '../dist/pocketbase/records/next-entry.js';
import { createRecordSeals } from '../dist/pocketbase/records/record-seals.js';
import { createSigningKeys } from '../dist/pocketbase/records/signing-keys.js';
import { appendLeaf, EMPTY } from '../dist/proofs/merkle.js';
import { createRecordMac } from '../dist/record-mac.js';
import { compare } from './compare.js';
import { asPerson, LARGE, PUBLIC_URL, SMALL, withFilledStore } from './filled-store.js';

const GOAL = 1.2;
/** An audit path in a log of a million entries is twice as long as in one of a thousand. */
const GOAL_OF_PATHS = 2;
const ROUNDS = 200;
const PAGE = 50;
const ORGS = [
  { ...LARGE, size: 1_000_000 },
  { ...SMALL, size: 1_000 },
];
const USER = 'user00000000011';
const AT_ONCE = 20_000;
/** How many entries a receipt proves: the approval, and how its key came in. */
const OF_RECEIPT = 5;

const timeOf = (number) => new Date(1_700_000_000_000 + number * 1000).toISOString().replace('T', ' ');

function portsOver(client) {
  const keys = () => ['a-key-of-the-benchmark-of-more-than-32-characters'];
  const seals = createRecordSeals(createRecordMac(keys), () => undefined);
  const signingKeys = createSigningKeys(client, createSealer(keys), seals);
  const activityLog = createActivityLog(client, signingKeys, { publicUrl: PUBLIC_URL });
  return { signingKeys, activityLog, logReader: createLogReader(client, signingKeys) };
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

/** A member through the store's own interface, the entries through its console. */
async function fill(client, folder) {
  await client.run(async (records) => {
    const password = 'a-password-of-the-benchmark';
    const secret = { password, passwordConfirm: password, email: 'x@unconfirmed.invalid', verified: true };
    await records.collection('gh_users').create({ id: USER, github_id: 11, username: 'mona', ...secret });
    for (const { id } of ORGS) {
      const member = { org: id, github_id: 11, login: 'mona', role: 'admin', user: USER };
      await records.collection('org_members').create(member);
    }
  });
  const key = await portsOver(client).signingKeys.current();
  return ORGS.map((org) => ({ script: INSERT, input: writeEntries(org, key, folder) }));
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
function writeEntries({ id, orgId, size }, key, folder) {
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
      const file = join(folder, `rows-${orgId}-${files.length}.json`);
      writeFileSync(file, JSON.stringify(rows));
      files.push(file);
      rows = [];
    }
  }
  return { same, files };
}

const idOf = (orgId, number) => `e${orgId}${String(number).padStart(13, '0')}`;
const subjectOf = (number) => `approvals:${number}`;

async function measure(client) {
  const { activityLog, logReader } = portsOver(client);
  const member = await asPerson(client, USER);
  // As the dashboard reads it: from an entry on, which new entries don't move.
  const page = ({ id }, at) =>
    member.collection('gh_activities').getList(1, PAGE, {
      filter: `org = "${id}"${at && ` && (created <= "${at}" && (created < "${at}" || id < "x"))`}`,
      sort: '-created,-id',
      expand: 'user_id',
      skipTotal: true,
    });
  const works = {
    'log, first page': (org) => page(org, ''),
    // A thousand have no hundredth page: one in their middle.
    'log, hundredth page': (org) => page(org, timeOf(org.size - Math.min(99 * PAGE, org.size / 2))),
    'log, a page in the middle of an export': ({ id, size }) => logReader.after(id, size / 2, PAGE),
    'log, the reads of a receipt': async ({ id, size }) => {
      const checkpoint = await logReader.newest(id);
      const numbers = Array.from({ length: OF_RECEIPT }, () => 1 + Math.floor(Math.random() * size));
      const found = await Promise.all(numbers.map((number) => logReader.ofSubject(id, subjectOf(number))));
      if (found.some(([entry]) => !entry)) throw new Error('an entry is missing');
      await logReader.paths(id, numbers, checkpoint.size);
    },
    'log, an append': ({ id }) => activityLog.send({ activity: anActivity(id, 'appended'), notices: [] }),
  };
  for (const [name, work] of Object.entries(works)) {
    const [a, b] = ORGS.map((org) => async () => void (await work(org)));
    const goal = name.endsWith('receipt') ? GOAL_OF_PATHS : GOAL;
    await compare({ name, goal, rounds: ROUNDS, a, b });
  }
}

await withFilledStore({ fill, measure });
