// Fills a record store with a large organization: log entries, approvals, and members who have a passkey.
//   node bench/populate.js <folder>
// Then look at it:
//   DATA_DIR=<folder> DEMO_MEMBERS=2000 DEMO_REPOSITORIES=500 npm run demo
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import pino from 'pino';
import { createStoreClient } from '../dist/pocketbase/client.js';
import { startEmbeddedStore } from '../dist/pocketbase/process/start-embedded-store.js';
import { coveredValues } from '../dist/pocketbase/records/covered-fields.js';
import { migrate } from '../dist/pocketbase/schema/migrate.js';
import { createRecordMac } from '../dist/record-mac.js';
import { createSecretKeys } from '../dist/secret-key.js';

const log = pino({ level: 'silent' });
const PUBLIC_URL = 'http://localhost:3000';
const BATCH_SIZE = 1000;

/** The organizations of the local GitHub. */
const LARGE = { orgId: 1, login: 'octo-org', installation: 5_000_001 };
const SMALL = { orgId: 2, login: 'other-org', installation: 5_000_002 };

export const SIZES = {
  log: 100_000,
  approvals: 100_000,
  waiting: 300,
  enrolled: 200,
  members: 2000,
  repositories: 500,
};

/**
 * Fills the store in `dataDir`. `crowd` are the GitHub ids and logins of members; the first ones have signed in and have
 * a passkey. For comparison, the small organization gets one page of log entries.
 */
export async function populate(dataDir, crowd, sizes = SIZES) {
  const store = await startEmbeddedStore({ dataDir, publicUrl: PUBLIC_URL, log });
  try {
    const client = createStoreClient(store);
    const github = { clientId: 'x', clientSecret: 'x', serverUrl: PUBLIC_URL, apiUrl: PUBLIC_URL };
    const config = { store: { kind: 'embedded', dataDir }, publicUrl: PUBLIC_URL, secretKeys: [] };
    await migrate(client, config, github);
    const mac = createRecordMac(createSecretKeys(config));
    const sealed = ([collection, row, expand]) => [
      collection,
      { ...row, mac: mac.sign(collection, row.id, coveredValues(collection, { ...row, expand })) },
    ];
    await client.run(async (records) => {
      await records.settings.update({ batch: { enabled: true, maxRequests: BATCH_SIZE, timeout: 60 } });
      await write(records, [organization(LARGE), organization(SMALL)]);
      const people = crowd.slice(0, sizes.enrolled);
      // Hashing a user's password takes a tenth of a second, so we write the users in two batches at once.
      const users = people.map(user);
      await Promise.all([
        write(records, users.slice(0, users.length / 2), 10),
        write(records, users.slice(users.length / 2), 10),
      ]);
      await write(
        records,
        people.map((person) => sealed(passkey(LARGE, person))),
      );
      for (const org of [LARGE, SMALL]) {
        await write(
          records,
          people.slice(0, 30).map((person) => sealed(totp(org, person))),
        );
      }
      await write(
        records,
        people.slice(0, 30).map((person) => sealed(passkey(SMALL, person))),
      );
      await write(
        records,
        Array.from({ length: sizes.log }, (_, index) => entry(LARGE, index, people)),
      );
      await write(
        records,
        Array.from({ length: sizes.approvals }, (_, index) => sealed(approval(LARGE, index, people))),
      );
      await write(
        records,
        Array.from({ length: sizes.waiting }, (_, index) => waitingPull(LARGE, index)),
      );
      await write(
        records,
        Array.from({ length: 50 }, (_, index) => entry(SMALL, index, people)),
      );
    });
  } finally {
    await store.stop();
  }
}

async function write(records, rows, size = BATCH_SIZE) {
  for (let start = 0; start < rows.length; start += size) {
    const batch = records.createBatch();
    for (const [collection, row] of rows.slice(start, start + size)) batch.collection(collection).create(row);
    await batch.send();
  }
}

const id = (kind, number) => `${kind}${String(number).padStart(15 - kind.length, '0')}`;

const organization = ({ orgId, login, installation }) => [
  'organizations',
  {
    id: id('org', orgId),
    org_id: orgId,
    name: login,
    installation_id: installation,
    account_type: 'Organization',
  },
];

