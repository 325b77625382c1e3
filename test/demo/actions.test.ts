import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../support/until.ts';
import { type Json, startWorld, type World } from './world.ts';

// Workflow runs and the environments at which they wait: each answer is checked against GitHub's description.

const HELLO = '/repos/octo-org/hello';
const RELEASE = `${HELLO}/environments/release`;
const RULES = `${RELEASE}/deployment_protection_rules`;

let world: World;
beforeAll(async () => {
  world = await startWorld({}, undefined, { isGating: true });
});
afterAll(() => world.close());

const asOctocat = (method: string, path: string, body?: unknown) =>
  world.call(method, path, { token: world.github.facts.adminToken, body });
const asApp = async (method: string, path: string, body?: unknown) =>
  world.call(method, path, { token: await world.installationToken(), body });
const read = async (path: string) => (await asApp('GET', path)).json;
const local = (path: string, body: object = {}) => asOctocat('POST', `/_local${HELLO}/actions/${path}`, body);

/** Starts the release, and returns the path of its run. */
async function release(): Promise<string> {
  const dispatched = await asOctocat('POST', `${HELLO}/actions/workflows/release.yml/dispatches`, {
    ref: 'main',
  });
  expect(dispatched.status).toBe(204);
  const runs = await asOctocat('GET', `${HELLO}/actions/runs?event=workflow_dispatch`);
  const [run] = runs.json.workflow_runs;
  return `${HELLO}/actions/runs/${run.id}`;
}

const review = (run: string, body: object = { state: 'approved' }) =>
  asApp('POST', `${run}/deployment_protection_rule`, { environment_name: 'release', ...body });

/** Why GitHub refused, wherever in the answer it said so. */
const reasonOf = ({ status, json }: { status: number; json: Json }) => [status, JSON.stringify(json)];

const jobsOf = async (run: string) =>
  (await read(`${run}/jobs`)).jobs.map(({ name, status, conclusion }: Json) => [name, conclusion ?? status]);

const stateOf = async (run: string) => {
  const { status, conclusion, run_attempt } = await read(run);
  return [status, conclusion, run_attempt];
};

const requestsFor = (run: string) =>
  world.webhooks.filter(
    ({ event, payload }) =>
      event === 'deployment_protection_rule' && payload.deployment_callback_url.includes(`${run}/`),
  );

const grant = async (change: (access: Json) => object) => {
  const path = `/installations/${world.github.facts.installation}`;
  const { json } = await world.call('GET', `/app${path}`, { token: world.appToken() });
  const { permissions, events } = json;
  await asOctocat('PUT', `/_local${path}`, change({ permissions, events }));
  return () => asOctocat('PUT', `/_local${path}`, { permissions, events });
};

/** Installs another App whose rule the environment then has; returns the rule's id and a token of the App. */
async function addRuleOf(app_slug: string): Promise<[number, string]> {
  const others = '/_local/organizations/octo-org/installations';
  const access = { permissions: { deployments: 'write' }, events: ['deployment_protection_rule'] };
  const { id, app_id } = (await asOctocat('POST', others, { app_slug, ...access })).json;
  const rule = await asOctocat('POST', RULES, { integration_id: app_id });
  return [rule.json.id, (await asOctocat('POST', `${others}/${id}/tokens`)).json.token];
}

