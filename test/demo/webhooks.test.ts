import { describe, expect, it } from '@jest/globals';
import { until } from '../support/until.ts';
import { world } from './one-world.ts';
import type { Webhook } from './world.ts';

const isWebhook = (event: string, action: string) => (webhook: Webhook) =>
  webhook.event === event && webhook.payload.action === action;
const asAdmin = (method: string, path: string, body?: unknown) =>
  world.call(method, path, { token: world.github.facts.adminToken, ...(body !== undefined && { body }) });
const shaOf = ({ sha }: { sha: string }) => sha;

describe('a webhook of the local GitHub', () => {
  it('is signed and has the headers of GitHub and its own GUID', async () => {
    const opened = await world.webhook(isWebhook('pull_request', 'opened'));
    expect(opened.signed).toBe(true);
    expect(opened.headers).toMatchObject({
      'user-agent': expect.stringMatching(/^GitHub-Hookshot\//),
      'x-github-hook-installation-target-id': world.github.env.APP_ID,
      'x-github-hook-installation-target-type': 'integration',
      'content-type': 'application/json',
    });
    expect(opened.payload).toMatchObject({
      number: 1,
      installation: { id: world.github.facts.installation },
      organization: { id: world.github.facts.orgID, login: 'octo-org' },
      sender: { login: 'mona' },
    });
    expect(opened.guid).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(new Set(world.webhooks.map(({ guid }) => guid)).size).toBe(world.webhooks.length);
  });

  it('is sent when a message is amended, and the pull request has the new commit everywhere', async () => {
    const repo = '/repos/octo-org/hello';
    const { head, base } = (await world.call('GET', `${repo}/pulls/1`)).json;
    const { tree, parents } = (await asAdmin('GET', `${repo}/git/commits/${head.sha}`)).json;
    const commit = (message: string, files: string) =>
      asAdmin('POST', `${repo}/git/commits`, { message, tree: files, parents: parents.map(shaOf) });
    const move = (sha: string, force?: boolean) =>
      asAdmin('PATCH', `${repo}/git/refs/heads/${head.ref}`, { sha, force });

    const { sha } = (await commit('Say it better', tree.sha)).json;
    expect((await move(sha)).json.message).toBe('Update is not a fast-forward');
    expect((await move('0'.repeat(40), true)).status).toBe(422);
    const others = (await asAdmin('GET', `${repo}/git/commits/${base.sha}`)).json.tree.sha;
    expect((await move((await commit('Other files', others)).json.sha, true)).status).toBe(501);
    expect((await world.call('GET', `${repo}/pulls/1`)).json.head.sha).toBe(head.sha);

    expect((await move(sha, true)).status).toBe(200);
    const { payload } = await world.webhook(
      (webhook) => isWebhook('pull_request', 'synchronize')(webhook) && webhook.payload.after === sha,
    );
    expect(payload).toMatchObject({ before: head.sha, pull_request: { number: 1, head: { sha } } });
    expect((await world.call('GET', `${repo}/pulls`)).json[0].head.sha).toBe(sha);
    const commits = (await world.call('GET', `${repo}/pulls/1/commits`)).json;
    expect(commits.at(-1)).toMatchObject({ sha, commit: { message: 'Say it better' } });
    const stale = await asAdmin('PUT', `${repo}/pulls/1/merge`, { sha: head.sha });
    expect(stale.json.message).toBe('Head branch was modified. Review and try the merge again.');
  });

  it('is sent for each edit, with what changed', async () => {
    await asAdmin('PATCH', '/repos/octo-org/hello/pulls/1', { title: 'A better title' });
    await asAdmin('PATCH', '/repos/octo-org/hello/pulls/1', { base: 'release' });
    const rebased = await world.webhook((webhook) => webhook.payload.changes?.base !== undefined);
    expect(rebased.payload.changes.base.ref).toEqual({ from: 'main' });
    const titled = world.webhooks.filter(({ payload }) => payload.changes?.title);
    expect(titled.map(({ payload }) => payload.changes)).toEqual([{ title: { from: 'Add a greeting' } }]);
    expect(world.webhooks.filter(isWebhook('pull_request', 'edited'))).toHaveLength(2);
  });

  it('is sent when a member joins or leaves', async () => {
    await asAdmin('PUT', '/orgs/octo-org/memberships/hubot', { role: 'member' });
    const added = await world.webhook(isWebhook('organization', 'member_added'));
    expect(added.payload.membership).toMatchObject({ role: 'member', user: { login: 'hubot' } });
    expect((await asAdmin('DELETE', '/orgs/octo-org/members/hubot')).status).toBe(204);
    const removed = await world.webhook(isWebhook('organization', 'member_removed'));
    expect(removed.payload).toMatchObject({
      membership: { user: { login: 'hubot' } },
      organization: { id: world.github.facts.orgID },
      installation: { id: world.github.facts.installation },
      sender: { login: 'octocat' },
    });
    expect((await asAdmin('GET', '/orgs/octo-org/members/hubot')).status).toBe(404);
  });
});

describe('the webhook deliveries of the local GitHub', () => {
  const app = () => ({ token: world.appToken() });

  it('are listed newest first, and redelivered with the same GUID', async () => {
    world.answerWebhooksWith(503);
    await asAdmin('PATCH', '/repos/octo-org/hello/pulls/1', { title: 'While it was down' });
    const lost = await world.webhook(({ payload }) => payload.pull_request?.title === 'While it was down');
    world.answerWebhooksWith(202);
    // A delivery is listed once its answer has arrived.
    const newest = async (query: string) => {
      const { json, headers } = await world.call('GET', `/app/hook/deliveries?${query}`, app());
      return json[0]?.guid === lost.guid && { ...json[0], link: headers.get('link') ?? '' };
    };
    const failed = await until('the failed delivery', () => newest('status=failure'));
    expect(failed).toMatchObject({ status_code: 503, redelivery: false });
    expect(failed.request).toBeUndefined();

    const { id } = failed;
    const whole = await world.call('GET', `/app/hook/deliveries/${id}`, app());
    expect(whole.json.request.payload).toEqual(lost.payload);
    expect((await world.call('POST', `/app/hook/deliveries/${id}/attempts`, app())).status).toBe(202);
    await world.webhook((webhook) => webhook.guid === lost.guid && webhook !== lost);
    const again = await until('the redelivery', async () => {
      const listed = await newest('per_page=1');
      return listed && listed.id !== id && listed;
    });
    expect(again).toMatchObject({ redelivery: true, status_code: 202 });
    const next = /<([^>]+)>; rel="next"/.exec(again.link)?.[1] ?? '';
    const older = await world.call('GET', next.slice(world.github.origin.length), app());
    expect(older.json[0].id).toBeLessThan(again.id);
  });
});
