import { beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../support/until.ts';
import { world } from './one-world.ts';

let head: string;
beforeAll(async () => {
  head = (await world.call('GET', '/repos/octo-org/hello/pulls/1')).json.head.sha;
});

const runs = '/repos/octo-org/hello/check-runs';

async function postRun(values: object = {}) {
  const token = await world.installationToken();
  const body = { name: 'OTP Guard', head_sha: head, status: 'in_progress', ...values };
  return world.call('POST', runs, { token, body });
}

describe('a check run at the local GitHub', () => {
  it('has a suite before it has a run only if it was pushed since the App was installed, or if the App asks', async () => {
    const asAdmin = { token: world.github.facts.adminToken };
    const repo = '/repos/octo-org/hello';
    const read = (branch: string) => world.call('GET', `${repo}/commits/heads%2F${branch}/check-suites`);
    const tipOf = async (branch: string): Promise<string> =>
      (await world.call('GET', `${repo}/git/ref/heads/${branch}`, asAdmin)).json.object.sha;
    const main = await tipOf('main');
    expect((await read('main')).json).toEqual({ total_count: 0, check_suites: [] });
    const push = async (branch: string, message: string) => {
      const ref = { ref: `refs/heads/${branch}`, sha: main };
      await world.call('POST', `${repo}/git/refs`, { ...asAdmin, body: ref });
      const body = { message, content: '', branch };
      await world.call('PUT', `${repo}/contents/${branch}.txt`, { ...asAdmin, body });
    };
    await push('quiet', 'Say nothing\n\n\nskip-checks: true');
    await push('pushed', 'Push');
    const suites = await until('its suite', async () => (await read('pushed')).json.check_suites[0]);
    expect(suites.head_sha).toBe(await tipOf('pushed'));
    expect((await read('quiet')).json.total_count).toBe(0);

    const token = await world.installationToken();
    const ask = (head_sha: string) =>
      world.call('POST', `${repo}/check-suites`, { token, body: { head_sha } });
    expect([(await ask(main)).status, (await ask(main)).status]).toEqual([201, 200]);
    expect((await read('main')).json).toMatchObject({ total_count: 1, check_suites: [{ head_sha: main }] });
    expect((await ask('f'.repeat(40))).status).toBe(422);
    expect((await world.call('GET', `${repo}/commits/none/check-suites`)).status).toBe(404);
  });

  it('can only be created or changed by its own App', async () => {
    const { json } = await postRun();
    for (const token of [world.github.facts.adminToken, await world.signIn('octocat')]) {
      const made = await world.call('POST', runs, { token, body: { name: 'x', head_sha: head } });
      expect([made.status, made.json.message]).toEqual([403, 'You must authenticate via a GitHub App.']);
      const changed = await world.call('PATCH', `${runs}/${json.id}`, { token, body: { name: 'y' } });
      expect(changed.status).toBe(403);
    }
    const stranger = await world.installationToken(world.github.facts.otherInstallation);
    const changed = await world.call('PATCH', `${runs}/${json.id}`, { token: stranger, body: { name: 'y' } });
    expect(changed.status).toBe(403);
  });

  it.each(Object.entries({ title: 255, summary: 65_535, text: 65_535 }))(
    'is refused with a %s of more than %d bytes',
    async (field, limit) => {
      const output = (text: string) => ({ output: { title: 'T', summary: 'S', [field]: text } });
      const { status, json } = await postRun(output('x'.repeat(limit)));
      expect(status).toBe(201);
      const umlauts = output('ü'.repeat((limit + 1) / 2));
      expect((await postRun(umlauts)).status).toBe(422);
      const token = await world.installationToken();
      expect((await world.call('PATCH', `${runs}/${json.id}`, { token, body: umlauts })).status).toBe(422);
    },
  );
});

describe('the ruleset of the local GitHub’s main branch', () => {
  const merge = () =>
    world.call('PUT', '/repos/octo-org/hello/pulls/1/merge', { token: world.github.facts.adminToken });

  it('refuses a merge while another App’s check is required', async () => {
    const token = world.github.facts.adminToken;
    const required = (integration_id: number) =>
      world.call('PUT', '/_local/rules/octo-org/hello/main', {
        token,
        body: { required_status_checks: [{ context: 'OTP Guard', integration_id }] },
      });
    await postRun({ status: 'completed', conclusion: 'success' });
    await required(1);
    expect((await merge()).status).toBe(405);
    await required(Number(world.github.env.APP_ID));
  });
});
