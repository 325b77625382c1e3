import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toInstallation } from '../../src/accounts/github-installation.ts';
import type { Organization } from '../../src/accounts/ports.ts';
import { githubFixture, type Json } from '../support/fixtures.ts';
import { type Answer, type NockGitHub, startNockGitHub } from '../support/nock-github.ts';
import { INSTALLATION, reply, STORY, startBot, type TestBot, TOKENS } from './bot.ts';

let github: NockGitHub;
let bot: TestBot;
let org: Organization;

const hacktocat = { githubId: 39652351, login: 'hacktocat' };
const MEMBERSHIP = `/orgs/${STORY.owner}/memberships/${hacktocat.login}`;
const EVENTS = [
  'organization.member_added',
  'organization.member_removed',
  'membership.added',
  'membership.removed',
];

const installation = (change: (one: Json) => void = () => undefined) => {
  const found = toInstallation(githubFixture('installation', change), 'https://github.com');
  if (!found) throw new Error('no installation');
  return found;
};

/** What GitHub says of hacktocat at this moment. */
const member = (role: string, change: object = {}): Answer => ({
  status: 200,
  body: githubFixture('org-membership', (one) => {
    Object.assign(one.user, { id: hacktocat.githubId, login: hacktocat.login });
    Object.assign(one, { role }, change);
  }),
});
const nobody: Answer = { status: 404, body: { message: 'Not Found' } };
const here = (change?: (one: Json) => void) => ({ status: 200, body: githubFixture('installation', change) });
/** A no is looked into: the installation and hacktocat are still there, by the same names. */
const foreseeNo = () => {
  github.answers('GET', INSTALLATION, here());
  github.answers('GET', `/user/${hacktocat.githubId}`, { status: 200, body: githubFixture('user') });
};

beforeEach(async () => {
  github = startNockGitHub();
  bot = await startBot();
  org = await bot.organizations.save(installation());
  bot.memberships.users.set(hacktocat.githubId, 'record-of-hacktocat');
});
afterEach(() => github.finish());

const stored = () => bot.memberships.stored.map(({ login, role, userId }) => [login, role, userId]);
const IN = [['hacktocat', 'member', 'record-of-hacktocat']];

describe.each(EVENTS)('on %s', (event) => {
  it('whom GitHub has for a member is one, with the role that GitHub says', async () => {
    github.expects('POST', TOKENS, reply.token);
    github.answers('GET', MEMBERSHIP, member('admin'));
    await bot.deliver(event, {
      change: ({ membership }) => Object.assign(membership ?? {}, { role: 'member' }),
    });
    expect(stored()).toEqual([['hacktocat', 'admin', 'record-of-hacktocat']]);
    expect(bot.deliveries.worked.size).toBe(1);
  });

  it('whom GitHub has for none is none, whatever the webhook says', async () => {
    bot.memberships.put(org, { ...hacktocat, role: 'admin' }, { userId: 'record-of-hacktocat' });
    github.expects('POST', TOKENS, reply.token);
    github.answers('GET', MEMBERSHIP, nobody);
    foreseeNo();
    await bot.deliver(event, {
      change: ({ membership }) => Object.assign(membership ?? {}, { state: 'active', role: 'admin' }),
    });
    expect(stored()).toEqual([]);
  });

  it('one who is only invited is no member yet', async () => {
    github.expects('POST', TOKENS, reply.token);
    github.answers('GET', MEMBERSHIP, member('member', { state: 'pending' }));
    foreseeNo();
    await bot.deliver(event);
    expect(stored()).toEqual([]);
  });

  it('a delivery that is sent once more brings nobody back', async () => {
    github.answers('POST', TOKENS, reply.token);
    foreseeNo();
    let isIn = true;
    github.answers('GET', MEMBERSHIP, (() => (isIn ? member('member') : nobody)) as never);
    await bot.deliver(event, { id: 'one' });
    expect(stored()).toEqual(IN);
    isIn = false;
    await bot.deliver('organization.member_removed');
    expect(stored()).toEqual([]);
    await bot.deliver(event, { id: 'two' });
    expect(stored()).toEqual([]);
  });

  it('GitHub’s silence changes nothing, and the delivery is not done', async () => {
    bot.memberships.put(org, { ...hacktocat, role: 'member' }, { userId: 'record-of-hacktocat' });
    github.answers('POST', TOKENS, reply.token);
    github.answers('GET', MEMBERSHIP, { status: 500, body: {} });
    await bot.deliver(event);
    expect(stored()).toEqual(IN);
    expect(bot.deliveries.worked.size).toBe(0);
  });

  it.each<[string, Answer]>([
    ['removed', nobody],
    ['suspended', here((one) => Object.assign(one, { suspended_at: '2026-11-21T00:00:00Z' }))],
  ])(
    'a no of a GitHub that tells us nothing ends no membership: the App is %s by now',
    async (_what, now) => {
      bot.memberships.put(org, { ...hacktocat, role: 'member' }, { userId: 'record-of-hacktocat' });
      github.answers('POST', TOKENS, reply.token);
      github.answers('GET', MEMBERSHIP, nobody);
      github.answers('GET', INSTALLATION, now);
      await bot.deliver(event);
      expect(stored()).toEqual(IN);
      expect(bot.deliveries.worked.size).toBe(1);
    },
  );

  it.each<[string, () => Promise<unknown>]>([
    ['not ours', async () => bot.organizations.stored.splice(0)],
    ['without the App', () => bot.organizations.removed(STORY.installation)],
    ['where the App is suspended', () => bot.organizations.save({ ...installation(), suspended: true })],
  ])('an organization %s is nothing to ask about', async (_what, change) => {
    await change();
    await bot.deliver(event);
    expect(github.sent).toEqual([]);
    expect(stored()).toEqual([]);
    expect(bot.deliveries.worked.size).toBe(1);
  });
});

