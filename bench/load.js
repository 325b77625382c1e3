// The load test, a morning of a large organization, ten times as fast: npm run load -- [--people 5000] [--rounds 10]
// Pull requests with GitHub's webhooks, pages and approvals, over the built product, its record store and the local
// GitHub, each in a process of its own.
//
// Each round does a few works one after another (idle), and then many that begin at their time, regardless of how long
// earlier ones take (loaded). Only ratios of the two are judged, so that a busy machine slows both. Exits with 1 if
// anything failed or was refused, if a ratio is over its bound, or if the product's memory grew from round to round. At
// the end a burst of webhooks arrives (burst.js).
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '../scripts/free-port.js';
import { measureBurst } from './burst.js';
import { at, median } from './compare.js';
import {
  approvalOptions,
  approve,
  enrol,
  get,
  openPull,
  post,
  refresh,
  startGitHub,
  startProduct,
} from './parts.js';

const number = { type: 'string' };
const { values } = parseArgs({ options: { people: number, rounds: number } });
const PEOPLE = Number(values.people ?? 5000);
const ROUNDS = Number(values.rounds ?? 10);

/**
 * How many times as long a person may wait under load, in the median and in the 99th of a hundred. The idle times are
 * too few to have met the worst moments of a busy machine, so the second bound is far from the first.
 */
const MOST = { p50: 5, p99: 25 };
/** Loaded code and full caches are no leak. */
const WARM_UP_ROUNDS = 3;
const MOST_GROWTH = 1.1;

/** How many people approve and look. All the others are in the lists. */
const ACTIVE = 50;
const OWNER = 'octocat';
/** The local GitHub is one process, and takes long to list hundreds for each person’s inbox. */
const REPOSITORIES = 50;
/** So much longer than on any machine that works that it only ends what would never come. */
const ENDS_MS = 15 * 60_000;

/** In a morning, each of four people looks at two pages, and one of them changes something that gets approved and merged. */
const PEOPLE_OF_A_GROUP = 4;
const PAGES_OF_A_GROUP = 8;
const MORNING_SECONDS = 3 * 3600;
const TIMES = 10;
const SECONDS = 20;
const GROUPS = Math.ceil((PEOPLE / PEOPLE_OF_A_GROUP / MORNING_SECONDS) * TIMES * SECONDS);
const IDLE_GROUPS = 3;

/** A page of a list. */
const list = (collection, { org }, query) =>
  `/api/collections/${collection}/records?${new URLSearchParams({ skipTotal: '1', perPage: '50', filter: `org = "${org}"`, ...query })}`;

/** The requests of a browser for each page, when it has the scripts from an earlier visit. */
const OF_MEMBERS = {
  inbox: ({ person, post }) => [post('/inbox', { accessToken: person.accessToken })],
  overview: ({ get, post, person, orgID }) => [
    post('/organization', { orgID }),
    get(list('gh_activities', person, { perPage: '5', sort: '-created,-id', expand: 'user_id' })),
  ],
};
const OF_OWNERS = {
  overview: (calls) => [
    ...OF_MEMBERS.overview(calls),
    calls.post('/organization-statistics', { orgID: calls.orgID }),
    calls.post('/organization-pulls', { orgID: calls.orgID }),
  ],
  members: ({ post, orgID }) => [post('/organization-members', { orgID, state: 'all' })],
  repositories: ({ post, orgID }) => [post('/organization-repositories', { orgID, state: 'all' })],
  authenticators: ({ get, post, person, orgID }) => [
    post('/organization-authenticators', { orgID }),
    get(list('webauthn', person, { perPage: '20', sort: '-created', expand: 'user,org' })),
  ],
  log: ({ get, person }) => [get(list('gh_activities', person, { sort: '-created,-id', expand: 'user_id' }))],
};

const PAGES = [
  ...Object.entries(OF_MEMBERS).map(([name, requests]) => ({ name, requests, ofOwner: false })),
  ...Object.entries(OF_OWNERS).map(([name, requests]) => ({
    name: `${name} (owner)`,
    requests,
    ofOwner: true,
  })),
];