describe('a release at the local GitHub', () => {
  it('waits in waves for our rule, asks once for each job, and one review answers all jobs of a wave', async () => {
    expect((await read(`${HELLO}/actions/workflows`)).workflows).toMatchObject([
      { name: 'Release', path: '.github/workflows/release.yml' },
    ]);
    const run = await release();
    const [npm, pypi] = ['Publish to npm', 'Publish to pypi'];
    const first = [
      ['Build', 'success'],
      [npm, 'waiting'],
      [pypi, 'waiting'],
      ['Announce', 'queued'],
    ];
    expect(await jobsOf(run)).toEqual(first);
    const waiting = await read(`${HELLO}/actions/runs?status=waiting`);
    expect(waiting.workflow_runs.map(({ url }: Json) => new URL(url).pathname)).toEqual([run]);
    expect(await read(`${run}/pending_deployments`)).toMatchObject([{ environment: { name: 'release' } }]);

    await world.webhook(() => requestsFor(run).length === 2);
    const { head_sha: sha } = await read(run);
    const asked = {
      action: 'requested',
      environment: 'release',
      event: 'workflow_dispatch',
      ref: 'main',
      sha,
    };
    const [one, other] = requestsFor(run).map(({ payload }) => payload);
    expect([one, other]).toMatchObject([asked, asked]);
    // The product can rely on neither.
    expect([one.deployment.sha, one.workflow_run, other.deployment]).toEqual([sha, undefined, null]);

    expect((await review(run)).status).toBe(204);
    const second = [
      ['Build', 'success'],
      [npm, 'success'],
      [pypi, 'success'],
      ['Announce', 'waiting'],
    ];
    expect(await jobsOf(run)).toEqual(second);
    await world.webhook(() => requestsFor(run).length === 3);
    expect((await review(run, { state: 'approved', comment: 'Receipt' })).status).toBe(204);
    expect(await stateOf(run)).toEqual(['completed', 'success', 1]);
    const reviews = await read(`${run}/approvals`);
    expect(reviews.map(({ state, comment, user }: Json) => [state, comment, user.login])).toEqual([
      ['approved', '', 'otp-guard[bot]'],
      ['approved', 'Receipt', 'otp-guard[bot]'],
    ]);
    // An older success is inactive, so only the history of a deployment says that it succeeded.
    const deployments = await read(`${HELLO}/deployments?environment=release`);
    const states = deployments.slice(0, 3).map(async ({ statuses_url }: Json) => {
      return (await read(new URL(statuses_url).pathname)).map(({ state }: Json) => state);
    });
    expect(await Promise.all(states)).toEqual([
      ['success', 'in_progress'],
      ['inactive', 'success', 'in_progress'],
      ['inactive', 'success', 'in_progress'],
    ]);
  });

  it('asks again when it is run again, and a rejection fails it', async () => {
    const run = await release();
    expect((await asOctocat('POST', `${run}/rerun`)).status).toBe(403);
    expect((await asOctocat('POST', `${run}/cancel`)).status).toBe(202);
    expect(await stateOf(run)).toEqual(['completed', 'cancelled', 1]);
    expect((await asOctocat('POST', `${run}/cancel`)).status).toBe(409);
    expect((await asOctocat('POST', `${run}/rerun`)).status).toBe(201);
    expect(await stateOf(run)).toEqual(['waiting', null, 2]);
    expect((await read(`${run}/attempts/1`)).conclusion).toBe('cancelled');
    await world.webhook(() => requestsFor(run).length === 4);
    await review(run, { state: 'rejected', comment: 'Not this one' });
    expect(await stateOf(run)).toEqual(['completed', 'failure', 2]);
    expect((await jobsOf(run)).at(-1)).toEqual(['Announce', 'skipped']);
    expect((await asOctocat('POST', `${run}/rerun-failed-jobs`)).status).toBe(201);
    expect(await stateOf(run)).toEqual(['waiting', null, 3]);
    expect((await jobsOf(run))[0]).toEqual(['Build', 'success']);
  });

  it('fails after 30 days, and an administrator can start its jobs unless the environment forbids it', async () => {
    const expired = await release();
    expect((await local(`runs/${expired.split('/').at(-1)}/expire`)).status).toBe(204);
    expect(await stateOf(expired)).toEqual(['completed', 'failure', 1]);

    const run = await release();
    const start = () => local(`runs/${run.split('/').at(-1)}/start-waiting`, { comment: 'Now' });
    await asOctocat('PUT', RELEASE, { can_admins_bypass: false });
    expect((await read(`${HELLO}/environments`)).environments).toMatchObject([{ can_admins_bypass: false }]);
    expect((await start()).status).toBe(422);
    await asOctocat('PUT', RELEASE, { can_admins_bypass: true });
    expect([(await start()).status, (await start()).status]).toEqual([204, 204]);
    expect(await stateOf(run)).toEqual(['completed', 'success', 1]);
    const bypassed = { state: 'approved', comment: 'Now', user: { login: 'octocat' } };
    expect(await read(`${run}/approvals`)).toMatchObject([bypassed, bypassed]);
  });

  it('can have the head of a fork, and fails immediately if it wants no deployment', async () => {
    const fork = (await asOctocat('POST', `${HELLO}/forks`, {})).json.full_name;
    const path = '.github/workflows/release.yml';
    const commit = async (jobs: string) => {
      const { sha } = (await asOctocat('GET', `/repos/${fork}/contents/${path}`)).json;
      const content = Buffer.from(`on: pull_request\njobs: ${jobs}\n`).toString('base64');
      const body = { message: 'Publish', content, sha, branch: 'main' };
      return (await asOctocat('PUT', `/repos/${fork}/contents/${path}`, body)).json.commit.sha;
    };
    const start = async (head_sha: string) => {
      const from = { event: 'pull_request', ref: 'main', head_sha, head_repository: fork };
      return (await local('runs', from)).json;
    };
    const head = await commit('{ publish: { environment: release } }');
    expect(await start(head)).toMatchObject({
      status: 'waiting',
      head_sha: head,
      head_commit: { id: head },
      repository: { full_name: 'octo-org/hello' },
      head_repository: { full_name: fork },
    });
    const without = await commit('{ publish: { environment: { name: release, deployment: false } } }');
    expect(await start(without)).toMatchObject({ status: 'completed', conclusion: 'failure' });
  });
});