describe('a webhook that is older than a new name of the person', () => {
  it('does not end the membership that they still have', async () => {
    const now = { githubId: hacktocat.githubId, login: 'hacktocat-now' };
    bot.memberships.put(org, { ...now, role: 'member' }, { userId: 'record-of-hacktocat' });
    github.answers('POST', TOKENS, reply.token);
    github.answers('GET', MEMBERSHIP, nobody);
    github.answers('GET', INSTALLATION, here());
    github.answers('GET', `/user/${now.githubId}`, {
      status: 200,
      body: githubFixture('user', (one) => Object.assign(one, { login: now.login })),
    });
    github.answers('GET', `/orgs/${STORY.owner}/memberships/${now.login}`, {
      status: 200,
      body: githubFixture('org-membership', (one) =>
        Object.assign(one.user, { id: now.githubId, login: now.login }),
      ),
    });
    await bot.deliver('organization.member_added');
    expect(stored()).toEqual([['hacktocat-now', 'member', 'record-of-hacktocat']]);
  });
});

describe('a membership of an account that is gone', () => {
  it.each(['organization.member_removed', 'membership.removed'])(
    'is nothing to ask about: %s',
    async (event) => {
      await bot.deliver(event, {
        change: (payload) => {
          if (payload.membership) payload.membership.user = null;
          else payload.member = null;
        },
      });
      expect(github.sent).toEqual([]);
      expect(bot.deliveries.worked.size).toBe(1);
    },
  );
});

describe('an organization', () => {
  it('has the name that GitHub says, on organization.renamed', async () => {
    await bot.organizations.save(
      installation((one) => Object.assign(one.account, { login: 'Hello-Octocoders' })),
    );
    github.answers('GET', INSTALLATION, { status: 200, body: githubFixture('installation') });
    await bot.deliver('organization.renamed');
    expect(bot.organizations.stored).toMatchObject([{ id: org.id, name: STORY.owner }]);
  });

  it('keeps the newer name where an old webhook is sent once more', async () => {
    github.answers('GET', INSTALLATION, {
      status: 200,
      body: githubFixture('installation', (one) => Object.assign(one.account, { login: 'Newest' })),
    });
    await bot.deliver('organization.renamed');
    expect(bot.organizations.stored).toMatchObject([{ name: 'Newest' }]);
  });

  it('has no App any more on organization.deleted, where GitHub knows the installation no more', async () => {
    github.answers('GET', INSTALLATION, nobody);
    await bot.deliver('organization.deleted');
    expect(bot.organizations.stored).toMatchObject([{ id: org.id, installationId: 0 }]);
  });

  it('keeps the App where organization.deleted is not so', async () => {
    github.answers('GET', INSTALLATION, { status: 200, body: githubFixture('installation') });
    await bot.deliver('organization.deleted');
    expect(bot.organizations.stored).toEqual([org]);
  });

  it('is left alone by a webhook without an installation', async () => {
    for (const event of ['organization.renamed', 'organization.deleted'])
      await bot.deliver(event, {
        change: (payload) => {
          delete payload.installation;
        },
      });
    expect(github.sent).toEqual([]);
    expect(bot.organizations.stored).toEqual([org]);
  });
});
