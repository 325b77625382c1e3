import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { normalise, startWorld } from './world.js';

const FIXTURES = join(dirname(dirname(import.meta.dirname)), 'fixtures/webhooks');
const APP = { id: 314159, slug: 'otp-guard', name: 'OTP Guard' };
const EVENTS = [
  ...['pull_request', 'check_run', 'check_suite', 'merge_group', 'branch_protection_rule', 'repository'],
  ...['membership', 'organization', 'marketplace_purchase', 'installation_repositories', 'installation'],
];
/** Requests whose time the clock decides: for tokens, and what each repository requires, which a round reads. */
const TIMED = /\/access_tokens$|\/rules\/branches\/|\/protection\/required_status_checks$/;
/** Webhooks that GitHub's examples and our fixtures lack, made from another one. */
const DERIVED = {
  'merge_group.destroyed': {
    from: 'merge_group.checks_requested',
    change: { action: 'destroyed', reason: 'dequeued' },
  },
  'check_run.requested_action': {
    from: 'check_run.rerequested',
    change: { action: 'requested_action', requested_action: { identifier: 'check' } },
  },
  'pull_request.converted_to_draft': {
    from: 'pull_request.ready_for_review',
    change: { action: 'converted_to_draft' },
  },
};

/**
 * The requests that the product sends to GitHub for each webhook: for real changes at the local GitHub, then for each
 * fixture and each of GitHub's examples, about a pull request and the organization of the local GitHub.
 */
export async function webhookRequests() {
  const world = await startWorld();
  try {
    const parts = [...(await tellChanges(world)), ...(await tellPayloads(world))];
    return normalise(world, `${parts.join('\n')}\n`);
  } finally {
    await world.stop();
  }
}

/** Runs `act`, and tells what GitHub got for it. */
async function told(world, name, act) {
  world.recorder.take();
  const answer = await act().catch((error) => ({ status: 'failed', text: error.message }));
  await world.recorder.quiet();
  const requests = world.recorder.take().filter(({ url }) => !TIMED.test(url));
  const isRead = ({ method, url }) => method === 'GET' || url === '/graphql';
  const reads = [...new Set(requests.filter(isRead).map(readOf))].sort();
  const writes = requests.filter((one) => !isRead(one)).map(writeOf);
  const said = answer?.text === undefined ? [] : [`answer: ${answer.status} ${answer.text}`];
  return [`== ${name}`, ...said, ...reads, ...writes, ''].join('\n');
}

const pathOf = (url) => {
  const { pathname, searchParams } = new URL(url, 'http://github');
  searchParams.sort();
  return `${pathname.replace(/\/(check-runs|check-suites|deliveries)\/\d+/, '/$1/{id}')}${searchParams.size ? `?${searchParams}` : ''}`;
};

function readOf({ method, url, body }) {
  if (url !== '/graphql') return `  ${method} ${pathOf(url)}`;
  const { query, variables } = JSON.parse(body);
  return `  query ${query.replace(/\s+/g, ' ')} ${JSON.stringify(variables)}`;
}

function writeOf({ method, url, body, status }) {
  const sent = body === '' ? '' : JSON.stringify(sorted(JSON.parse(body)), null, 1);
  return `  ${method} ${pathOf(url)}: ${status}\n${sent}`
    .replace(/(\/log\/\d+\\n\d+\\n)[A-Za-z0-9+/=]+/g, '$1{root}')
    .replace(/(— \S+) [A-Za-z0-9+/=]+/g, '$1 {signature}')
    .replace(/`[0-9a-f]{8}`/g, '`{short}`')
    .replace(/(?<="(external_id|identifier)": ")[^"]+/g, '{id}');
}

const sorted = (value) =>
  Array.isArray(value) || typeof value !== 'object' || value === null
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .sort()
          .map(([name, one]) => [name, sorted(one)]),
      );

