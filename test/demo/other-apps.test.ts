import { beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../support/until.ts';
import { world } from './one-world.ts';
import type { Json } from './world.ts';

// Check runs of other Apps, which most commits have: each answer is checked against GitHub's description.

const REPO = '/repos/octo-org/hello';
const INSTALLATIONS = '/_local/organizations/octo-org/installations';
const OURS = 314159;

type App = {
  id: number;
  call: (method: string, path: string, body?: unknown) => ReturnType<typeof world.call>;
};

let head: string;
let ours: App;
let ci: App;

const asAdmin = (method: string, path: string, body?: unknown) =>
  world.call(method, path, { token: world.github.facts.adminToken, body });

const appWith = (id: number, token: string): App => ({
  id,
  call: (method, path, body) => world.call(method, path, { token, body }),
});

async function install(app_slug: string, checks = 'write'): Promise<App> {
  const { json } = await asAdmin('POST', INSTALLATIONS, { app_slug, permissions: { checks } });
  const issued = await asAdmin('POST', `${INSTALLATIONS}/${json.id}/tokens`);
  return appWith(json.app_id, issued.json.token);
}

const post = (app: App, name: string, values: object = {}) =>
  app.call('POST', `${REPO}/check-runs`, { name, head_sha: head, status: 'in_progress', ...values });
const SUCCESS = { status: 'completed', conclusion: 'success' };
const FAILURE = { status: 'completed', conclusion: 'failure' };
const list = async (query: string) =>
  (await ours.call('GET', `${REPO}/commits/${head}/check-runs?${query}`)).json.check_runs as Json[];
const eventsOf = (app: App) =>
  world.webhooks.flatMap(({ event, payload }) => {
    const check = payload.check_run ?? payload.check_suite;
    return check?.app.id === app.id ? [`${event} ${payload.action}`] : [];
  });

beforeAll(async () => {
  head = (await world.call('GET', `${REPO}/pulls/1`)).json.head.sha;
  ours = appWith(OURS, await world.installationToken());
  ci = await install('ci');
});

describe('a check run of another App at the local GitHub', () => {
  it('is in a suite of its own, and listed, counted and named as its App’s', async () => {
    const mine = await post(ours, 'same name');
    const theirs = await post(ci, 'same name', SUCCESS);
    expect(theirs.status).toBe(201);
    expect(theirs.json).toMatchObject({ head_sha: head, app: { id: ci.id, slug: 'ci' } });
    expect(theirs.json.html_url).toContain(`/commit/${head}/checks/`);
    expect((await ours.call('GET', `${REPO}/check-runs/${theirs.json.id}`)).json).toEqual(theirs.json);
    const ids = async (query: string) => (await list(`check_name=same%20name&${query}`)).map(({ id }) => id);
    expect(await ids('')).toEqual([theirs.json.id, mine.json.id]);
    expect(await ids(`app_id=${OURS}`)).toEqual([mine.json.id]);
    expect(await ids(`app_id=${ci.id}`)).toEqual([theirs.json.id]);
    const again = await post(ci, 'same name', FAILURE);
    expect(await ids('')).toEqual([again.json.id, mine.json.id]);
    expect(await ids('filter=all')).toEqual([again.json.id, theirs.json.id, mine.json.id]);

    const { json } = await ours.call('GET', `${REPO}/commits/${head}/check-suites`);
    const suites = json.check_suites.map((suite: Json) => [suite.app.id, suite.head_sha, suite.head_branch]);
    expect(suites).toEqual([
      [ci.id, head, 'add-a-greeting'],
      [OURS, head, 'add-a-greeting'],
    ]);
    const ofSuite = await ours.call('GET', `${REPO}/check-suites/${json.check_suites[0].id}/check-runs`);
    expect(ofSuite.json.check_runs.map(({ id }: Json) => id)).toEqual([again.json.id]);
    const only = await ours.call('GET', `${REPO}/commits/${head}/check-suites?app_id=${OURS}`);
    expect(only.json.total_count).toBe(1);
  });

  it('is changed or asked for again by its App only, and written by an App that may write checks', async () => {
    const [mine, theirs] = [await post(ours, 'owned'), await post(ci, 'owned')];
    const message = (app: App) =>
      `Invalid app_id \`${app.id}\` - check run can only be modified by the GitHub App that created it.`;
    for (const [run, owner, other] of [[mine, ours, ci] as const, [theirs, ci, ours] as const]) {
      const path = `${REPO}/check-runs/${run.json.id}`;
      const refused = await other.call('PATCH', path, SUCCESS);
      expect([refused.status, refused.json.message]).toEqual([403, message(owner)]);
      expect((await other.call('POST', `${path}/rerequest`)).status).toBe(403);
      expect((await owner.call('PATCH', path, SUCCESS)).json.conclusion).toBe('success');
    }
    expect((await post(await install('reader', 'read'), 'not written')).status).toBe(403);
    const elsewhere = '/repos/other-org/world';
    const { json } = await asAdmin('GET', `${elsewhere}/git/ref/heads/main`);
    const suite = { head_sha: json.object.sha };
    expect((await ci.call('POST', `${elsewhere}/check-suites`, suite)).status).toBe(403);
  });

  it('is asked for again from its App alone, and every App receives how it and its suite went', async () => {
    const { json: run } = await post(ci, 'asked for again');
    await asAdmin('POST', `${REPO}/check-runs/${run.id}/rerequest`);
    await ci.call('PATCH', `${REPO}/check-runs/${run.id}`, SUCCESS);
    const completed = await world.webhook(
      ({ event, payload }) => event === 'check_suite' && payload.check_suite.app.id === ci.id,
    );
    expect(completed.payload).toMatchObject({
      action: 'completed',
      check_suite: { head_sha: head, app: { slug: 'ci' }, pull_requests: [{ number: 1 }] },
      sender: { login: 'ci[bot]' },
    });
    const mine = await post(ours, 'asked for again');
    await asAdmin('POST', `${REPO}/check-runs/${mine.json.id}/rerequest`);
    await until('our re-run', async () => eventsOf(ours).includes('check_run rerequested'));
    expect(new Set(eventsOf(ci))).toEqual(
      new Set(['check_run created', 'check_run completed', 'check_suite completed']),
    );
  });

  it('doesn’t reach an App that may not read checks, and a read-only App only if it subscribed', async () => {
    const path = `/app/installations/${world.github.facts.installation}`;
    const { json } = await world.call('GET', path, { token: world.appToken() });
    const grant = (checks: string, events = json.events) => {
      const permissions = { ...json.permissions, checks };
      return asAdmin('PUT', path.replace('/app', '/_local'), { permissions, events });
    };
    const names = () => world.webhooks.map(({ payload }) => payload.check_run?.name);
    await grant('none');
    await post(ci, 'unseen');
    await grant('read', []);
    await post(ci, 'unsubscribed');
    await grant('read');
    await post(ci, 'read');
    await grant('write', []);
    await post(ci, 'subscribed without asking');
    await until('the last event', async () => names().includes('subscribed without asking'));
    expect(names()).toContain('read');
    expect(names()).not.toContain('unseen');
    expect(names()).not.toContain('unsubscribed');
    await grant('write');
  });

  it('is in a query’s answer only if the query doesn’t name our App', async () => {
    await post(ours, 'queried');
    await post(ci, 'queried', SUCCESS);
    const read = async (filter: string) => {
      const runs = `checkRuns(first: 9, filterBy: { ${filter} checkType: LATEST }) { nodes { databaseId, conclusion } }`;
      const commits = `commits(last: 1) { nodes { commit { checkSuites(first: 9, filterBy: { ${filter} }) { nodes { ${runs} } } } } }`;
      const query = `{ repository(owner: "octo-org", name: "hello") { pullRequests(first: 1, states: OPEN) { nodes { ${commits} } } } }`;
      const { json } = await ours.call('POST', '/graphql', { query });
      const { commit } = json.data.repository.pullRequests.nodes[0].commits.nodes[0];
      return commit.checkSuites.nodes.map(({ checkRuns }: Json) => checkRuns.nodes.length);
    };
    expect(await read('checkName: "queried"')).toEqual([1, 1]);
    expect(await read(`checkName: "queried", appId: ${OURS}`)).toEqual([1]);
    expect(await read('checkName: "none"')).toEqual([]);
  });

  it('meets a rule for any source if it’s the newest, and never a rule that names our App', async () => {
    const required = (integration_id?: number) =>
      asAdmin('PUT', '/_local/rules/octo-org/hello/main', {
        required_status_checks: [{ context: 'ruled', ...(integration_id && { integration_id }) }],
      });
    const page = async () => (await world.call('GET', '/octo-org/hello/pull/1')).text;
    const isBlocked = async () => (await page()).includes('Merging is blocked');
    await post(ours, 'ruled', SUCCESS);
    await post(ci, 'ruled', FAILURE);
    await required();
    expect(await isBlocked()).toBe(true);
    await required(OURS);
    expect(await isBlocked()).toBe(false);
    await post(ours, 'ruled', FAILURE);
    await post(ci, 'ruled', SUCCESS);
    expect(await isBlocked()).toBe(true);
    await required();
    expect(await isBlocked()).toBe(false);
  });

  it('binds branch protection to its App if that one completed the check last', async () => {
    const path = `${REPO}/branches/main/protection`;
    const protect = async (checks: object[]) => {
      const rest = { enforce_admins: true, required_pull_request_reviews: null, restrictions: null };
      const body = { required_status_checks: { strict: false, checks }, ...rest };
      return (await asAdmin('PUT', path, body)).json.required_status_checks.checks;
    };
    await post(ours, 'recent', SUCCESS);
    expect(await protect([{ context: 'recent' }])).toEqual([{ context: 'recent', app_id: OURS }]);
    await post(ci, 'recent', FAILURE);
    expect(await protect([{ context: 'recent' }])).toEqual([{ context: 'recent', app_id: ci.id }]);
    await asAdmin('DELETE', path);
  });

  it('gets a suite of its own with each push, and ours is asked for its runs', async () => {
    const at = (await asAdmin('GET', `${REPO}/git/ref/heads/main`)).json.object.sha;
    await asAdmin('POST', `${REPO}/git/refs`, { ref: 'refs/heads/pushed', sha: at });
    const file = { message: 'Push', content: '', branch: 'pushed' };
    const { commit } = (await asAdmin('PUT', `${REPO}/contents/pushed.txt`, file)).json;
    const apps = await until('both suites', async () => {
      const { json } = await ours.call('GET', `${REPO}/commits/${commit.sha}/check-suites`);
      const found = json.check_suites.map(({ app }: Json) => app.id);
      return found.length > 1 && found;
    });
    expect(apps.sort()).toEqual([OURS, ci.id].sort());
    const { payload } = await world.webhook(({ payload: sent }) => sent.check_suite?.head_sha === commit.sha);
    expect(payload).toMatchObject({
      action: 'requested',
      check_suite: { app: { id: OURS }, head_branch: 'pushed', before: at, after: commit.sha },
    });
    const made = await ci.call('POST', `${REPO}/check-suites`, { head_sha: commit.sha });
    const other = await install('late');
    const first = await other.call('POST', `${REPO}/check-suites`, { head_sha: commit.sha });
    expect([made.status, first.status]).toEqual([200, 201]);
  });
});
