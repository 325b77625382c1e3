import { describe, expect, it } from '@jest/globals';
import { toInstallation } from '../../src/adapters/github/installation-payload.ts';
import { githubFixture, type Json } from '../support/fixtures.ts';
import { INSTALLATION, REPOSITORIES } from './bot.ts';
import { bot, github } from './fresh-bot.ts';

describe.each(['Organization', 'User'])('on installation_target.renamed of an account of type %s', (type) => {
  const ofType = (login: string) =>
    githubFixture('installation', (one: Json) => {
      Object.assign(one, { target_type: type });
      Object.assign(one.account, { type, login });
    });

  it('saves the name that GitHub returns, not the one in the webhook, and syncs the pull requests', async () => {
    const before = toInstallation(ofType('Hello-Octocoders'), 'https://github.com');
    const org = before && (await bot.organizations.save(before));
    github.answers('GET', INSTALLATION, { status: 200, body: ofType('Newest') });
    github.expects('GET', REPOSITORIES, { status: 200, body: { total_count: 0, repositories: [] } });
    await bot.deliver('installation_target.renamed', {
      change: (payload) => Object.assign(payload, { target_type: type }),
    });
    expect(bot.organizations.stored).toMatchObject([{ id: org?.id, name: 'Newest' }]);
    expect([bot.deliveries.worked.size, bot.faults]).toEqual([1, []]);
  });
});
