// Measures each page of a large organization: the time the server takes, compared with a small organization in the same
// run, and the number of requests to GitHub.  npm run bench -- large-organization
import { setTimeout as delay } from 'node:timers/promises';
import { SIZES } from './populate.js';
import * as world from './world.js';

// An owner may call 60 times a minute, and some lists have three pages here.
const ROUNDS = 8;
let githubRequests;
const { origin, github, stop } = await world.startWorld(SIZES, async (local) => {
  githubRequests = countRequestsTo(local.origin);
});
const get = (session, path) => world.get(origin, session, path);
const post = (session, path, body) => world.post(origin, session, path, body);
const refresh = (session) => world.refresh(origin, session);
const { median } = world;
try {
  console.log(
    `Ready. The first round over ${SIZES.repositories} repositories sent ${githubRequests.take()} requests to GitHub.`,
  );
  await measure();
} finally {
  await stop();
}

async function measure() {
  const session = await world.signIn({ origin, github }, 'octocat');
  const { facts } = github;
  await waitForMembers(session, facts.orgID);
  const largeOrg = { orgID: facts.orgID, ...(await membership(session, facts.orgID)) };
  const smallOrg = { orgID: facts.otherOrgID, ...(await membership(session, facts.otherOrgID)) };

  const lines = [];
  for (const [page, requests] of Object.entries(pages(session))) {
    const times = { large: [], small: [] };
    githubRequests.take();
    for (let round = 0; round < ROUNDS; round += 1) {
      // Alternately, so that both have the same load on the machine.
      times.large.push(await timed(() => requests(largeOrg)));
      times.small.push(await timed(() => requests(smallOrg)));
    }
    const perPage = githubRequests.take() / ROUNDS / 2;
    const [large, small] = [median(times.large), median(times.small)];
    lines.push({
      page,
      'large (ms)': large.toFixed(1),
      'slowest (ms)': Math.max(...times.large).toFixed(1),
      'small (ms)': small.toFixed(1),
      ratio: (large / small).toFixed(2),
      'requests to GitHub': perPage.toFixed(1),
    });
  }
  console.table(lines);
  const slow = lines.filter((line) => Number(line['large (ms)']) > 200);
  if (slow.length > 0) console.log(`Above 200 ms: ${slow.map(({ page }) => page).join(', ')}`);
}

/** The requests that the dashboard sends for each page. */
function pages(session) {
  const list = (collection, query) =>
    get(
      session,
      `/api/collections/${collection}/records?${new URLSearchParams({ skipTotal: '1', ...query })}`,
    );
  const log = (org, filter = '') =>
    list('gh_activities', {
      perPage: '50',
      filter: `org = "${org.record}"${filter}`,
      sort: '-created,-id',
      expand: 'user_id',
    });
  return {
    'every page: the session': () => refresh(session),
    '/org': (org) =>
      Promise.all([
        post(session, '/organization', { orgID: org.orgID }),
        list('gh_activities', {
          perPage: '5',
          filter: `org = "${org.record}"`,
          sort: '-created,-id',
          expand: 'user_id',
        }),
      ]),
    '/org: statistics': (org) => post(session, '/organization-statistics', { orgID: org.orgID }),
    '/org: repositories by state': (org) =>
      post(session, '/organization-repositories', { orgID: org.orgID, state: 'unknown' }),
    '/org: search for a repository': (org) =>
      post(session, '/organization-repositories', { orgID: org.orgID, state: 'all', search: '9' }),
    '/org: waiting pull requests': (org) => post(session, '/organization-pulls', { orgID: org.orgID }),
    '/org: search for a pull request': (org) =>
      post(session, '/organization-pulls', { orgID: org.orgID, search: '99' }),
    '/org: members': (org) => post(session, '/organization-members', { orgID: org.orgID, state: 'all' }),
    '/org: search for a member': (org) =>
      post(session, '/organization-members', { orgID: org.orgID, state: 'all', search: '99' }),
    '/org: members without an authenticator': (org) =>
      post(session, '/organization-members', { orgID: org.orgID, state: 'missing', after: 'm' }),
    '/org/authenticators': (org) =>
      Promise.all([
        list('webauthn', {
          perPage: '20',
          filter: `org = "${org.record}"`,
          sort: '-created',
          expand: 'user,org',
        }),
        list('totps', {
          perPage: '20',
          filter: `org_id = "${org.record}"`,
          sort: '-created',
          expand: 'user_id,org_id',
        }),
      ]),
    '/org/log': (org) => log(org),
    '/org/log: an older page': (org) => log(org, ` && created < "${org.middle}"`),
    '/org/log: by kind': (org) => log(org, ' && activity = "webauthnRegister"'),
    '/org/log: by person': (org) => log(org, ` && user_id = "${org.user}"`),
    '/org/log: by a rare repository': (org) => log(org, ' && data.repo = "seldom"'),
    '/org/log: by a login of a former member': (org) => log(org, ' && data.login = "gone"'),
    '/org/log: search for a person': (org) =>
      list('org_members', {
        perPage: '10',
        filter: `org = "${org.record}" && login ~ "o"`,
        fields: 'user,login',
      }),
  };
}

async function membership(session, orgID) {
  const { record } = await refresh(session);
  const found = record.expand.org_members_via_user.find(({ expand }) => expand.org.org_id === orgID);
  const query = new URLSearchParams({
    perPage: '20',
    skipTotal: '1',
    filter: `org = "${found.org}"`,
    sort: '-created',
  });
  const { items } = await get(session, `/api/collections/gh_activities/records?${query}`);
  return { record: found.org, middle: items.at(-1).created, user: items[0].user_id };
}

/** Waits until all members are known, and until the first round has left enough of GitHub's rate limit. */
async function waitForMembers(session, orgID) {
  for (;;) {
    const answer = await Promise.all([post(session, '/organization', { orgID }), refresh(session)]).catch(
      () => null,
    );
    const members = answer?.[0].members;
    if (members?.total >= SIZES.members) return console.log(`Members: ${JSON.stringify(members)}`);
    await delay(4000);
  }
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Counts the product's requests to GitHub's API; `take` returns the number since the last call. */
function countRequestsTo(githubOrigin) {
  const original = globalThis.fetch;
  let count = 0;
  globalThis.fetch = (input, init) => {
    const isProducts = new Headers(init?.headers).get('user-agent')?.includes('probot/');
    if (isProducts && String(input).startsWith(githubOrigin)) count += 1;
    return original(input, init);
  };
  return {
    take() {
      const taken = count;
      count = 0;
      return taken;
    },
  };
}
