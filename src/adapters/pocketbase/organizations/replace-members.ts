import { type BatchService, ClientResponseError } from 'pocketbase';
import type { Member, Organization } from '../../../organizations/ports.ts';
import { type StoreClient, sendBatches } from '../client.ts';
import type { RecordOf } from '../collections.ts';
import { recordsOf } from '../records/records-of.ts';

export type MemberRecord = RecordOf<'org_members'>;

const MOST_TRIES = 3;

/** Makes the organization's members exactly GitHub's list. Writes only what has changed. */
export async function replaceMembers(
  client: StoreClient,
  org: Organization,
  listed: Member[],
): Promise<void> {
  const members = recordsOf(client, 'org_members');
  for (let tries = 1; ; tries += 1) {
    const options = { fields: 'id,github_id,login,role,user' };
    const stored = await members.all({ org: org.id }, options);
    try {
      const changes = await findChanges(client, { org: org.id, stored, listed });
      await sendBatches(client, changes, (batch, change) => change(batch.collection('org_members')));
      return;
    } catch (error) {
      // A sign-in or a webhook changed the members at the same time: compare again.
      if (tries === MOST_TRIES || !(error instanceof ClientResponseError)) throw error;
    }
  }
}

type Change = (members: ReturnType<BatchService['collection']>) => void;

async function findChanges(
  client: StoreClient,
  { org, stored, listed }: { org: string; stored: MemberRecord[]; listed: Member[] },
): Promise<Change[]> {
  const added = new Map(listed.map((member) => [member.githubId, member]));
  const removals: Change[] = [];
  const updates: Change[] = [];
  for (const { id, github_id, login, role } of stored) {
    const member = added.get(github_id);
    added.delete(github_id);
    if (!member) removals.push((members) => members.delete(id));
    else if (member.login !== login || member.role !== role)
      updates.push((members) => members.update(id, { login: member.login, role: member.role }));
  }
  const userIds = added.size > 0 ? await userIdsByGithubId(client) : new Map<number, string>();
  const additions = [...added.values()].map(({ githubId, login, role }): Change => {
    const fields = { org, github_id: githubId, login, role, user: userIds.get(githubId) ?? '' };
    return (members) => members.create(fields);
  });
  return [...removals, ...updates, ...additions];
}

async function userIdsByGithubId(client: StoreClient): Promise<Map<number, string>> {
  const all = await recordsOf(client, 'gh_users').all({}, { fields: 'id,github_id' });
  return new Map(all.map(({ id, github_id }) => [github_id, id]));
}