describe('a review at the local GitHub', () => {
  it('is refused in three ways, of which one says nothing', async () => {
    const run = await release();
    await local('unkind', { reviews: 1 });
    expect(reasonOf(await review(run))).toEqual([422, expect.stringContaining('problem approving')]);
    // The second one ends the minute that the first one takes, however late a busy machine sends it.
    await local('unkind', { reviewMs: 60_000 });
    const both = await Promise.all([review(run), review(run)]);
    await local('unkind', { reviewMs: 5 });
    expect(both.map(({ status }) => status).sort()).toEqual([204, 422]);
    expect((await review(run)).status).toBe(204);
    expect(reasonOf(await review(run))).toEqual([422, expect.stringContaining('No pending deployment')]);
    const [rule, token] = await addRuleOf('other');
    const twice = await release();
    expect((await review(twice)).status).toBe(204);
    expect(reasonOf(await review(twice))).toEqual([422, expect.stringContaining('already been reviewed')]);
    const body = { environment_name: 'release', state: 'approved' };
    await world.call('POST', `${twice}/deployment_protection_rule`, { token, body });
    expect((await jobsOf(twice)).at(-1)).toEqual(['Announce', 'waiting']);
    await asOctocat('DELETE', `${RULES}/${rule}`);
    const elsewhere = { environment_name: 'other', state: 'approved' };
    expect(reasonOf(await review(run, elsewhere))).toEqual([422, expect.stringContaining('No pending')]);
  });

  it('without a state is a report, of which a deployment has ten with 1,024 characters', async () => {
    const run = await release();
    const report = (comment: string) => review(run, { comment });
    expect((await report('x'.repeat(1_025))).status).toBe(422);
    expect((await report('')).status).toBe(422);
    for (let count = 1; count <= 10; count += 1) expect((await report('x'.repeat(1_024))).status).toBe(204);
    expect((await report('One more')).status).toBe(422);
    expect(await read(`${run}/approvals`)).toHaveLength(10);
    expect((await read(`${run}/approvals`))[0]).toMatchObject({ state: 'pending' });
    expect(await stateOf(run)).toEqual(['waiting', null, 1]);
  });

  it('needs the permission of an App, and so do starting a run and the webhook', async () => {
    const run = await release();
    const asPerson = asOctocat('POST', `${run}/deployment_protection_rule`, { environment_name: 'release' });
    expect((await asPerson).status).toBe(403);
    const stranger = await world.installationToken(world.github.facts.otherInstallation);
    const body = { environment_name: 'release', state: 'approved' };
    const asStranger = world.call('POST', `${run}/deployment_protection_rule`, { token: stranger, body });
    expect((await asStranger).status).toBe(403);
    const dispatches = `${HELLO}/actions/workflows/release.yml/dispatches`;
    expect((await asApp('POST', dispatches, { ref: 'main' })).status).toBe(403);
    const mona = await world.signIn('mona');
    expect((await world.call('POST', dispatches, { token: mona, body: { ref: 'main' } })).status).toBe(403);
    const restore = await grant(({ permissions }) => ({
      permissions: { ...permissions, deployments: 'read' },
      events: [],
    }));
    expect((await review(run)).status).toBe(403);
    const unseen = await release();
    await restore();
    const seen = await release();
    await world.webhook(() => requestsFor(seen).length === 2);
    expect(requestsFor(unseen)).toEqual([]);
  });
});

