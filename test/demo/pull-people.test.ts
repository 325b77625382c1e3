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
    const { github, call: send, close } = await startWorld({}, undefined, { members: 11, repositories: 0 });
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
