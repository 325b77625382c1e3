import type { ActivityData, ActivityKind } from '../../../../src/contract/activity.ts';
import type { AuthenticatorType } from '../../../../src/contract/authenticators.ts';
import type { RecordStore } from '../../lib/record-store.ts';
import type { CommitQuery } from './query.ts';

/** One approval of a commit: whose, with what, and when. */
export type CommitApproval = {
  id: string;
  login: string;
  type: AuthenticatorType;
  /** Of the authenticator; empty for codes. */
  label: string;
  /** A time of the record store. */
  at: string;
};

type Entry = {
  id?: string;
  activity?: ActivityKind;
  created?: string;
  data?: ActivityData | null;
  expand?: { user_id?: { username?: string } };
};

/** A record of `gh_commits`, with what its relations lead to. */
export type CommitRecord = { expand?: { activity_ids?: Entry[] } };

const PAGE = 1;
const PER_PAGE = 5;

/** Every approval of a commit, newest first; empty where there is none. Rejects as the record store's client does. */
export async function listApprovals(store: RecordStore, query: CommitQuery): Promise<CommitApproval[]> {
  const { head, pr, owner, ownerID, repo } = query;
  const { items } = await store.collection<CommitRecord>('gh_commits').getList(PAGE, PER_PAGE, {
    filter: ownerID
      ? store.filter('commit = {:head} && pr = {:pr} && org.org_id = {:id}', {
          head,
          pr,
          id: Number(ownerID),
        })
      : store.filter('commit = {:head} && pr = {:pr} && org.name:lower = {:name}', {
          head,
          pr,
          name: owner.toLowerCase(),
        }),
    sort: '-created',
    expand: 'activity_ids,activity_ids.user_id,org',
    skipTotal: true,
  });
  return readApprovals(items, repo);
}

/**
 * Of several repositories with that commit and that number, the one of this name counts; a repository that was
 * renamed since is found where it is the only one.
 */
export function readApprovals(records: CommitRecord[], repo: string): CommitApproval[] {
  const isHere = ({ data }: Entry) => data?.repo?.toLowerCase() === repo.toLowerCase();
  const record = records.find((one) => one.expand?.activity_ids?.some(isHere)) ?? records[0];
  return (record?.expand?.activity_ids ?? [])
    .filter(({ activity }) => activity === 'webauthnCollect' || activity === 'totpCollect')
    .map(({ id = '', activity, created = '', data, expand }) => ({
      id,
      login: expand?.user_id?.username || data?.user || data?.login || '',
      type: activity === 'totpCollect' ? 'totp' : (data?.type ?? 'passkey'),
      label: activity === 'totpCollect' ? '' : (data?.label ?? ''),
      at: created,
    }))
    .sort((a, b) => (a.at < b.at ? 1 : -1));
}