describe('GitHub’s own rules of an environment', () => {
  const set = (settings: object) => asOctocat('PUT', RELEASE, settings);
  const pending = async (run: string, as = asApp) => (await as('GET', `${run}/pending_deployments`)).json;
  const reviewBy = async (login: string, run: string) => {
    const [{ environment }] = await pending(run);
    const body = { environment_ids: [environment.id], state: 'approved', comment: 'Fine' };
    return world.call('POST', `${run}/pending_deployments`, { token: await world.signIn(login), body });
  };
  const idOf = async (login: string) => (await asOctocat('GET', `/users/${login}`)).json.id;
  const reviewer = async (login: string) => ({ type: 'User', id: await idOf(login) });

  it('let jobs wait for one of the people they name, who can be kept from their own run', async () => {
    const reviewers = [await reviewer('mona'), await reviewer('octocat')];
    expect((await set({ reviewers, prevent_self_review: true })).json.protection_rules).toMatchObject([
      { type: 'required_reviewers', prevent_self_review: true },
    ]);
    const run = await release();
    expect(await pending(run)).toMatchObject([{ current_user_can_approve: false, reviewers: [{}, {}] }]);
    expect((await review(run)).status).toBe(204);
    expect(await stateOf(run)).toEqual(['waiting', null, 1]);
    expect(reasonOf(await review(run))).toEqual([422, expect.stringContaining('already been reviewed')]);
    expect((await reviewBy('octocat', run)).status).toBe(422);
    const answered = await reviewBy('mona', run);
    expect([answered.status, answered.json.length]).toEqual([200, 2]);
    expect((await jobsOf(run)).at(-1)).toEqual(['Announce', 'waiting']);
    expect((await reviewBy('mona', run)).status).toBe(200);
    expect((await reviewBy('mona', run)).status).toBe(422);
    expect((await review(run)).status).toBe(204);
    expect(await stateOf(run)).toEqual(['completed', 'success', 1]);
    expect((await set({ reviewers: [{ type: 'User', id: 1e9 }] })).status).toBe(422);
    expect((await set({ reviewers: null })).json.protection_rules).toEqual([]);
  });

  it('let jobs wait for a time, which passes whether the others have answered or not', async () => {
    expect((await set({ wait_timer: 43_201 })).status).toBe(422);
    await set({ wait_timer: 30 });
    const run = await release();
    expect(await pending(run)).toMatchObject([
      { wait_timer: 30, wait_timer_started_at: expect.any(String), reviewers: [] },
    ]);
    await review(run);
    expect(await stateOf(run)).toEqual(['waiting', null, 1]);
    const pass = () => local(`runs/${run.split('/').at(-1)}/pass-timers`);
    expect((await pass()).status).toBe(204);
    await pass();
    expect((await jobsOf(run)).at(-1)).toEqual(['Announce', 'waiting']);
    await review(run);
    expect(await stateOf(run)).toEqual(['completed', 'success', 1]);
    await set({ wait_timer: 0 });
  });
});

