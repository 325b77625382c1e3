import { describe, expect, it } from '@jest/globals';
import { world } from './one-world.ts';

const names = (list: Array<{ full_name: string }>) => list.map((each) => each.full_name);

describe('a user token at the local GitHub', () => {
  it.each(Object.entries({ octocat: ['octo-org', 'other-org'], mona: ['octo-org'], hubot: ['other-org'] }))(
    'lists the installations of the organizations that %s is in',
    async (login, expected) => {
      const token = await world.signIn(login);
      const { json } = await world.call('GET', '/user/installations', { token });
      expect(json.total_count).toBe(expected.length);
      expect(json.installations.map((each: { account: { login: string } }) => each.account.login)).toEqual(
        expected,
      );
      expect(json.installations[0].account.html_url).toBe(`${world.github.origin}/${expected[0]}`);
    },
  );

  it('lists the repositories of an installation, but not of another organization', async () => {
    const { installation, otherInstallation } = world.github.facts;
    const token = await world.signIn('mona');
    const own = await world.call('GET', `/user/installations/${installation}/repositories`, { token });
    expect(names(own.json.repositories)).toEqual(['octo-org/hello']);
    const other = await world.call('GET', `/user/installations/${otherInstallation}/repositories`, { token });
    expect(other.status).toBe(404);
  });

  it('is required to list installations: a personal token is refused', async () => {
    const token = world.github.facts.adminToken;
    expect((await world.call('GET', '/user/installations', { token })).status).toBe(403);
  });

  it('cannot read e-mail addresses until the App requests that permission', async () => {
    const token = await world.signIn('mona');
    const read = async () => (await world.call('GET', '/user/emails', { token })).status;
    expect(await read()).toBe(403);
    const app = (await world.call('GET', '/app', { token: world.appToken() })).json;
    const put = (permissions: object) =>
      world.call('PUT', '/_local/app', { token: world.github.facts.adminToken, body: { permissions } });
    await put({ ...app.permissions, email_addresses: 'read' });
    expect(await read()).toBe(200);
    await put(app.permissions);
  });

  it('lists memberships with their role and state', async () => {
    const token = await world.signIn('mona');
    const { json } = await world.call('GET', '/user/memberships/orgs?state=active', { token });
    expect(json).toHaveLength(1);
    expect(json[0]).toMatchObject({ role: 'member', state: 'active', user: { login: 'mona' } });
    expect(json[0].organization).toMatchObject({ login: 'octo-org', id: world.github.facts.orgID });
    const pending = await world.call('GET', '/user/memberships/orgs?state=pending', { token });
    expect(pending.json).toEqual([]);
  });
});

describe('an installation at the local GitHub', () => {
  it('gets no token and no webhooks while it is suspended', async () => {
    const { otherInstallation: id, adminToken: token } = world.github.facts;
    const app = { token: world.appToken() };
    const before = await world.installationToken(id);
    expect((await world.call('PUT', `/app/installations/${id}/suspended`, app)).status).toBe(204);
    const suspended = await world.webhook(({ payload }) => payload.action === 'suspend');
    expect(suspended.payload.installation).toMatchObject({ id, account: { login: 'other-org' } });
    expect((await world.call('GET', `/app/installations/${id}`, app)).json.suspended_at).toEqual(
      expect.any(String),
    );
    expect((await world.call('POST', `/app/installations/${id}/access_tokens`, app)).status).toBe(403);
    expect((await world.call('GET', '/installation/repositories', { token: before })).status).toBe(403);

    await world.call('PUT', '/orgs/other-org/memberships/mona', { token, body: { role: 'member' } });
    expect((await world.call('DELETE', `/app/installations/${id}/suspended`, app)).status).toBe(204);
    await world.webhook(({ payload }) => payload.action === 'unsuspend');
    expect(world.webhooks.filter(({ payload }) => payload.action === 'member_added')).toEqual([]);
    expect((await world.call('GET', '/installation/repositories', { token: before })).status).toBe(200);
  });

  it('no longer exists after it is removed, and its token is revoked', async () => {
    const { otherInstallation: id } = world.github.facts;
    const app = { token: world.appToken() };
    const token = await world.installationToken(id);
    expect((await world.call('DELETE', `/app/installations/${id}`, app)).status).toBe(204);
    await world.webhook(({ event, payload }) => event === 'installation' && payload.action === 'deleted');
    expect((await world.call('GET', `/app/installations/${id}`, app)).status).toBe(404);
    expect((await world.call('GET', '/installation/repositories', { token })).status).toBe(401);
  });

  it('has a new id when the App is installed again', async () => {
    const { otherInstallation: old, adminToken } = world.github.facts;
    const body = { account: 'other-org' };
    expect((await world.call('POST', '/_local/installations', { token: '', body })).status).toBe(401);
    const { json } = await world.call('POST', '/_local/installations', { token: adminToken, body });
    expect(json.id).not.toBe(old);
    const created = await world.webhook(({ payload }) => payload.action === 'created');
    expect(created.payload.installation).toMatchObject({ id: json.id, account: { login: 'other-org' } });
    expect(created.payload.repositories).toMatchObject([{ full_name: 'other-org/world' }]);
    const app = { token: world.appToken() };
    expect((await world.call('GET', `/app/installations/${old}`, app)).status).toBe(404);
    expect((await world.call('GET', '/orgs/other-org/installation', app)).json.id).toBe(json.id);
    expect((await world.call('POST', `/app/installations/${old}/access_tokens`, app)).status).toBe(404);
    const token = await world.installationToken(json.id);
    const listed = await world.call('GET', '/installation/repositories', { token });
    expect(names(listed.json.repositories)).toEqual(['other-org/world']);
    expect((await world.call('POST', '/_local/installations', { token: adminToken, body })).status).toBe(422);
    await world.call('DELETE', `/_local/installations/${json.id}`, { token: adminToken });
    expect((await world.call('GET', '/installation/repositories', { token })).status).toBe(401);
  });
});
