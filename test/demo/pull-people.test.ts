import { beforeAll, describe, expect, it } from '@jest/globals';
import { world } from './one-world.ts';
import { type Json, startWorld } from './world.ts';

// Assignees of a pull request, its reviews, and accounts.

const HELLO = '/repos/octo-org/hello';
const ASSIGNEES = `${HELLO}/issues/1/assignees`;

const call = (token: string | undefined, method: string, path: string, body?: unknown) =>
  world.call(method, path, { token, ...(body !== undefined && { body }) });
const asAdmin = (method: string, path: string, body?: unknown) =>
  call(world.github.facts.adminToken, method, path, body);
const loginsOf = (accounts: Json) => accounts.map(({ login }: Json) => login);
const assigned = async () => loginsOf((await asAdmin('GET', `${HELLO}/pulls/1`)).json.assignees);
const installationPath = () => `/installations/${world.github.facts.installation}`;

/** Gives the App these permissions in addition to its own for the time of the function. */
async function withPermissions<T>(more: Record<string, string>, run: () => Promise<T>): Promise<T> {
  const { json } = await world.call('GET', `/app${installationPath()}`, { token: world.appToken() });
  const grant = (permissions: object) => asAdmin('PUT', `/_local${installationPath()}`, { permissions });
  await grant({ ...json.permissions, ...more });
  return run().finally(() => grant(json.permissions));
}

let mona: string;
beforeAll(async () => {
  mona = await world.signIn('mona');
});

describe('the assignees of a pull request at the local GitHub', () => {
  it('are added and removed, with an event for each, and stand in every answer about it', async () => {
    const added = await asAdmin('POST', ASSIGNEES, { assignees: ['mona', 'octocat', 'nobody', 'hubot'] });
    expect([added.status, loginsOf(added.json.assignees)]).toEqual([201, ['mona', 'octocat']]);
    const again = await asAdmin('POST', ASSIGNEES, { assignees: ['mona'] });
    expect(loginsOf(again.json.assignees)).toEqual(['mona', 'octocat']);
    const { json: list } = await asAdmin('GET', `${HELLO}/pulls`);
    expect([await assigned(), loginsOf(list[0].assignees), list[0].assignee.login]).toEqual([
      ['mona', 'octocat'],
      ['mona', 'octocat'],
      'mona',
    ]);
    const removed = await asAdmin('DELETE', ASSIGNEES, { assignees: ['mona'] });
    expect([removed.status, loginsOf(removed.json.assignees)]).toEqual([200, ['octocat']]);
    await world.webhook(({ payload }) => payload.action === 'unassigned');
    const events = world.webhooks.filter(({ payload }) => payload.action?.endsWith('assigned'));
    expect(events.map(({ event, payload }) => [event, payload.action, payload.assignee.login])).toEqual([
      ['pull_request', 'assigned', 'mona'],
      ['pull_request', 'assigned', 'octocat'],
      ['pull_request', 'unassigned', 'mona'],
    ]);
    expect(events.map(({ payload }) => [payload.number, loginsOf(payload.pull_request.assignees)])).toEqual([
      [1, ['mona', 'octocat']],
      [1, ['mona', 'octocat']],
      [1, ['octocat']],
    ]);
    await asAdmin('PATCH', `${HELLO}/pulls/1`, { title: 'Assigned' });
    const { payload } = await world.webhook((one) => one.payload.pull_request?.title === 'Assigned');
    expect(loginsOf(payload.pull_request.assignees)).toEqual(['octocat']);
    await asAdmin('DELETE', ASSIGNEES, { assignees: ['octocat'] });
    expect(await assigned()).toEqual([]);
  });

  it('are at most ten', async () => {
    const {
      github,
      call: send,
      close,
    } = await startWorld({}, undefined, {
      crowd: { members: 11, repositories: 0 },
    });
    try {
      const { json: all } = await send('GET', '/users?per_page=20');
      const assignees = loginsOf(all).filter((login: string) => login.startsWith('member-'));
      const { json } = await send('POST', ASSIGNEES, { token: github.facts.adminToken, body: { assignees } });
      expect(loginsOf(json.assignees)).toEqual(assignees.slice(0, 10));
    } finally {
      await close();
    }
  });

  it('are changed by people with triage or more: GitHub ignores the request of one who may only read', async () => {
    const assign = () => call(mona, 'POST', ASSIGNEES, { assignees: ['mona'] });
    expect((await assign()).status).toBe(403);
    await withPermissions({ pull_requests: 'write' }, async () => {
      expect([(await assign()).status, await assigned()]).toEqual([201, []]);
      await asAdmin('PUT', `${HELLO}/collaborators/mona`, { permission: 'triage' });
      expect([(await assign()).status, await assigned()]).toEqual([201, ['mona']]);
      await asAdmin('DELETE', `${HELLO}/collaborators/mona`);
    });
    await asAdmin('DELETE', ASSIGNEES, { assignees: ['mona'] });
  });

  it('need a permission that lets an App write issues or pull requests', async () => {
    const token = await world.installationToken();
    const add = async () => (await call(token, 'POST', ASSIGNEES, { assignees: ['mona'] })).status;
    expect(await add()).toBe(403);
    expect(await withPermissions({ issues: 'read' }, add)).toBe(403);
    for (const name of ['issues', 'pull_requests'])
      expect(await withPermissions({ [name]: 'write' }, add)).toBe(201);
    expect((await call(undefined, 'DELETE', ASSIGNEES, { assignees: ['mona'] })).status).toBe(401);
    expect(await assigned()).toEqual(['mona']);
    const stranger = await world.installationToken(world.github.facts.otherInstallation);
    expect((await call(stranger, 'DELETE', ASSIGNEES, { assignees: ['mona'] })).status).toBe(403);
    await asAdmin('DELETE', ASSIGNEES, { assignees: ['mona'] });
  });
});