describe('a local GitHub that is unkind', () => {
  const unkind = (change: object) => local('unkind', change);
  const later = <T>(read: () => Promise<T>, is: (found: T) => boolean) =>
    until('it shows', async () => is(await read()));

  it('shows Apps some time later what happened to runs, to what waits in them, and to reviews', async () => {
    await unkind({ lagMs: { runs: 60_000, pending: 200, approvals: 60_000 } });
    const run = await release();
    const { id } = (await asOctocat('GET', run)).json;
    expect((await asApp('GET', run)).status).toBe(404);
    await later(
      () => asApp('GET', `${run}/pending_deployments`),
      ({ status }) => status === 200,
    );
    await review(run);
    expect((await asOctocat('GET', `${run}/approvals`)).json).toHaveLength(1);
    expect((await asApp('GET', `${run}/approvals`)).status).toBe(404);
    const listed = (await read(`${HELLO}/actions/runs`)).workflow_runs.map((one: Json) => one.id);
    expect(listed).not.toContain(id);
    await unkind({ lagMs: { runs: 0, pending: 0, approvals: 0 } });
    expect(await read(`${run}/approvals`)).toHaveLength(1);
  });

  it('sends webhooks late, twice, and the newest first', async () => {
    await unkind({ holdsRequests: true });
    const [first, second] = [await release(), await release()];
    await unkind({ holdsRequests: false });
    await world.webhook(() => requestsFor(first).length === 4 && requestsFor(second).length === 4);
    const order = world.webhooks.filter(({ event }) => event === 'deployment_protection_rule').slice(-8);
    expect(order[0]?.payload.deployment_callback_url).toContain(`${second}/`);
  });
});

describe('the pages of a release at the local GitHub', () => {
  const text = async (path: string) => {
    const headers = { accept: 'text/html' };
    return (await fetch(world.github.origin + path, { headers })).text();
  };
  const press = async (path: string, fields: Record<string, string> = {}, origin = world.github.origin) => {
    const body = new URLSearchParams(fields);
    const options = { method: 'POST', headers: { origin }, body, redirect: 'manual' } as const;
    const { status, headers } = await fetch(world.github.origin + path, options);
    return { status, location: headers.get('location') ?? '' };
  };

  it('run it, lead to what it waits for, and start it around the rules for an administrator', async () => {
    const settings = '/octo-org/hello/settings/environments';
    const bypass = (canBypass: boolean) =>
      press(settings, { environment: 'release', bypass: String(canBypass) });
    expect(await text('/octo-org/hello')).toContain('Run release');
    const dispatch = '/octo-org/hello/actions/dispatch';
    const file = { file: 'release.yml' };
    expect((await press(dispatch, file, 'http://evil.example')).status).toBe(403);
    const { location: page } = await press(dispatch, file);
    const comment = 'See [what to do](https://example.org/deploy) or [not](javascript:alert) <b>';
    await review(`/repos${page}`, { comment });
    const waiting = await text(page);
    expect(waiting).toContain('<a href="https://example.org/deploy">what to do</a> or not &lt;b&gt;');
    expect(waiting).toContain('Start all waiting jobs');

    await bypass(false);
    expect(await text(settings)).toContain('Administrators can’t bypass');
    const refused = await press(`${page}/start-waiting`, { comment: 'Now' });
    expect(await text(refused.location)).toContain('No waiting job that administrators may start');
    await bypass(true);
    await press(`${page}/start-waiting`, { comment: 'Now' });
    await press(`${page}/start-waiting`, { comment: 'Now' });
    expect(await text(page)).toMatch(/Succeeded.*octocat.*approved.*Now.*Re-run all jobs/s);
    await press(`${page}/rerun`);
    expect(await text(page)).toMatch(/Waiting.*attempt 2.*Cancel run/s);
  });

  it('ask a reviewer and a timer, and let both pass', async () => {
    const settings = '/octo-org/hello/settings/environments';
    const set = (fields: Record<string, string>) => press(settings, { environment: 'release', ...fields });
    await set({ reviewer: 'octocat' });
    await set({ timer: '30' });
    expect(await text(settings)).toMatch(/Required reviewers: octocat.*Wait timer: 30 minutes/s);
    const { location: page } = await press('/octo-org/hello/actions/dispatch', { file: 'release.yml' });
    await review(`/repos${page}`);
    expect(await text(page)).toMatch(/has to approve.*timer is running/s);
    await press(`${page}/review`);
    await press(`${page}/pass-timers`);
    expect(await text(page)).toMatch(/Publish to npm.*octocat.*approved/s);
    expect((await jobsOf(`/repos${page}`)).at(-1)).toEqual(['Announce', 'waiting']);
    await set({ reviewer: '' });
    await set({ timer: '0' });
    expect(await text(settings)).toMatch(/No required reviewers.*No wait timer/s);
  });

  it('enable and disable the rule of an environment', async () => {
    const settings = '/octo-org/hello/settings/environments';
    const enabled = async () => (await read(RULES)).custom_deployment_protection_rules[0];
    const rule = await enabled();
    await press(settings, { environment: 'release', disable: String(rule.id) });
    expect(await text(settings)).toContain('Enable otp-guard');
    await press(settings, { environment: 'release', enable: String(rule.app.id) });
    expect(await text(settings)).toContain('Disable otp-guard');
    expect((await press(settings, { environment: 'release' }, 'http://evil.example')).status).toBe(403);
  });
});