const times = { idle: new Map(), loaded: new Map() };
const failures = [];
let looks = 0;

/** The acts of the people of so many groups: functions that add their times to a map. */
const worksOf = (groups) =>
  Array.from({ length: groups }, () => [change, ...Array(PAGES_OF_A_GROUP).fill(look)]).flat();

async function change(found) {
  const pull = await organization.openPull();
  await timed(found, 'check waits', () => organization.checkWaits(pull));
  await timed(found, 'approval', () => organization.approve(pull));
  await organization.merge(pull);
}

function look(found) {
  const page = PAGES[looks++ % PAGES.length];
  return timed(found, `page: ${page.name}`, () => organization.visit(page));
}

async function timed(found, kind, work) {
  const start = performance.now();
  await work();
  found.set(kind, [...(found.get(kind) ?? []), performance.now() - start]);
}

const attempt = (work, found) => work(found).catch(({ message }) => failures.push(message));

/** Resolves to the milliseconds that a work takes on average. */
async function idleRound() {
  const start = performance.now();
  const works = worksOf(IDLE_GROUPS);
  for (const work of works) await attempt(work, times.idle);
  return (performance.now() - start) / works.length;
}

/** Begins works evenly, at times that don't depend on how long earlier ones take. */
async function loadedRound(apartMs) {
  const start = performance.now();
  const begun = [];
  for (const [index, work] of worksOf(GROUPS).entries()) {
    await delay(Math.max(0, start + index * apartMs - performance.now()));
    begun.push(attempt(work, times.loaded));
  }
  await Promise.all(begun);
}

const organization = await startOrganization();
const heaps = [];
try {
  console.log(
    `${PEOPLE} people, ${ROUNDS} rounds of ${GROUPS} pull requests, each with ${PAGES_OF_A_GROUP} pages.`,
  );
  for (let round = 1; round <= ROUNDS; round += 1) {
    const idleMs = await idleRound();
    // A slow or busy machine gets as much work in more time: one work would be done twice before the next begins.
    const apartMs = Math.max((SECONDS * 1000) / worksOf(GROUPS).length, 2 * idleMs);
    await loadedRound(apartMs);
    const { heapMB, rssMB } = await organization.memory();
    heaps.push(heapMB);
    console.log(
      `Round ${round}: a work each ${apartMs.toFixed(0)} ms (${idleMs.toFixed(0)} alone), heap ${heapMB.toFixed(1)} MB, process ${rssMB.toFixed(0)} MB, ${failures.length} failures`,
    );
  }
} finally {
  await organization.stop();
}

const rows = [...times.idle].sort().map(([kind, idle]) => {
  const loaded = times.loaded.get(kind) ?? [];
  const parts = Object.entries({ p50: median, p99: (all) => at(all, 0.99) }).map(([part, of]) => [
    [`${part} idle (ms)`, Math.round(of(idle))],
    [`${part} loaded (ms)`, Math.round(of(loaded))],
    [`${part} ratio`, Number((of(loaded) / of(idle)).toFixed(2))],
  ]);
  return { kind, idle: idle.length, loaded: loaded.length, ...Object.fromEntries(parts.flat()) };
});
console.table(rows);
for (const text of new Set(failures))
  console.error(`${failures.filter((one) => one === text).length} × ${text}`);
const slow = Object.entries(MOST).flatMap(([part, most]) =>
  rows
    .filter((row) => !(row[`${part} ratio`] <= most))
    .map((row) => `${row.kind}: ${part} ${row[`${part} ratio`]} times the idle one (at most ${most})`),
);
for (const text of slow) console.error(text);
const settled = heaps.slice(WARM_UP_ROUNDS);
const growth = settled.length > 1 ? settled.at(-1) / settled[0] : 1;
console.log(
  `Failures: ${failures.length}. Heap after round ${ROUNDS}: ${growth.toFixed(2)} times that after round ${WARM_UP_ROUNDS + 1} (at most ${MOST_GROWTH}).`,
);
const burst = await measureBurst();
for (const text of burst) console.error(text);
if (failures.length + slow.length + burst.length > 0 || growth > MOST_GROWTH) process.exitCode = 1;

