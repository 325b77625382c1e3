import { describe, expect, it } from '@jest/globals';
import { world } from './one-world.ts';

const queue = '/_local/merge-queue/octo-org/hello';
const asAdmin = (method: string, path: string, body?: unknown) =>
  world.call(method, path, { token: world.github.facts.adminToken, ...(body !== undefined && { body }) });

describe('the merge queue of the local GitHub', () => {
  it('requests checks from the App for a merge of base and head', async () => {
    const pull = (await asAdmin('GET', '/repos/octo-org/hello/pulls/1')).json;
    const main = (await asAdmin('GET', '/repos/octo-org/hello/git/ref/heads/main')).json.object.sha;
    const made = await asAdmin('POST', queue, { pull_number: 1 });
    expect(made.status).toBe(201);
    const { payload } = await world.webhook(({ event }) => event === 'merge_group');
    expect(payload).toMatchObject({
      action: 'checks_requested',
      merge_group: {
        head_ref: `refs/heads/gh-readonly-queue/main/pr-1-${main}`,
        base_sha: main,
        base_ref: 'refs/heads/main',
        head_commit: {
          id: payload.merge_group.head_sha,
          tree_id: expect.stringMatching(/^[\da-f]{40}$/),
          message: 'Merge pull request #1 from add-a-greeting\n\nAdd a greeting',
          timestamp: expect.any(String),
          author: { name: expect.any(String), email: expect.any(String) },
          committer: { name: expect.any(String), email: expect.any(String) },
        },
      },
      repository: { full_name: 'octo-org/hello' },
      organization: { login: 'octo-org' },
      installation: { id: world.github.facts.installation },
      sender: { login: 'github-merge-queue[bot]', type: 'Bot' },
    });
    const { head_sha: head } = payload.merge_group;
    const commit = (await asAdmin('GET', `/repos/octo-org/hello/commits/${head}`)).json;
    expect(commit.parents.map(({ sha }: { sha: string }) => sha)).toEqual([main, pull.head.sha]);

    const run = await world.call('POST', '/repos/octo-org/hello/check-runs', {
      token: await world.installationToken(),
      body: { name: 'OTP Guard', head_sha: head, status: 'in_progress' },
    });
    expect([run.status, run.json.pull_requests]).toEqual([201, []]);
    const listed = await asAdmin('GET', `/repos/octo-org/hello/commits/${head}/check-runs`);
    expect(listed.json.total_count).toBe(1);
  });

  it('sends a webhook with the reason when a merge group is removed', async () => {
    expect((await asAdmin('DELETE', queue, { pull_number: 1, reason: 'invalidated' })).status).toBe(204);
    const { payload } = await world.webhook(
      (webhook) => webhook.event === 'merge_group' && webhook.payload.action === 'destroyed',
    );
    expect(payload).toMatchObject({ reason: 'invalidated', merge_group: { base_ref: 'refs/heads/main' } });
    const ref = payload.merge_group.head_ref.replace('refs/', '');
    expect((await asAdmin('GET', `/repos/octo-org/hello/git/ref/${ref}`)).status).toBe(404);
    expect((await asAdmin('DELETE', queue, { pull_number: 1 })).status).toBe(404);
  });

  it('builds each group on the one before, and invalidates what is built on a removed one', async () => {
    const main = (await asAdmin('GET', '/repos/octo-org/hello/git/ref/heads/main')).json.object.sha;
    const ref = { ref: 'refs/heads/second', sha: main };
    await asAdmin('POST', '/repos/octo-org/hello/git/refs', ref);
    const file = { message: 'Two', content: 'eA==', branch: 'second' };
    await asAdmin('PUT', '/repos/octo-org/hello/contents/two.txt', file);
    const opened = await asAdmin('POST', '/repos/octo-org/hello/pulls', {
      title: '2',
      head: 'second',
      base: 'main',
    });
    const { number } = opened.json;
    const first = (await asAdmin('POST', queue, { pull_number: 1 })).json;
    const second = (await asAdmin('POST', queue, { pull_number: number })).json;
    expect([first.base_sha, second.base_sha]).toEqual([main, first.head_sha]);
    await asAdmin('DELETE', queue, { pull_number: 1 });
    // Two groups of one pull request in the same second have the same commit, so the reason is part of the search.
    const removed = (head: string, reason: string) =>
      world.webhook(
        ({ payload }) =>
          payload.action === 'destroyed' &&
          payload.merge_group.head_sha === head &&
          payload.reason === reason,
      );
    await removed(first.head_sha, 'dequeued');
    await removed(second.head_sha, 'invalidated');

    const again = (await asAdmin('POST', queue, { pull_number: number })).json;
    expect(again.base_sha).toBe(main);
    await asAdmin('DELETE', queue, { pull_number: number, reason: 'merged' });
    const moved = (await asAdmin('GET', '/repos/octo-org/hello/git/ref/heads/main')).json;
    expect(moved.object.sha).toBe(again.head_sha);
  });
});
