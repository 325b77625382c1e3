import type { ActivityData, ActivityKind } from '../../../../src/contract/activity.ts';
import { type AuthenticatorType, authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import type { RecordStore } from '../../lib/record-store.ts';
import type { CommitQuery } from './commit-query.ts';

/** One approval of a commit. */
export type CommitApproval = {
  id: string;
  login: string;
  type: AuthenticatorType;
  /** The label that the holder chose for the authenticator; empty if it has none. */
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

/** A `gh_commits` record with its relations. */
export type CommitRecord = { expand?: { activity_ids?: Entry[] } };

/** Forks in one organization can have a pull request with the same number and head; more than five are unlikely. */
const MOST_REPOSITORIES = 5;

/** All approvals of a commit, newest first. Rejects as the record store's client does. */
export async function listApprovals(store: RecordStore, query: CommitQuery): Promise<CommitApproval[]> {
  const { items } = await store.collection<CommitRecord>('gh_commits').getList(1, MOST_REPOSITORIES, {
    filter: commitFilter(store, query),
    sort: '-created',
    expand: 'activity_ids,activity_ids.user_id,org',
    skipTotal: true,
  });
  return readApprovals(items, query.repo);
}

function commitFilter(store: RecordStore, { head, pr, owner, ownerID }: CommitQuery): string {
  const commit = store.filter('commit = {:head} && pr = {:pr}', { head, pr });
  const organization = ownerID
    ? store.filter('org.org_id = {:id}', { id: Number(ownerID) })
    : store.filter('org.name:lower = {:name}', { name: owner.toLowerCase() });
  return `${commit} && ${organization}`;
}

/**
 * The approvals of the record whose repository has this name. A renamed repository has entries under its old name, so
 * without a match the first record counts.
 */
export function readApprovals(records: CommitRecord[], repo: string): CommitApproval[] {
  const isOfRepo = ({ data }: Entry) => data?.repo?.toLowerCase() === repo.toLowerCase();
  const record = records.find(({ expand }) => expand?.activity_ids?.some(isOfRepo)) ?? records[0];
  return (record?.expand?.activity_ids ?? [])
    .flatMap((entry) => readApproval(entry) ?? [])
    .sort((a, b) => (a.at < b.at ? 1 : -1));
}

/** Null for entries that are no approval. */
function readApproval({ id = '', activity, created = '', data, expand }: Entry): CommitApproval | null {
  const types = Object.keys(authenticatorKinds) as AuthenticatorType[];
  const possible = types.filter((type) => authenticatorKinds[type].approved === activity);
  const type = possible.find((one) => one === data?.type) ?? possible[0];
  if (!type) return null;
  return {
    id,
    login: expand?.user_id?.username || data?.user || data?.login || '',
    type,
    label: authenticatorKinds[type].hasOwnLabel ? (data?.label ?? '') : '',
    at: created,
  };
}
