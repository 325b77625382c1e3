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
  it('does not bring back a former member if it is delivered again', async () => {
    foreseeNo();
    let isIn = true;
    github.answers('GET', MEMBERSHIP, (sent) => {
      const answer = isIn ? member('member') : nobody;
      return typeof answer === 'function' ? answer(sent) : answer;
    });
    await bot.deliver(ADDED, { id: 'one' });
    expect(stored()).toEqual(IN);
    isIn = false;
    await bot.deliver('organization.member_removed');
    expect(stored()).toEqual([]);
    await bot.deliver(ADDED, { id: 'two' });
    expect(stored()).toEqual([]);
  });

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

  it('keeps a membership under the person’s new login if the webhook has the old one', async () => {
    const now = { githubId: hacktocat.githubId, login: 'hacktocat-now' };
    bot.memberships.put(org, { ...now, role: 'member' }, { userId: 'record-of-hacktocat' });
    github.answers('GET', MEMBERSHIP, nobody);
    github.answers('GET', INSTALLATION, here());
    github.answers('GET', `/user/${now.githubId}`, {
      status: 200,
      body: githubFixture('user', (one) => Object.assign(one, { login: now.login })),
    });
    github.answers('GET', `/orgs/${STORY.owner}/memberships/${now.login}`, member('member', {}, now));
    await bot.deliver(ADDED);
    expect(stored()).toEqual([['hacktocat-now', 'member', 'record-of-hacktocat']]);
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
  it('saves the name that GitHub returns, not the one in organization.renamed', async () => {
    const named = (login: string) => here((one) => Object.assign(one.account, { login }));
    github.answers('GET', INSTALLATION, named('Newest'));
    // Its open pull requests are synced, because their links contain the name.
    github.expects('GET', REPOSITORIES, { status: 200, body: { total_count: 0, repositories: [] } });
    await bot.deliver('organization.renamed');
    expect(bot.organizations.stored).toMatchObject([{ id: org.id, name: 'Newest' }]);
    expect(bot.faults).toEqual([]);
  });

  it('marks the App as uninstalled on organization.deleted if GitHub has no such installation', async () => {
    github.answers('GET', INSTALLATION, nobody);
    await bot.deliver('organization.deleted');
    expect(bot.organizations.stored).toMatchObject([{ id: org.id, installationId: 0 }]);
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