function user({ githubId, login }) {
  const password = randomBytes(24).toString('hex');
  const email = `${githubId}@unconfirmed.invalid`;
  const fields = { github_id: githubId, username: login, email, verified: true, password };
  return ['gh_users', { id: id('user', githubId), ...fields, passwordConfirm: password }];
}

const passkey = (org, { githubId }) => [
  'webauthn',
  {
    id: id(`key${org.orgId}`, githubId),
    type: 'passkey',
    label: 'Laptop',
    key_id: `key-${org.orgId}-${githubId}`,
    user: id('user', githubId),
    org: id('org', org.orgId),
    public_key: 'none',
  },
  { user: { github_id: githubId }, org: { org_id: org.orgId } },
];

const totp = (org, { githubId, login }) => [
  'totps',
  {
    id: id(`totp${org.orgId}`, githubId),
    label: `${login}@${org.login}/github`,
    user_id: id('user', githubId),
    org_id: id('org', org.orgId),
    secret: 'none',
  },
  { user_id: { github_id: githubId }, org_id: { org_id: org.orgId } },
];

function entry(org, index, people) {
  const { githubId, login } = people[index % people.length];
  const approval = {
    type: 'passkey',
    label: 'Laptop',
    user: login,
    sha: sha(index),
    pr: index,
    repo: index % 40_000 === 1 ? 'seldom' : 'hello',
  };
  const isApproval = index % 10 !== 0;
  return [
    'gh_activities',
    {
      activity: isApproval ? 'webauthnCollect' : 'webauthnRegister',
      user_id: id('user', githubId),
      org: id('org', org.orgId),
      data: {
        ...(isApproval ? approval : { type: 'passkey', label: 'Laptop', user: login }),
        login,
        org: org.login,
      },
    },
  ];
}

/** Today, with the size of a real one; every second pull request has two. */
function approval(org, index, people) {
  const { githubId, login } = people[index % people.length];
  const opened = new Date(Date.now() - 60_000 * (1 + (index % 5000))).toISOString();
  return [
    'approvals',
    {
      id: id('approval', index),
      ...{ org_id: org.orgId, user_id: githubId, login, method: 'passkey', opened },
      ...{
        repo_id: 1 + (index % 500),
        repo_name: `${org.login}/hello`,
        pr: index >> 1,
        head: sha(index),
        base: 'main',
      },
      statement: { padding: 'x'.repeat(600) },
      assertion: { padding: 'x'.repeat(900) },
      ...{ reported: opened, withdrawn: '', authenticator: 'a', installation_id: org.installation },
    },
  ];
}

/** In a repository that GitHub doesn't list, so the first round keeps none of them. */
const waitingPull = (org, index) => [
  'open_pulls',
  {
    ...{
      org: id('org', org.orgId),
      repo_id: 900_000_000 + index,
      repo_name: `repository-${index % 500}`,
      pr: 1 + index,
    },
    ...{
      title: `Change ${index}`,
      author: `member-${index}`,
      head: sha(index),
      base: 'main',
      approved: false,
    },
    since: new Date(Date.now() - index * 60_000).toISOString(),
    lacks: [{ rule: '', missing: 'Needs 1 approval from a member.' }],
  },
];

const sha = (number) => number.toString(16).padStart(40, '0');

/** The additional members of the local GitHub. */
export async function crowdOf(origin, adminToken) {
  const found = [];
  for (let page = 1; ; page += 1) {
    const answer = await fetch(`${origin}/orgs/octo-org/members?per_page=100&page=${page}`, {
      headers: { authorization: `Bearer ${adminToken}` },
    });
    const members = await answer.json();
    found.push(...members.filter(({ login }) => login.startsWith('member-')));
    if (members.length < 100) return found.map(({ id: githubId, login }) => ({ githubId, login }));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = process.argv[2];
  if (!folder) {
    console.error('Usage: node bench/populate.js <folder>');
    process.exit(1);
  }
  const { startLocalGitHub } = await import('../dist-demo/demo/local-github.js');
  const github = await startLocalGitHub({ port: 0, publicUrl: PUBLIC_URL, crowd: SIZES });
  const crowd = await crowdOf(github.origin, github.facts.adminToken);
  await github.close();
  await populate(resolve(folder), crowd);
  console.log(
    `DATA_DIR=${folder} DEMO_MEMBERS=${SIZES.members} DEMO_REPOSITORIES=${SIZES.repositories} npm run demo`,
  );
}