describe('an environment of the local GitHub', () => {
  it('is listed in pages, and of a private repository only for an App that may read Actions', async () => {
    for (const name of ['beta', 'staging']) await asOctocat('PUT', `${HELLO}/environments/${name}`, {});
    const pages = [1, 2].map((page) => read(`${HELLO}/environments?per_page=2&page=${page}`));
    const shown = (await Promise.all(pages)).map(({ total_count, environments }) => [
      ...[total_count, environments.map(({ name }: Json) => name)],
    ]);
    expect(shown).toEqual([
      [3, ['release', 'beta']],
      [3, ['staging']],
    ]);
    const restore = await grant(({ permissions: { actions: _, ...permissions } }) => ({ permissions }));
    const statuses = async () => {
      const answers = await Promise.all([`${HELLO}/environments`, RULES].map((path) => asApp('GET', path)));
      return answers.map(({ status }) => status);
    };
    expect(await statuses()).toEqual([200, 200]);
    await asOctocat('PATCH', HELLO, { private: true });
    expect(await statuses()).toEqual([403, 403]);
    expect(await read(HELLO)).toMatchObject({ private: true });
    await restore();
    expect(await statuses()).toEqual([200, 200]);
    await asOctocat('PATCH', HELLO, { private: false });
  });

  it('has at most six rules, of installed Apps with the permission and the event', async () => {
    const [ours] = (await read(RULES)).custom_deployment_protection_rules;
    const enable = (integration_id: number) => asOctocat('POST', RULES, { integration_id });
    const apps = `${RULES}/apps`;
    const restore = await grant(({ events }) => ({
      events: events.filter((name: string) => name !== 'deployment_protection_rule'),
    }));
    expect((await asOctocat('GET', apps)).json.total_count).toBe(1);
    expect((await asOctocat('DELETE', `${RULES}/${ours.id}`)).status).toBe(204);
    expect((await enable(ours.app.id)).status).toBe(422);
    await restore();
    expect((await asApp('GET', apps)).status).toBe(403);
    expect((await asOctocat('GET', apps)).json.total_count).toBe(2);
    expect([(await enable(ours.app.id)).status, (await enable(ours.app.id)).status]).toEqual([201, 422]);
    for (const name of ['two', 'three', 'four', 'five', 'six']) await addRuleOf(name);
    expect((await read(RULES)).total_count).toBe(6);
    expect((await addRuleOf('seven'))[0]).toBeUndefined();
  });

  it('has no rules in a private repository, where jobs start without', async () => {
    await asOctocat('PATCH', HELLO, { private: true });
    const { json } = await asOctocat('POST', RULES, { integration_id: Number(world.github.env.APP_ID) });
    expect(json.message).toContain('Enterprise');
    expect(await stateOf(await release())).toEqual(['completed', 'success', 1]);
    await asOctocat('PATCH', HELLO, { private: false });
  });
});
