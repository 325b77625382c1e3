import { describe, expect, it } from '@jest/globals';
import { world } from './one-world.ts';

const asAdmin = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  world.call(method, path, {
    token: world.github.facts.adminToken,
    ...(body !== undefined && { body }),
    ...(headers && { headers }),
  });

describe('a list at the local GitHub', () => {
  it.each<[path: string, by: 'installation' | 'app']>([
    ['/repos/octo-org/hello/pulls?state=open', 'installation'],
    ['/installation/repositories', 'installation'],
    ['/app/installations?per_page=1', 'app'],
  ])('gets the response 304 if the client has the current version: %s', async (path, by) => {
    const token = by === 'app' ? world.appToken() : await world.installationToken();
    const first = await world.call('GET', path, { token });
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\da-f]{64}"$/);
    const again = await world.call('GET', path, { token, headers: { 'if-none-match': `W/${tag}` } });
    expect([again.status, again.text, again.headers.get('link')]).toEqual([304, '', null]);
    const other = await world.call('GET', path, { token, headers: { 'if-none-match': '"other"' } });
    expect([other.status, other.json]).toEqual([200, first.json]);
  });

  it('has another ETag after a pull request changed', async () => {
    const path = '/repos/octo-org/hello/pulls';
    const tag = (await asAdmin('GET', path)).headers.get('etag') ?? '';
    await asAdmin('PUT', `${path}/1/update-branch`);
    expect((await asAdmin('GET', path, undefined, { 'if-none-match': tag })).status).toBe(200);
  });
});

describe('the permissions of the App at the local GitHub', () => {
  const app = async () => (await world.call('GET', '/app', { token: world.appToken() })).json;
  const path = () => `/app/installations/${world.github.facts.installation}`;
  const installation = async () => (await world.call('GET', path(), { token: world.appToken() })).json;
  const grant = (body: object) => asAdmin('PUT', `/_local${path().replace('/app', '')}`, body);

  it('are requested by the App and granted by each account separately', async () => {
    expect((await app()).permissions).toMatchObject({ checks: 'write', members: 'read' });
    const { permissions, events } = await installation();
    await asAdmin('PUT', '/_local/app', { permissions: { ...permissions, administration: 'read' } });
    expect((await app()).permissions.administration).toBe('read');
    expect((await installation()).permissions.administration).toBeUndefined();
    expect(events).toEqual((await app()).events);
  });

  it('let the App read branch protection once the account grants them', async () => {
    const protection = '/repos/octo-org/hello/branches/main/protection';
    const token = await world.installationToken();
    await asAdmin('PUT', protection, {
      required_status_checks: { strict: false, contexts: ['OTP Guard'] },
      enforce_admins: true,
      required_pull_request_reviews: null,
      restrictions: null,
    });
    expect((await world.call('GET', protection, { token })).status).toBe(403);
    const { permissions } = await installation();
    await grant({ permissions: { ...permissions, administration: 'read' } });
    const { payload } = await world.webhook(
      (webhook) => webhook.payload.action === 'new_permissions_accepted',
    );
    expect(payload.installation.permissions.administration).toBe('read');
    const found = await world.call('GET', protection, { token });
    expect(found.json.required_status_checks.contexts).toEqual(['OTP Guard']);
    const bare = await world.call('GET', protection.replace('main', 'add-a-greeting'), { token });
    expect([bare.status, bare.json.message]).toEqual([404, 'Branch not protected']);
    const other = await world.installationToken(world.github.facts.otherInstallation);
    expect((await world.call('GET', protection, { token: other })).status).toBe(403);
  });

  it('include events: the App receives no webhooks that the account did not grant', async () => {
    const { events } = await installation();
    await grant({ events: events.filter((name: string) => name !== 'pull_request') });
    await asAdmin('PATCH', '/repos/octo-org/hello/pulls/1', { title: 'Not granted' });
    await grant({ events });
    await asAdmin('PATCH', '/repos/octo-org/hello/pulls/1', { title: 'Granted' });
    await world.webhook(({ payload }) => payload.pull_request?.title === 'Granted');
    expect(
      world.webhooks.some(({ payload }) => payload.pull_request?.title === 'Not granted' && payload.changes),
    ).toBe(false);
  });
});

