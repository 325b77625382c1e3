import type PocketBase from 'pocketbase';
import { type BatchService, ClientResponseError } from 'pocketbase';
import type { Member, Organization } from '../../../organizations/ports.ts';
import type { RecordOf } from '../schema/collections.ts';

export type MemberRecord = RecordOf<'org_members'>;

type Changes = {
  removed: MemberRecord[];
  updated: (Member & { id: string })[];
  added: (Member & { user: string })[];
};

/** The limit that `migrate` sets in the record store. */
const MOST_IN_A_BATCH = 50;
const MOST_TRIES = 3;

/** Makes the organization's members exactly those that GitHub lists. Writes only what has changed. */
export async function replaceMembers(
  records: PocketBase,
  org: Organization,
  listed: Member[],
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const stored = await records.collection('org_members').getFullList<MemberRecord>({
      filter: records.filter('org = {:org}', { org: org.id }),
      fields: 'id,github_id,login,role,user',
    });
    try {
      await write(records, org, await findChanges(records, stored, listed));
      return;
    } catch (error) {
      // A sign-in or a webhook changed the members at the same time: compare again.
      if (tries === MOST_TRIES || !(error instanceof ClientResponseError)) throw error;
    }
  }
}

async function findChanges(records: PocketBase, stored: MemberRecord[], listed: Member[]): Promise<Changes> {
  const wanted = new Map(listed.map((member) => [member.githubId, member]));
  const removed = stored.filter(({ github_id }) => !wanted.has(github_id));
  const updated: Changes['updated'] = [];
  for (const { id, github_id, login, role } of stored) {
    const member = wanted.get(github_id);
    if (member && (member.login !== login || member.role !== role)) updated.push({ ...member, id });
    wanted.delete(github_id);
  }
  const userIds = wanted.size > 0 ? await userIdsByGithubId(records) : new Map<number, string>();
  const added = [...wanted.values()].map((member) => ({
    ...member,
    user: userIds.get(member.githubId) ?? '',
  }));
  return { removed, updated, added };
}

/** Writes in batches. A batch fails if the members were changed in the meantime. */
async function write(
  records: PocketBase,
  org: Organization,
  { removed, updated, added }: Changes,
): Promise<void> {
  type Step = (members: ReturnType<BatchService['collection']>) => void;
  const steps: Step[] = [
    ...removed.map(
      ({ id }): Step =>
        (members) =>
          members.delete(id),
    ),
    ...updated.map(
      ({ id, login, role }): Step =>
        (members) =>
          members.update(id, { login, role }),
    ),
    ...added.map(
      ({ githubId, login, role, user }): Step =>
        (members) =>
          members.create({ org: org.id, github_id: githubId, login, role, user }),
    ),
  ];
  for (let start = 0; start < steps.length; start += MOST_IN_A_BATCH) {
    const batch = records.createBatch();
    for (const step of steps.slice(start, start + MOST_IN_A_BATCH)) step(batch.collection('org_members'));
    await batch.send();
  }
}

async function userIdsByGithubId(records: PocketBase): Promise<Map<number, string>> {
  const all = await records.collection('gh_users').getFullList<{ id: string; github_id: number }>({
    fields: 'id,github_id',
  });
  return new Map(all.map(({ id, github_id }) => [github_id, id]));
}
