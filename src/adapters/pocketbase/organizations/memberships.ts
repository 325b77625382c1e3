import type PocketBase from 'pocketbase';
import type { MemberState, OrganizationMember } from '../../../contract/organization.ts';
import type { Candidates } from '../../../inbox/ports.ts';
import type { Memberships, Role } from '../../../organizations/ports.ts';
import { createIfNew, first, ignoreMissing, type StoreClient } from '../client.ts';
import { contains, createCount } from '../records/count.ts';
import { type OrganizationRecord, toOrganization } from './organizations.ts';
import { type MemberRecord, replaceMembers } from './replace-members.ts';

type StandingRecord = {
  github_id: number;
  login: string;
  role: Role;
  enrolled: number;
  signed_in: number;
  authenticators: number;
  passkeys: number;
  apps: number;
  waits: number;
  address: string;
  has_address: number;
  last_approval: string;
  reminded: string;
};

/** Which standings each list of members shows. */
const STATES: Record<MemberState, string> = {
  all: '',
  missing: ' && enrolled = 0',
  one: ' && authenticators = 1',
  pending: ' && waits = 1',
};
/** The members whom an owner can remind to register. */
const WITH_NOTHING = ' && enrolled = 0 && waits = 0';

type ExpandedMember = MemberRecord & { expand: { org: OrganizationRecord } };

const MOST_OWNERS = 20;

export function createMemberships(client: StoreClient): Memberships {
  const countRecords = createCount(client);
  return {
    async of(userId) {
      const memberships = await client.run((records) =>
        records.collection('org_members').getFullList<ExpandedMember>({
          filter: records.filter('user = {:userId}', { userId }),
          expand: 'org',
        }),
      );
      return memberships.map(({ role, expand }) => ({ org: toOrganization(expand.org), role }));
    },

    async save(org, { githubId, login }, role) {
      await client.run(async (records) => {
        const members = records.collection('org_members');
        const known = await first<MemberRecord>(
          records,
          'org_members',
          'org = {:org} && github_id = {:githubId}',
          { org: org.id, githubId },
        );
        if (!role) {
          if (known) await members.delete(known.id).catch(ignoreMissing);
          return;
        }
        const user = known?.user || (await findUserId(records, githubId));
        const fields = { org: org.id, github_id: githubId, login, role, user };
        if (known) await members.update(known.id, fields);
        else await createIfNew(() => members.create(fields));
      });
    },

    async saveOfPerson({ userId, githubId, login }, memberships) {
      await client.run(async (records) => {
        const members = records.collection('org_members');
        const current = await members.getFullList<MemberRecord & { org: string }>({
          filter: records.filter('user = {:userId} || github_id = {:githubId}', { userId, githubId }),
        });
        const wanted = new Map(memberships.map(({ org, role }) => [org.id, role]));
        for (const { id, org } of current) {
          const role = wanted.get(org);
          wanted.delete(org);
          await members.update(id, { ...(role && { role }), user: userId, github_id: githubId, login });
        }
        for (const [org, role] of wanted) {
          const member = { org, github_id: githubId, login, role, user: userId };
          await createIfNew(() => members.create(member));
        }
      });
    },

    async replace(org, listed, at) {
      await client.run(async (records) => {
        await replaceMembers(records, org, listed);
        await records.collection('organizations').update(org.id, { members_at: at.toISOString() });
      });
    },

    async ownersToNotify(orgRecordId) {
      const owners = await client.run((records) =>
        records.collection('org_members').getList<{ user: string }>(1, MOST_OWNERS, {
          filter: records.filter('org = {:orgRecordId} && role = "admin" && user.address != ""', {
            orgRecordId,
          }),
          sort: 'created',
          skipTotal: true,
        }),
      );
      return owners.items.map(({ user }) => user);
    },

    async count(orgRecordId) {
      const count = (condition: string) =>
        countRecords('member_standings', `org = {:orgRecordId}${condition}`, { orgRecordId });
      const [total, missing, one, pending, reachable, unreachable] = await Promise.all([
        count(STATES.all),
        count(STATES.missing),
        count(STATES.one),
        count(STATES.pending),
        count(`${WITH_NOTHING} && has_address = 1`),
        count(`${WITH_NOTHING} && has_address = 0`),
      ]);
      return { total, enrolled: total - missing, one, pending, reachable, unreachable };
    },

    async list(orgRecordId, { state, search, after, most }) {
      const wanted = `org = {:orgRecordId}${STATES[state]}${search && ' && login ~ {:search}'}`;
      const values = { orgRecordId, search: contains(search), after };
      const [total, page] = await Promise.all([
        countRecords('member_standings', wanted, values),
        client.run((records) =>
          records.collection('member_standings').getList<StandingRecord>(1, most, {
            filter: records.filter(`${wanted} && login > {:after}`, values),
            sort: 'login',
            skipTotal: true,
          }),
        ),
      ]);
      return { total, members: page.items.map(toMember) };
    },

    async find(orgRecordId, githubId) {
      const found = await client.run((records) =>
        first<MemberRecord>(records, 'org_members', 'org = {:orgRecordId} && github_id = {:githubId}', {
          orgRecordId,
          githubId,
        }),
      );
      return found && { login: found.login, userId: found.user };
    },

    async byLogin(orgRecordId, login) {
      const found = await client.run((records) =>
        first<MemberRecord>(records, 'org_members', 'org = {:orgRecordId} && login:lower = {:login}', {
          orgRecordId,
          login: login.toLowerCase(),
        }),
      );
      return found?.user ? { userId: found.user, githubId: found.github_id, login: found.login } : null;
    },
  };
}

function toMember(standing: StandingRecord): OrganizationMember {
  const { authenticators, passkeys, apps } = standing;
  return {
    id: standing.github_id,
    login: standing.login,
    role: standing.role,
    enrolled: standing.enrolled === 1,
    authenticators,
    kinds: { passkey: passkeys, securityKey: authenticators - passkeys - apps, totp: apps },
    pending: standing.waits === 1,
    lastApproval: toTime(standing.last_approval),
    hasAddress: standing.has_address === 1,
    reminded: toTime(standing.reminded),
    address: standing.address,
    signedIn: standing.signed_in === 1,
  };
}

const toTime = (stored: string) => (stored ? new Date(stored).toISOString() : null);

/** Empty if this GitHub user hasn't signed in here. */
async function findUserId(records: PocketBase, githubId: number): Promise<string> {
  const user = await first<{ id: string }>(records, 'gh_users', 'github_id = {:githubId}', { githubId });
  return user?.id ?? '';
}

export function createCandidates(client: StoreClient): Candidates {
  return {
    async some(org, roles, most) {
      const anyRole = roles.map((role) => `role = "${role}"`).join(' || ');
      const found = await client.run((records) =>
        records.collection('org_members').getList<MemberRecord>(1, most, {
          filter: records.filter(`org = {:org} && (${anyRole})`, { org }),
          skipTotal: true,
        }),
      );
      return found.items.map(({ github_id: githubId, login, role }) => ({ githubId, login, role }));
    },
  };
}