describe('a repository at the local GitHub', () => {
  it('sends a webhook when it is renamed, and redirects from its old name', async () => {
    const { id } = (await asAdmin('GET', '/repos/octo-org/hello')).json;
    await asAdmin('PATCH', '/repos/octo-org/hello', { name: 'goodbye' });
    const renamed = await world.webhook(
      (webhook) => webhook.event === 'repository' && webhook.payload.action === 'renamed',
    );
    expect(renamed.payload).toMatchObject({
      changes: { repository: { name: { from: 'hello' } } },
      repository: { id, full_name: 'octo-org/goodbye' },
      installation: { id: world.github.facts.installation },
      sender: { login: 'octocat' },
    });
    const old = await asAdmin('GET', '/repos/octo-org/hello/pulls?state=open');
    const there = `/repositories/${id}/pulls?state=open`;
    expect([old.status, old.headers.get('location')]).toEqual([301, `${world.github.origin}${there}`]);
    expect((await asAdmin('GET', there)).json).toMatchObject([{ number: 1 }]);
    const write = await asAdmin('PATCH', '/repos/octo-org/hello/pulls/1', { title: 'x' });
    expect([write.status, write.headers.get('location')]).toEqual([
      307,
      `${world.github.origin}/repositories/${id}/pulls/1`,
    ]);
    expect(world.webhooks.filter((webhook) => webhook.event === 'repository')).toHaveLength(1);
  });

  it('sends a webhook with its previous owner when it is transferred', async () => {
    await asAdmin('POST', '/repos/octo-org/goodbye/transfer', { new_owner: 'other-org' });
    const { payload } = await world.webhook((webhook) => webhook.payload.action === 'transferred');
    expect(payload).toMatchObject({
      changes: { owner: { from: { organization: { id: world.github.facts.orgID, login: 'octo-org' } } } },
      repository: { full_name: 'other-org/goodbye' },
      organization: { login: 'other-org' },
      installation: { id: world.github.facts.otherInstallation },
    });
    expect((await asAdmin('GET', '/repos/octo-org/goodbye')).status).toBe(301);
    expect((await asAdmin('GET', '/repos/other-org/goodbye')).status).toBe(200);
    const { installation, otherInstallation } = world.github.facts;
    for (const [action, id] of [
      ['removed', installation],
      ['added', otherInstallation],
    ] as const) {
      const found = await world.webhook(
        (webhook) => webhook.event === 'installation_repositories' && webhook.payload.action === action,
      );
      expect(found.payload).toMatchObject({
        installation: { id },
        [`repositories_${action}`]: [{ id: payload.repository.id, name: 'goodbye' }],
      });
    }
  });
});

describe('an organization behind single sign-on at the local GitHub', () => {
  it('is hidden from a person’s token until the single sign-on, and says where that is', async () => {
    const token = await world.signIn('octocat');
    const { otherOrgID } = world.github.facts;
    const logins = async () => {
      const { json, headers } = await world.call('GET', '/user/installations', { token });
      const all = json.installations.map(({ account }: { account: { login: string } }) => account.login);
      return [all, headers.get('x-github-sso')];
    };
    await asAdmin('PUT', '/_local/single-sign-on/other-org', { required: true });
    expect(await logins()).toEqual([['octo-org'], `partial-results; organizations=${otherOrgID}`]);
    const refused = await world.call('GET', `/user/${otherOrgID}`, { token });
    const page = `${world.github.origin}/orgs/other-org/sso?authorization_request=local`;
    expect([refused.status, refused.headers.get('x-github-sso')]).toEqual([403, `required; url=${page}`]);
    expect((await fetch(page)).status).toBe(200);
    expect(await logins()).toEqual([['octo-org', 'other-org'], null]);
  });
});
