import type PocketBase from 'pocketbase';
import { type BatchService, ClientResponseError } from 'pocketbase';
import type { Member, Memberships, Organization, Role } from '../accounts/ports.ts';
import { first, ignoreMissing, isDuplicate, type StoreClient } from './client.ts';
import { type OrganizationRecord, toOrganization } from './organizations.ts';

type MemberRecord = { id: string; github_id: number; login: string; role: Role; user: string };
type StandingRecord = { login: string; role: Role; enrolled: number };
type OwnMembership = MemberRecord & { expand: { org: OrganizationRecord } };

const MOST_IN_A_BATCH = 50;
const MOST_TRIES = 3;

export function createMemberships(client: StoreClient): Memberships {
  return {
    async of(userId) {
      const own = await client.run((records) =>
        records.collection('org_members').getFullList<OwnMembership>({
          filter: records.filter('user = {:userId}', { userId }),
          expand: 'org',
        }),
      );
      return own.map(({ role, expand }) => ({ org: toOrganization(expand.org), role }));
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
        const user = known?.user || (await userOf(records, githubId));
        const fields = { org: org.id, github_id: githubId, login, role, user };
        if (known) await members.update(known.id, fields);
        else
          await members.create(fields).catch((error: unknown) => {
            if (!isDuplicate(error)) throw error;
          });
      });
    },

    async replace(org, listed, at) {
      await client.run(async (records) => {
        for (let tries = 1; ; tries += 1) {
          const known = await records.collection('org_members').getFullList<MemberRecord>({
            filter: records.filter('org = {:org}', { org: org.id }),
            fields: 'id,github_id,login,role,user',
          });
          try {
            await apply(records, org, await differences(records, known, listed));
            break;
          } catch (error) {
            // Somebody signed in, or a webhook came, in between: what is known now is another.
            if (tries === MOST_TRIES || !(error instanceof ClientResponseError)) throw error;
          }
        }
        await records.collection('organizations').update(org.id, { members_at: at.toISOString() });
      });
    },

    async count(orgRecordId) {
      const total = (where: string) =>
        client.run(async (records) => {
          const found = await records.collection('member_standings').getList(1, 1, {
            filter: records.filter(`org = {:orgRecordId}${where}`, { orgRecordId }),
            fields: 'id',
          });
          return found.totalItems;
        });
      const [all, enrolled] = await Promise.all([total(''), total(' && enrolled = 1')]);
      return { total: all, enrolled };
    },

    async list(orgRecordId, { missing, after, most }) {
      const found = await client.run((records) =>
        records.collection('member_standings').getList<StandingRecord>(1, most, {
          filter: records.filter(
            `org = {:orgRecordId} && login > {:after}${missing ? ' && enrolled = 0' : ''}`,
            { orgRecordId, after },
          ),
          sort: 'login',
          skipTotal: true,
        }),
      );
      return found.items.map(({ login, role, enrolled }) => ({ login, role, enrolled: enrolled === 1 }));
    },
  };
}

type Differences = {
  gone: MemberRecord[];
  changed: (Member & { id: string })[];
  added: (Member & { user: string })[];
};

async function differences(
  records: PocketBase,
  known: MemberRecord[],
  listed: Member[],
): Promise<Differences> {
  const wanted = new Map(listed.map((member) => [member.githubId, member]));
  const gone = known.filter(({ github_id }) => !wanted.has(github_id));
  const changed: Differences['changed'] = [];
  for (const { id, github_id, login, role } of known) {
    const member = wanted.get(github_id);
    if (member && (member.login !== login || member.role !== role)) changed.push({ ...member, id });
    wanted.delete(github_id);
  }
  const users = wanted.size > 0 ? await usersByGithubId(records) : new Map<number, string>();
  const added = [...wanted.values()].map((member) => ({ ...member, user: users.get(member.githubId) ?? '' }));
  return { gone, changed, added };
}

/** In batches; what somebody else did in between makes one fail. */
async function apply(
  records: PocketBase,
  org: Organization,
  { gone, changed, added }: Differences,
): Promise<void> {
  type Step = (batch: BatchService) => void;
  const steps: Step[] = [
    ...gone.map(
      ({ id }): Step =>
        (batch) =>
          batch.collection('org_members').delete(id),
    ),
    ...changed.map(
      ({ id, login, role }): Step =>
        (batch) =>
          batch.collection('org_members').update(id, { login, role }),
    ),
    ...added.map(
      ({ githubId, login, role, user }): Step =>
        (batch) =>
          batch.collection('org_members').create({ org: org.id, github_id: githubId, login, role, user }),
    ),
  ];
  for (let at = 0; at < steps.length; at += MOST_IN_A_BATCH) {
    const batch = records.createBatch();
    for (const step of steps.slice(at, at + MOST_IN_A_BATCH)) step(batch);
    await batch.send();
  }
}

async function userOf(records: PocketBase, githubId: number): Promise<string> {
  const user = await first<{ id: string }>(records, 'gh_users', 'github_id = {:githubId}', { githubId });
  return user?.id ?? '';
}

async function usersByGithubId(records: PocketBase): Promise<Map<number, string>> {
  const all = await records.collection('gh_users').getFullList<{ id: string; github_id: number }>({
    fields: 'id,github_id',
  });
  return new Map(all.map(({ id, github_id }) => [github_id, id]));
}

/** So many owners are told of something, the longest here first. */
const MOST_OWNERS = 20;

/** The organization's owners who have confirmed an address, by their record ids. */
export async function ownersOf(records: PocketBase, orgRecordId: string): Promise<string[]> {
  const owners = await records.collection('org_members').getList<{ user: string }>(1, MOST_OWNERS, {
    filter: records.filter('org = {:orgRecordId} && role = "admin" && user.address != ""', { orgRecordId }),
    sort: 'created',
    skipTotal: true,
  });
  return owners.items.map(({ user }) => user);
}
