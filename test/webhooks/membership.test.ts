import { beforeEach, describe, expect, it } from '@jest/globals';
import { toInstallation } from '../../src/adapters/github/installation-payload.ts';
import type { Organization } from '../../src/organizations/ports.ts';
import { githubFixture, type Json } from '../support/fixtures.ts';
import type { Answer } from '../support/nock-github.ts';
import { INSTALLATION, REPOSITORIES, STORY } from './bot.ts';
import { bot, github } from './fresh-bot.ts';

let org: Organization;

const hacktocat = { githubId: 39652351, login: 'hacktocat' };
const MEMBERSHIP = `/orgs/${STORY.owner}/memberships/${hacktocat.login}`;
const ADDED = 'organization.member_added';

const installation = (change: (one: Json) => void = () => undefined) => {
  const found = toInstallation(githubFixture('installation', change), 'https://github.com');
  if (!found) throw new Error('no installation');
  return found;
};

/** GitHub’s answer about the membership of hacktocat. */
const member = (role: string, change: object = {}, { githubId: id, login } = hacktocat): Answer => ({
  status: 200,
  body: githubFixture('org-membership', (one) => {
    Object.assign(one.user, { id, login });
    Object.assign(one, { role }, change);
  }),
});
const nobody: Answer = { status: 404, body: { message: 'Not Found' } };
const here = (change?: (one: Json) => void) => ({ status: 200, body: githubFixture('installation', change) });
/** After a no, GitHub is asked about the installation and hacktocat: both still exist, by the same names. */
const foreseeNo = () => {
  github.answers('GET', INSTALLATION, here());
  github.answers('GET', `/user/${hacktocat.githubId}`, { status: 200, body: githubFixture('user') });
};

beforeEach(async () => {
  org = await bot.organizations.save(installation());
  bot.memberships.users.set(hacktocat.githubId, 'record-of-hacktocat');
});

/** The record store has hacktocat as a member. */
const join = (role: 'admin' | 'member' = 'member') =>
  bot.memberships.put(org, { ...hacktocat, role }, { userId: 'record-of-hacktocat' });
const stored = () => bot.memberships.stored.map(({ login, role, userId }) => [login, role, userId]);
const IN = [['hacktocat', 'member', 'record-of-hacktocat']];

describe.each([ADDED, 'organization.member_removed', 'membership.added', 'membership.removed'])(
  'on %s',
  (event) => {
    it('saves the role that GitHub returns, not the one in the webhook', async () => {
      github.answers('GET', MEMBERSHIP, member('admin'));
      await bot.deliver(event, {
        change: ({ membership }) => Object.assign(membership ?? {}, { role: 'member' }),
      });
      expect(stored()).toEqual([['hacktocat', 'admin', 'record-of-hacktocat']]);
      expect(bot.deliveries.worked.size).toBe(1);
    });

    it('keeps the membership if GitHub refuses us, as for an IP allow list', async () => {
      join();
      const message = 'the `Octocoders` organization has an IP allow list enabled';
      github.answers('GET', MEMBERSHIP, { status: 403, body: { message } });
      await bot.deliver(event);
      expect([stored(), bot.deliveries.worked.size]).toEqual([IN, 0]);
    });

    it('ends the membership if GitHub has none, even if the webhook says otherwise', async () => {
      join('admin');
      github.answers('GET', MEMBERSHIP, nobody);
      foreseeNo();
      await bot.deliver(event, {
        change: ({ membership }) => Object.assign(membership ?? {}, { state: 'active', role: 'admin' }),
      });
      expect(stored()).toEqual([]);
    });
  },
);

describe('a webhook about a member', () => {
  it.each<[string, Answer]>([
    ['removed', nobody],
    ['suspended', here((one) => Object.assign(one, { suspended_at: '2026-11-21T00:00:00Z' }))],
  ])('ends no membership if the App is %s by now, as GitHub’s no means nothing then', async (_what, now) => {
    join();
    github.answers('GET', MEMBERSHIP, nobody);
    github.answers('GET', INSTALLATION, now);
    await bot.deliver(ADDED);
    expect([stored(), bot.deliveries.worked.size]).toEqual([IN, 1]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['the organization is unknown', async () => bot.organizations.stored.splice(0)],
    ['the organization has removed the App', () => bot.organizations.removed(STORY.installation)],
    ['the App is suspended', () => bot.organizations.save({ ...installation(), suspended: true })],
  ])('asks GitHub nothing if %s', async (_what, change) => {
    await change();
    await bot.deliver(ADDED);
    expect([github.sent, stored(), bot.deliveries.worked.size]).toEqual([[], [], 1]);
  });

  it.each(['organization.member_removed', 'membership.removed'])(
    'sends no request if the account is gone: %s',
    async (event) => {
      await bot.deliver(event, {
        change: (payload) => {
          if (payload.membership) payload.membership.user = null;
          else payload.member = null;
        },
      });
      expect([github.sent, bot.deliveries.worked.size]).toEqual([[], 1]);
    },
  );
});

describe('a webhook about an organization', () => {
  it.each([
    ['organization.renamed', 'Organization'],
    ['installation_target.renamed', 'Organization'],
    ['installation_target.renamed', 'User'],
  ])(
    'saves the name that GitHub returns, not the one in %s of an account of type %s',
    async (event, type) => {
      const renamed = (one: Json) => {
        Object.assign(one, { target_type: type });
        Object.assign(one.account, { type, login: 'Newest' });
      };
      github.answers('GET', INSTALLATION, here(renamed));
      // Its open pull requests are synced, because their links contain the name.
      github.expects('GET', REPOSITORIES, { status: 200, body: { total_count: 0, repositories: [] } });
      const change = (payload: Json) => payload.target_type && Object.assign(payload, { target_type: type });
      await bot.deliver(event, { change });
      expect(bot.organizations.stored).toMatchObject([{ id: org.id, name: 'Newest' }]);
      expect([bot.deliveries.worked.size, bot.faults]).toEqual([1, []]);
    },
  );

  it('marks the App as uninstalled on organization.deleted if GitHub has no such installation', async () => {
    await bot.knownAccounts.save(org.id, bot.protections.accountNow);
    bot.protections.accountNow.isRemoved = true;
    github.answers('GET', INSTALLATION, nobody);
    await bot.deliver('organization.deleted');
    expect(bot.organizations.stored).toMatchObject([{ id: org.id, installationId: 0 }]);
    expect(bot.weakenings.stored).toMatchObject([{ change: { kind: 'appRemoved' }, by: { id: 21031067 } }]);
  });

  it('keeps the installation on organization.deleted if GitHub still has it', async () => {
    github.answers('GET', INSTALLATION, here());
    await bot.deliver('organization.deleted');
    expect(bot.organizations.stored).toEqual([org]);
  });

  it('changes nothing if it names no installation', async () => {
    for (const event of ['organization.renamed', 'organization.deleted'])
      await bot.deliver(event, { change: (payload) => delete payload.installation });
    expect([github.sent, bot.organizations.stored]).toEqual([[], [org]]);
  });
});
