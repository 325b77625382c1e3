import { describe, expect, it } from '@jest/globals';
import { world } from './one-world.ts';

const asAdmin = (method: string, path: string, body?: unknown) =>
  world.call(method, path, { token: world.github.facts.adminToken, body });

describe('the permissions of the App at the local GitHub', () => {
  const path = () => `/app/installations/${world.github.facts.installation}`;
  const installation = async () => (await world.call('GET', path(), { token: world.appToken() })).json;
  const grant = (body: object) => asAdmin('PUT', `/_local${path().replace('/app', '')}`, body);

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

  it('end at the repositories that the account selected', async () => {
    await grant({ permissions: { ...(await installation()).permissions, administration: 'read' } });
    const token = await world.installationToken();
    const select = (repositories: string[] | null) =>
      asAdmin('PUT', `/_local${path().replace('/app', '')}/repositories`, { repositories });
    await asAdmin('POST', '/orgs/octo-org/repos', { name: 'other', auto_init: true });
    const names = async () => {
      const { json } = await world.call('GET', '/installation/repositories', { token });
      return [json.repository_selection, json.repositories.map(({ name }: { name: string }) => name)];
    };
    expect(await names()).toEqual(['all', ['hello', 'other']]);
    await select(['other']);
    const { payload } = await world.webhook(({ event }) => event === 'installation_repositories');
    expect(payload).toMatchObject({
      action: 'removed',
      repository_selection: 'selected',
      repositories_removed: [{ full_name: 'octo-org/hello' }],
      sender: { login: 'octocat' },
    });
    expect(await names()).toEqual(['selected', ['other']]);
    for (const part of ['pulls', 'branches/main/protection', 'keys'])
      expect((await world.call('GET', `/repos/octo-org/hello/${part}`, { token })).status).toBe(403);
    await asAdmin('PATCH', '/repos/octo-org/hello/pulls/1', { title: 'Not selected' });
    await select(null);
    await asAdmin('PATCH', '/repos/octo-org/hello/pulls/1', { title: 'Selected' });
    await world.webhook(({ payload: { changes } }) => changes?.title?.from === 'Not selected');
    const titles = world.webhooks.map(({ payload: sent }) => sent.pull_request?.title);
    expect(titles).not.toContain('Not selected');
    expect(await names()).toEqual(['all', ['hello', 'other']]);
  });

  it('hide commits, code and runs of a private repository only, in REST and in one part of a query’s answer', async () => {
    const { permissions } = await installation();
    const repo = '/repos/octo-org/hello';
    const { json: opened } = await asAdmin('GET', `${repo}/pulls/1`);
    const setPrivate = (isPrivate: boolean) => asAdmin('PATCH', repo, { private: isPrivate });
    const read = async () => {
      const token = await world.installationToken();
      const paths = [
        'commits/main',
        'contents/README.md',
        `commits/${opened.head.sha}/check-runs`,
        'pulls/1',
      ];
      const answers = await Promise.all(paths.map((part) => world.call('GET', `${repo}/${part}`, { token })));
      const commits =
        'commits(last: 1) { nodes { commit { oid, checkSuites(first: 1) { nodes { __typename } } } } }';
      const query = `{ repository(owner: "octo-org", name: "hello") { pullRequests(first: 1, states: OPEN) {
        nodes { number, ${commits} } } } }`;
      const { json } = await world.call('POST', '/graphql', { token, body: { query } });
      const [pull] = json.data.repository.pullRequests.nodes;
      return [answers.map(({ status }) => status), pull.number, pull.commits.nodes[0], json.errors];
    };
    expect(await read()).toEqual([[200, 200, 200, 200], 1, expect.anything(), undefined]);
    await setPrivate(true);
    const error = {
      type: 'FORBIDDEN',
      path: ['repository', 'pullRequests', 'nodes', 0, 'commits', 'nodes', 0, 'commit'],
      message: 'Resource not accessible by integration',
    };
    expect(await read()).toEqual([[403, 403, 200, 200], 1, null, [error]]);
    const { checks: _checks, ...others } = permissions;
    await grant({ permissions: others });
    expect((await read())[0]).toEqual([403, 403, 403, 200]);
    await grant({ permissions: { ...permissions, contents: 'read' } });
    expect((await read()).slice(1)).toEqual([1, expect.anything(), undefined]);
    await grant({ permissions });
    await setPrivate(false);
  });

  it('come with tokens, and the tag of an answer is good for its own token only', async () => {
    const path = '/repos/octo-org/hello/pulls/1';
    const [one, other] = [await world.installationToken(), await world.installationToken()];
    const tag = (await world.call('GET', path, { token: one })).headers.get('etag') ?? '';
    const again = (token: string) => world.call('GET', path, { token, headers: { 'if-none-match': tag } });
    expect([(await again(one)).status, (await again(other)).status]).toEqual([304, 200]);
  });
});
