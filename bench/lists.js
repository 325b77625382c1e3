// Compares the pages of lists with a million entries, or a hundred thousand people, with those of a thousand, in the
// same store: the inbox, waiting pull requests, repositories, members and authenticators.  npm run bench -- lists
import { countAuthenticators } from '../dist/authenticators/count-authenticators.js';
import { systemClock as clock } from '../dist/clock.js';
import { DEFAULT_POLICY } from '../dist/contract/policy.js';
import { inbox } from '../dist/inbox/inbox.js';
import { createReadPools } from '../dist/inbox/read-where.js';
import { createWaitingLists } from '../dist/inbox/waiting-lists.js';
import { createHeldAuthenticators } from '../dist/pocketbase/records/held-authenticators.js';
import { createCandidates, createMemberships } from '../dist/pocketbase/records/memberships.js';
import { createPullSearch } from '../dist/pocketbase/records/pull-search.js';
import { createRepositoryChecks } from '../dist/pocketbase/records/repository-checks.js';
import { createWaitingPulls } from '../dist/pocketbase/records/waiting-pulls.js';
import { compare } from './compare.js';
import { asPerson, LARGE, PUBLIC_URL, SMALL, withFilledStore } from './filled-store.js';

const GOAL = 1.2;
const ROUNDS = 200;
const MANY = { ...LARGE, entries: 1_000_000, people: 100_000 };
const FEW = { ...SMALL, entries: 1_000, people: 1_000 };
const PAGE = 50;
const AUTHENTICATORS_A_PAGE = 25;
const OWNER = 'user00000000001';
const IN_INBOX = 100;
const MEMBER = { userId: 'user00000000002', githubId: 2, login: 'person-2' };

const digits = (number, length) => String(number).padStart(length, '0');
const timeOf = (i) => new Date(1_790_000_000_000 + i * 10_000).toISOString().replace('T', ' ');
const silently = async (work) => void (await work);

async function fill() {
  const sql = [MANY, FEW].flatMap(rowsOf);
  return [{ script: 'for (const sql of input.sql) $app.db().newQuery(sql).execute();', input: { sql } }];
}

/** The owner of both organizations is the first person in each. */
function rowsOf({ id, orgId, entries, people }) {
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
      'open_pulls (id, org, repo_id, repo_name, pr, title, author, head, base, approved, since, changed, lacks)',
      `${rowId('p')}, '${id}', ${orgId}, 'repository', i, 'Change ' || i, 'person-1', PRINTF('%040d', i), 'main', FALSE, ${at}, ${at}, '[]'`,
      entries,
    ),
    insert(
      'repository_checks (id, org, repo_id, name, default_branch, required, checked, due)',
      `${rowId('r')}, '${id}', ${orgId * 10_000_000} + i, PRINTF('repository-%07d', i), 'main', 'thisApp', ${at}, ${at}`,
      entries,
    ),
  ];
}

/** The inbox of a member. GitHub shows them the organization's repository. */
function inboxesOf(client) {
  const waitingPulls = createWaitingPulls(client);
  const deps = {
    teamsOf: async () => new Set(),
    readPools: createReadPools({ candidates: createCandidates(client), clock }),
    memberships: createMemberships(client),
    policies: { inForce: async () => ({ policy: DEFAULT_POLICY }) },
    origins: { publicUrl: PUBLIC_URL, githubUrl: PUBLIC_URL },
  };
  const newLists = () => createWaitingLists({ waitingPulls, clock });
  const kept = newLists();
  const read = async ({ orgId }, waitingLists) => {
    const visible = {
      installations: async () => [{ id: orgId, suspended: false }],
      in: async () => new Map([[orgId, 'write']]),
    };
    const { pulls } = await inbox({ ...deps, visible, waitingLists }, { session: MEMBER, accessToken: '' });
    if (pulls.length !== IN_INBOX) throw new Error(`the inbox shows ${pulls.length}`);
  };
  return {
    'inbox, first page': (org) => read(org, kept),
    'inbox, first page after a change': (org) => read(org, newLists()),
  };
}

async function measure(client) {
  const compared = (name, read) =>
    compare({
      name,
      goal: GOAL,
      rounds: ROUNDS,
      a: () => silently(read(MANY)),
      b: () => silently(read(FEW)),
    });
  for (const [name, read] of Object.entries(inboxesOf(client))) await compared(name, read);
  const owner = await asPerson(client, OWNER);
  const memberships = createMemberships(client);
  const repositoryChecks = createRepositoryChecks(client);
  const pullSearch = createPullSearch(client);
  const held = { memberships, heldAuthenticators: createHeldAuthenticators(client) };
  const lists = {
    'waiting pull requests': ({ id }, before) =>
      pullSearch.list(id, { search: '', after: before ? `${timeOf(before)}/${before}` : '', most: PAGE }),
    repositories: ({ id }, before) =>
      repositoryChecks.list(id, {
        state: 'all',
        search: '',
        after: before ? `repository-${digits(before, 7)}` : '',
        most: PAGE + 1,
      }),
    members: ({ id }, before) =>
      memberships.list(id, {
        state: 'all',
        search: '',
        after: before ? `person-${digits(before, 7)}` : '',
        most: PAGE + 1,
      }),
    'members without an authenticator': ({ id }, before) =>
      memberships.list(id, {
        state: 'missing',
        search: '',
        after: before ? `person-${digits(before, 7)}` : '',
        most: PAGE + 1,
      }),
    // From the newest on, as the dashboard asks the record store, with the numbers above the list.
    authenticators: ({ id, orgId, people }, before) =>
      Promise.all([
        countAuthenticators(held, { session: { userId: OWNER }, orgID: orgId }),
        ...[
          ['webauthn', 'user', 'org'],
          ['totps', 'user_id', 'org_id'],
        ].map(([name, user, org]) => {
          const at = timeOf(people - before);
          const rest = ` && (created <= "${at}" && (created < "${at}" || id < "x"))`;
          return owner.collection(name).getList(1, AUTHENTICATORS_A_PAGE + 1, {
            filter: `${org} = "${id}"${before ? rest : ''}`,
            sort: '-created,-id',
            expand: `${user},${org}`,
            skipTotal: true,
          });
        }),
      ]),
  };
  // A thousand have no hundredth page: one in their middle.
  for (const [name, read] of Object.entries(lists))
    for (const [page, skipped] of [
      ['first page', 0],
      ['hundredth page', 99 * (name === 'authenticators' ? AUTHENTICATORS_A_PAGE : PAGE)],
    ])
      await compared(`${name}, ${page}`, (org) => read(org, skipped && Math.min(skipped, org.people / 2)));
}

await withFilledStore({ fill, measure });
