import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from './world.ts';

let world: World;
let head: string;
beforeAll(async () => {
  world = await startWorld();
  head = (await world.call('GET', '/repos/octo-org/hello/pulls/1')).json.head.sha;
});
afterAll(() => world.close());

const runs = '/repos/octo-org/hello/check-runs';

async function postRun(values: object = {}) {
  const token = await world.installationToken();
  const body = { name: 'OTP Guard', head_sha: head, status: 'in_progress', ...values };
  return world.call('POST', runs, { token, body });
}

describe('check runs of the local GitHub', () => {
  it('belong to the App that made them and to their pull request', async () => {
    const { status, json } = await postRun();
    expect(status).toBe(201);
    expect(json.app).toMatchObject({ id: Number(world.github.env.APP_ID), slug: 'otp-guard' });
    expect(json.pull_requests).toMatchObject([{ number: 1, head: { sha: head } }]);
    const again = await world.call('GET', `${runs}/${json.id}`);
    expect(again.json.app).toEqual(json.app);
  });

  it('are found by commit and by App', async () => {
    await postRun();
    const path = `/repos/octo-org/hello/commits/${head}/check-runs`;
    const mine = await world.call('GET', `${path}?app_id=${world.github.env.APP_ID}&check_name=OTP%20Guard`);
    expect(mine.json.total_count).toBe(1);
    expect(mine.json.check_runs[0].app.slug).toBe('otp-guard');
    expect((await world.call('GET', `${path}?app_id=1`)).json).toEqual({ total_count: 0, check_runs: [] });
  });

  it('cannot be made or changed by a person', async () => {
    const { json } = await postRun();
    for (const token of [world.github.facts.adminToken, await world.signIn('octocat')]) {
      const made = await world.call('POST', runs, { token, body: { name: 'x', head_sha: head } });
      expect(made.status).toBe(403);
      expect(made.json.message).toBe('You must authenticate via a GitHub App.');
      const changed = await world.call('PATCH', `${runs}/${json.id}`, { token, body: { name: 'y' } });
      expect(changed.status).toBe(403);
    }
    const stranger = await world.installationToken(world.github.facts.otherInstallation);
    const changed = await world.call('PATCH', `${runs}/${json.id}`, { token: stranger, body: { name: 'y' } });
    expect(changed.status).toBe(403);
  });

  it('refuses a commit that does not exist', async () => {
    const { status } = await postRun({ head_sha: 'f'.repeat(40) });
    expect(status).toBe(422);
  });

  it('asks the App anew when somebody re-runs a check', async () => {
    const { json } = await postRun();
    const token = world.github.facts.adminToken;
    await world.call('POST', `${runs}/${json.id}/rerequest`, { token });
    const { payload } = await world.hook(
      (hook) => hook.payload.action === 'rerequested' && hook.payload.check_run.id === json.id,
    );
    expect(payload.check_run).toMatchObject({ app: { slug: 'otp-guard' }, pull_requests: [{ number: 1 }] });
    expect(payload.sender.login).toBe('octocat');
  });

  it('work on the head of a fork’s pull request', async () => {
    const token = world.github.facts.adminToken;
    await world.call('POST', '/repos/octo-org/hello/forks', { token, body: {} });
    const file = { message: 'A file', content: Buffer.from('new').toString('base64') };
    await world.call('PUT', '/repos/octocat/hello/contents/new.txt', { token, body: file });
    const opened = await world.call('POST', '/repos/octo-org/hello/pulls', {
      token,
      body: { title: 'From a fork', head: 'octocat:main', base: 'main' },
    });
    const sha = opened.json.head.sha;
    const path = `/repos/octo-org/hello/commits/${sha}/check-runs`;
    expect((await world.call('GET', path)).json).toEqual({ total_count: 0, check_runs: [] });
    const made = await postRun({ head_sha: sha });
    expect(made.status).toBe(201);
    expect((await world.call('GET', path)).json.check_runs).toMatchObject([{ id: made.json.id }]);
  });
});

describe('the protection of a branch', () => {
  const merge = () =>
    world.call('PUT', '/repos/octo-org/hello/pulls/1/merge', { token: world.github.facts.adminToken });

  it('refuses a merge until the check has succeeded, and again after a later run took it back', async () => {
    expect((await merge()).status).toBe(422);
    await postRun({ status: 'completed', conclusion: 'success' });
    await postRun({ status: 'in_progress' });
    expect((await merge()).json.message).toBe('Required status checks have not succeeded.');
    await postRun({ status: 'completed', conclusion: 'success' });
    expect((await merge()).json.merged).toBe(true);
    const closed = await world.hook(({ payload }) => payload.action === 'closed');
    expect(closed.payload).toMatchObject({ number: 1, pull_request: { merged: true } });
  });
});