describe('the reviews of a pull request at the local GitHub', () => {
  const REVIEWS = `${HELLO}/pulls/1/reviews`;
  const statesOf = async (token?: string) =>
    (await call(token, 'GET', REVIEWS)).json.map((review: Json) => [review.user.login, review.state]);

  it('are of the present head, by people and machines, until they are dismissed', async () => {
    await asAdmin('PUT', `${HELLO}/contents/more.md`, {
      message: 'More',
      content: 'bW9yZQo=',
      branch: 'add-a-greeting',
    });
    const { json: pull } = await asAdmin('GET', `${HELLO}/pulls/1`);
    const { json: approving } = await asAdmin('POST', REVIEWS, { event: 'APPROVE' });
    expect(approving).toMatchObject({ state: 'APPROVED', commit_id: pull.head.sha });
    const { payload } = await world.webhook(({ event }) => event === 'pull_request_review');
    expect(payload).toMatchObject({
      action: 'submitted',
      review: { state: 'approved', commit_id: pull.head.sha, user: { login: 'octocat' } },
      pull_request: { number: 1, head: { sha: pull.head.sha } },
      sender: { login: 'octocat' },
    });
    const asBot = (author: string) =>
      asAdmin('POST', '/_local/pulls/octo-org/hello/1/reviews', { author, event: 'APPROVE' });
    expect((await asBot('mona')).status).toBe(422);
    expect((await asBot('claude[bot]')).json.user).toMatchObject({ id: 209_825_114, type: 'Bot' });
    const dismissal = `${REVIEWS}/${approving.id}/dismissals`;
    expect((await asAdmin('PUT', dismissal, {})).status).toBe(422);
    await asAdmin('PUT', dismissal, { message: 'Outdated' });
    await world.webhook(({ payload: { review } }) => review?.state === 'dismissed');
    expect(await statesOf()).toEqual([
      ['octocat', 'DISMISSED'],
      ['claude[bot]', 'APPROVED'],
    ]);
  });

  it('are refused to the author, without a text, and without a permission; a pending one is private', async () => {
    const review = (body: object, token = mona) => call(token, 'POST', REVIEWS, body);
    expect((await review({ event: 'COMMENT', body: 'Hm.' })).status).toBe(403);
    expect((await review({ event: 'APPROVE' }, await world.installationToken())).status).toBe(403);
    expect((await call(undefined, 'POST', REVIEWS, { event: 'APPROVE' })).status).toBe(401);
    await withPermissions({ pull_requests: 'write' }, async () => {
      const own = await review({ event: 'APPROVE' });
      expect([own.status, own.json.errors]).toEqual([422, ['Can not approve your own pull request']]);
      for (const event of ['COMMENT', 'REQUEST_CHANGES']) expect((await review({ event })).status).toBe(422);
      const before = await statesOf();
      expect((await review({ body: 'Not yet.' })).json).not.toHaveProperty('submitted_at');
      expect([await statesOf(), await statesOf(mona)]).toEqual([before, [...before, ['mona', 'PENDING']]]);
      const [{ id }] = (await asAdmin('GET', REVIEWS)).json;
      const path = `${REVIEWS}/${id}/dismissals`;
      expect((await call(mona, 'PUT', path, { message: 'No' })).status).toBe(403);
    });
  });
});

describe('the accounts of the local GitHub', () => {
  it('include people and machines by name and by id, and nobody else', async () => {
    const shown = async (path: string) => {
      const { status, json } = await call(undefined, 'GET', path);
      return status === 200 ? [json.login, json.id, json.type] : status;
    };
    const byName = await call(undefined, 'GET', '/users/mona');
    expect(await shown(`/user/${byName.json.id}`)).toEqual(['mona', byName.json.id, 'User']);
    const claude = ['claude[bot]', 209_825_114, 'Bot'];
    expect(await shown('/users/claude%5Bbot%5D')).toEqual(claude);
    expect(await shown('/user/209825114')).toEqual(claude);
    expect([await shown('/users/nobody'), await shown('/user/999999')]).toEqual([404, 404]);
  });

  it('include machines that open pull requests', async () => {
    const { json: main } = await asAdmin('GET', `${HELLO}/git/ref/heads/main`);
    await asAdmin('POST', `${HELLO}/git/refs`, { ref: 'refs/heads/copilot/fix-1', sha: main.object.sha });
    const body = { title: 'Fix it', body: 'Fixes it.', head: 'copilot/fix-1', base: 'main' };
    const open = (author: string) => asAdmin('POST', '/_local/pulls/octo-org/hello', { ...body, author });
    expect((await open('mona')).status).toBe(422);
    const { json } = await open('copilot-swe-agent[bot]');
    const bot = { login: 'copilot-swe-agent[bot]', id: 198_982_749, type: 'Bot' };
    expect([json.user, json.body]).toMatchObject([bot, 'Fixes it.']);
    const { payload } = await world.webhook((one) => one.payload.pull_request?.number === json.number);
    expect([payload.action, payload.pull_request.user, payload.sender]).toMatchObject(['opened', bot, bot]);
    const { json: added } = await asAdmin('POST', ASSIGNEES.replace('1', json.number), {
      assignees: ['copilot-swe-agent[bot]', 'mona'],
    });
    expect(added.assignees).toMatchObject([bot, { login: 'mona' }]);
  });
});