/** Changes at the local GitHub, which sends the webhooks. */
async function tellChanges(world) {
  const { facts, asAdmin } = world;
  const path = `/repos/${facts.org}/${facts.repo}`;
  const queue = `/_local/merge-queue/${facts.org}/${facts.repo}`;
  const members = `/orgs/${facts.org}/memberships/hubot`;
  let pull;
  const patch = (change) => asAdmin('PATCH', `${path}/pulls/${pull.number}`, change);
  const rename = (from, name) => asAdmin('PATCH', `/repos/${facts.org}/${from}`, { name });
  const rerun = async (of) => {
    const { check_runs: runs } = await asAdmin(
      'GET',
      `${path}/commits/${pull.head.sha}/check-runs?filter=all`,
    );
    const run = runs.find(({ name }) => name === APP.name);
    await asAdmin(
      'POST',
      of === 'run'
        ? `${path}/check-runs/${run.id}/rerequest`
        : `${path}/check-suites/${run.check_suite.id}/rerequest`,
    );
  };
  const changes = {
    'a pull request is opened': async () => {
      pull = await world.openPull('changed');
    },
    'its title changes': () => patch({ title: 'Another title' }),
    'its branch gets a commit': async () => {
      await asAdmin('POST', `${path}/git/refs`, { ref: 'refs/heads/release', sha: pull.base.sha });
      await asAdmin('PUT', `${path}/pulls/${pull.number}/update-branch`, {});
      pull = await asAdmin('GET', `${path}/pulls/${pull.number}`);
    },
    'its base changes': () => patch({ base: 'release' }),
    'its base changes back': () => patch({ base: 'main' }),
    'it becomes a draft': () => patch({ draft: true }),
    'it is ready again': () => patch({ draft: false }),
    'it is closed': () => patch({ state: 'closed' }),
    'it is reopened': () => patch({ state: 'open' }),
    'a review is requested': () =>
      asAdmin('POST', `${path}/pulls/${pull.number}/requested_reviewers`, { reviewers: ['mona'] }),
    'its run is requested again': () => rerun('run'),
    'its suite is requested again': () => rerun('suite'),
    'it enters the merge queue': () => asAdmin('POST', queue, { pull_number: pull.number }),
    'it leaves the merge queue': () =>
      asAdmin('DELETE', queue, { pull_number: pull.number, reason: 'dequeued' }),
    'a member is added': () => asAdmin('PUT', members, { role: 'member' }),
    'a member is removed': () => asAdmin('DELETE', `/orgs/${facts.org}/members/hubot`),
    'the repository is renamed': () => rename(facts.repo, 'renamed'),
    'the repository is named back': () => rename('renamed', facts.repo),
    'the repository is archived': () => asAdmin('PATCH', path, { archived: true }),
    'the repository is unarchived': () => asAdmin('PATCH', path, { archived: false }),
    'the other organization uninstalls the App': () =>
      asAdmin('DELETE', `/_local/installations/${facts.otherInstallation}`),
    'the other organization installs the App': () =>
      asAdmin('POST', '/_local/installations', { account: facts.otherOrg }),
  };
  const parts = [];
  for (const [name, act] of Object.entries(changes)) parts.push(await told(world, name, act));
  return parts;
}

/** Fixtures and examples, one after another; those that end the installation come last. */
async function tellPayloads(world) {
  const { facts, asAdmin } = world;
  const path = `/repos/${facts.org}/${facts.repo}`;
  const pull = await world.openPull('delivered');
  const fixtures = readdirSync(FIXTURES)
    .filter((name) => name.endsWith('.json'))
    .map((name) => [name.replace('.json', ''), JSON.parse(readFileSync(join(FIXTURES, name), 'utf8'))]);
  const byName = Object.fromEntries(fixtures);
  const derived = Object.entries(DERIVED).map(([name, { from, change }]) => [
    name,
    { ...byName[from], ...change },
  ]);
  const examples = createRequire(import.meta.url)('@octokit/webhooks-examples').flatMap(
    ({ name, examples: all }) =>
      all.map((payload, at) => [`${name}.${payload.action}, example ${at + 1}`, payload]),
  );
  const all = [...fixtures, ...derived, ...examples]
    .map(([name, payload]) => ({ name, event: name.split('.')[0], payload }))
    .filter(({ event }) => EVENTS.includes(event))
    .sort((a, b) => EVENTS.indexOf(a.event) - EVENTS.indexOf(b.event));
  const { check_runs: runs } = await asAdmin('GET', `${path}/commits/${pull.head.sha}/check-runs`);
  const local = {
    pull: await asAdmin('GET', `${path}/pulls/${pull.number}`),
    run: runs.find(({ name }) => name === APP.name),
    repository: await asAdmin('GET', path),
    organization: await asAdmin('GET', `/orgs/${facts.org}`),
    mona: await asAdmin('GET', '/users/mona'),
  };
  const parts = [];
  for (const { name, event, payload } of all)
    parts.push(await told(world, name, () => world.deliver(event, adapt(payload, { ...local, facts }))));
  return parts;
}

/** The payload about the local GitHub's organization, repository, pull request and member. */
function adapt(payload, { facts, pull, run, repository, organization, mona }) {
  const { login, id, node_id, type = 'Organization' } = { ...organization, ...repository.owner };
  const account = { login, id, node_id, type };
  const head = { head_sha: pull.head.sha };
  const pull_requests = [{ id: pull.id, number: pull.number, head: pull.head, base: pull.base }];
  const changes = {
    installation: { account, app_id: APP.id, app_slug: APP.slug, suspended_at: null },
    repository,
    organization: account,
    pull_request: { ...pull, state: payload.pull_request?.state, draft: payload.pull_request?.draft },
    check_run: { ...head, id: run.id, name: APP.name, app: APP, pull_requests },
    check_suite: { ...head, id: run.check_suite?.id, app: APP, pull_requests },
    merge_group: {
      head_ref: `refs/heads/gh-readonly-queue/main/pr-${pull.number}-${pull.base.sha}`,
      ...{ base_ref: 'refs/heads/main', base_sha: pull.base.sha, head_sha: pull.head.sha },
    },
    member: mona,
    membership: { user: mona },
  };
  const adapted = { ...payload };
  for (const [name, change] of Object.entries(changes))
    if (typeof payload[name] === 'object') adapted[name] = { ...payload[name], ...change };
  if (payload.number) adapted.number = pull.number;
  if (payload.after) Object.assign(adapted, { before: pull.base.sha, after: pull.head.sha });
  return { ...adapted, installation: { ...adapted.installation, id: facts.installation } };
}
