// Measures each page of a large organization: the time the server takes, compared with a small organization in the same
// run, and the number of requests to GitHub.  npm run bench -- large-organization
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { readConfig } from '../dist/config.js';
import { startProduct } from '../dist/product.js';
import { startLocalGitHub } from '../dist-demo/demo/local-github.js';
import { crowdOf, populate, SIZES } from './populate.js';

const ROUNDS = 15;
const dataDir = mkdtempSync(join(tmpdir(), 'otp-guard-bench-'));
const port = await freePort();
const origin = `http://localhost:${port}`;
const github = await startLocalGitHub({ port: 0, publicUrl: origin, crowd: SIZES });
const githubRequests = countRequestsTo(github.origin);
let product;
try {
  const crowd = await crowdOf(github.origin, github.facts.adminToken);
  console.log(
    `Populating: ${SIZES.log} log entries, ${SIZES.enrolled} of ${SIZES.members} members enrolled …`,
  );
  await populate(dataDir, crowd);
  const config = readConfig({
    ...github.env,
    PORT: String(port),
    HOST: 'localhost',
    DATA_DIR: dataDir,
    PUBLIC_URL: origin,
  });
  product = await startProduct(config, { log: pino({ level: 'silent' }) });
  await product.firstRound;
  console.log(
    `Ready. The first round over ${SIZES.repositories} repositories sent ${githubRequests.take()} requests to GitHub.`,
  );
  await measure();
} finally {
  await product?.stop();
  await github.close();
  rmSync(dataDir, { recursive: true, force: true });
}

async function measure() {
  const session = await signIn('octocat');
  const { facts } = github;
  const largeOrg = { orgID: facts.orgID, ...(await membership(session, facts.orgID)) };
  const smallOrg = { orgID: facts.otherOrgID, ...(await membership(session, facts.otherOrgID)) };
  await waitForMembers(session, largeOrg.orgID);

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

async function waitForMembers(session, orgID) {
  for (;;) {
    const { members } = await post(session, '/organization', { orgID });
    if (members.total >= SIZES.members) return console.log(`Members: ${JSON.stringify(members)}`);
    await delay(200);
  }
}

function refresh(session) {
  return post(session, '/api/collections/gh_users/auth-refresh?expand=org_members_via_user.org', {});
}

async function get(session, path) {
  return read(path, await fetch(`${origin}${path}`, { headers: { authorization: session.token } }));
}

async function post(session, path, body) {
  const headers = {
    'content-type': 'application/json',
    ...(session.token && { authorization: session.token }),
  };
  return read(path, await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }));
}

async function read(path, answer) {
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Signs in as a browser does: GitHub's sign-in page, then the exchange of its code. */
async function signIn(login) {
  const { oauth2 } = await get({ token: '' }, '/api/collections/gh_users/auth-methods');
  const [provider] = oauth2.providers;
  const redirectURL = `${origin}/oauth`;
  const { searchParams } = new URL(`${provider.authURL}${encodeURIComponent(redirectURL)}`);
  const chosen = await fetch(`${github.origin}/login/oauth/callback`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({
      login,
      redirect_uri: redirectURL,
      scope: '',
      state: searchParams.get('state'),
      client_id: searchParams.get('client_id'),
    }),
  });
  const code = new URL(chosen.headers.get('location')).searchParams.get('code');
  const answer = { provider: 'github', code, codeVerifier: provider.codeVerifier, redirectURL };
  return post({ token: '' }, '/api/collections/gh_users/auth-with-oauth2', answer);
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
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

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port: free } = server.address();
  await new Promise((done) => server.close(done));
  return free;
}