/** The product, GitHub and people with passkeys. */
async function startOrganization() {
  const port = await freePort();
  const plenty = { requestsPerHour: 100_000, contentPerMinute: 1e9, contentPerHour: 1e9 };
  const github = await startGitHub({
    publicUrl: `http://localhost:${port}`,
    crowd: { members: PEOPLE, repositories: REPOSITORIES },
    rateLimits: plenty,
  });
  // GitHub's limits and those of people's calls would answer first, at a tenth of this load.
  const product = await startProduct(github, { port, env: { UNLIMITED: '1' } });
  const { origin } = product;
  const { facts } = github;
  const active = [];
  const logins = Array.from({ length: ACTIVE }, (_, index) => `member-${String(index + 1).padStart(4, '0')}`);
  for (const login of [OWNER, ...logins]) {
    const person = await enrol(product, login);
    const { record } = await refresh(origin, person);
    const { org } = record.expand.org_members_via_user.find(
      ({ expand }) => expand.org.org_id === facts.orgID,
    );
    active.push({ ...person, org });
  }
  const [owner] = active;
  await until(`the list of ${PEOPLE} members`, async () => {
    const { members } = await post(origin, owner, '/organization', { orgID: facts.orgID });
    return members?.total >= PEOPLE;
  });
  let turn = 0;
  const nextPerson = () => active[turn++ % active.length];

  return {
    /** Opens a pull request, and waits until its check does. */
    openPull: () => openPull(github),
    checkWaits: (pull) => until(`the check of #${pull.number}`, async () => (await runsOf(pull)).length > 0),
    /** Opens its page as a browser does, approves it, and waits until the check is green. */
    async approve(pull) {
      const person = nextPerson();
      await page(person);
      const options = await approvalOptions(product, person, pull);
      await approve(product, person, pull, options);
      await until(`the green check of #${pull.number}`, async () =>
        (await runsOf(pull)).some(({ conclusion }) => conclusion === 'success'),
      );
    },
    merge: ({ number }) => github.asAdmin('PUT', `/pulls/${number}/merge`),
    async visit({ requests, ofOwner }) {
      const person = ofOwner ? owner : nextPerson();
      await page(person);
      const calls = {
        person,
        orgID: facts.orgID,
        get: (path) => get(origin, person, path),
        post: (path, body) => post(origin, person, path, body),
      };
      await Promise.all(requests(calls));
    },
    /** In megabytes; the heap after a garbage collection. */
    async memory() {
      product.child.send('memory');
      const [{ memory }] = await once(product.child, 'message');
      return { heapMB: memory.heapUsed / 2 ** 20, rssMB: memory.rss / 2 ** 20 };
    },
    async stop() {
      await product.stop();
      await github.stop();
    },
  };

  /** The document, and the session that every page renews. */
  async function page(person) {
    const document = await fetch(`${origin}/org`, { headers: { accept: 'text/html' } });
    if (!document.ok) throw new Error(`/org: ${document.status}`);
    await document.arrayBuffer();
    await refresh(origin, person);
  }

  /** With a person's token, because GitHub limits the requests of each. */
  async function runsOf({ head }) {
    const { accessToken } = nextPerson();
    const { org, repo } = facts;
    const answer = await fetch(`${github.origin}/repos/${org}/${repo}/commits/${head.sha}/check-runs`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    if (!answer.ok) throw new Error(`check runs: ${answer.status}`);
    return (await answer.json()).check_runs;
  }
}

/** Waits, without judging how long: the load test compares that. `what` is what the error says didn't come. */
async function until(what, holds) {
  const end = performance.now() + ENDS_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${what} didn't come in ${ENDS_MS / 60_000} minutes`);
    await delay(50);
  }
}
