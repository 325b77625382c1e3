import type { MemberState, OrganizationMember } from '../../../contract/organization.ts';
import type { Candidates } from '../../../inbox/ports.ts';
import type { Memberships, Role } from '../../../organizations/ports.ts';
import type { StoreClient } from '../client.ts';
import { contains, createCount } from '../records/count.ts';
import { recordsOf } from '../records/records-of.ts';
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
  const members = recordsOf(client, 'org_members');
  return {
    async of(userId) {
      const expanded = recordsOf<ExpandedMember>(client, 'org_members');
      const found = await expanded.all({ user: userId }, { expand: 'org' });
      return found.map(({ role, expand }) => ({ org: toOrganization(expand.org), role }));
    },

    async save(org, { githubId, login }, role) {
      const known = await members.first({ org: org.id, github_id: githubId });
      if (!role) {
        if (known) await members.delete(known.id);
        return;
      }
      const user = known?.user || (await findUserId(client, githubId));
      const fields = { org: org.id, github_id: githubId, login, role, user };
      const isUpdated = known && (await members.updateIfThere(known.id, fields));
      if (!isUpdated) await members.createIfNew(fields);
    },

    async saveOfPerson({ userId, githubId, login }, memberships) {
      const person = { user: userId, github_id: githubId, login };
      const wanted = new Map(memberships.map(({ org, role }) => [org.id, role]));
      const values = { userId, githubId };
      const known = await members.all(['user = {:userId} || github_id = {:githubId}', values]);
      for (const { id, org } of known) {
        const role = wanted.get(org);
        wanted.delete(org);
        // A webhook may have ended the membership since.
        await members.updateIfThere(id, { ...(role && { role }), ...person });
      }
      for (const [org, role] of wanted) await members.createIfNew({ org, role, ...person });
    },

    async replace(org, listed, at) {
      await replaceMembers(client, org, listed);
      await recordsOf(client, 'organizations').update(org.id, { members_at: at.toISOString() });
    },

    async ownersToNotify(orgRecordId) {
      const wanted = 'org = {:orgRecordId} && role = "admin" && user.address != ""';
      const owners = await members.page(MOST_OWNERS, [wanted, { orgRecordId }], { sort: 'created' });
      return owners.map(({ user }) => user);
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
        recordsOf<StandingRecord>(client, 'member_standings').page(
          most,
          [`${wanted} && login > {:after}`, values],
          { sort: 'login' },
        ),
      ]);
      return { total, members: page.map(toMember) };
    },

    async find(orgRecordId, githubId) {
      const found = await members.first({ org: orgRecordId, github_id: githubId });
      return found && { login: found.login, userId: found.user };
    },

    async byLogin(orgRecordId, login) {
      const values = { orgRecordId, login: login.toLowerCase() };
      const found = await members.first(['org = {:orgRecordId} && login:lower = {:login}', values]);
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

/** The id is empty if this GitHub user hasn't signed in here. */
const findUserId = async (client: StoreClient, githubId: number): Promise<string> =>
  (await recordsOf(client, 'gh_users').first({ github_id: githubId }))?.id ?? '';

export function createCandidates(client: StoreClient): Candidates {
  return {
    async some(org, roles, most) {
      const anyRole = roles.map((role) => `role = "${role}"`).join(' || ');
      const wanted = `org = {:org} && (${anyRole})`;
      const found = await recordsOf(client, 'org_members').page(most, [wanted, { org }]);
      return found.map(({ github_id: githubId, login, role }) => ({ githubId, login, role }));
    },
  };
}
