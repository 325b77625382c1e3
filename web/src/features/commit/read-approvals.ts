import type { ActivityData, ActivityKind } from '../../../../src/contract/activity.ts';
import { type AuthenticatorType, authenticatorKinds } from '../../../../src/contract/authenticator-kinds.ts';
import type { PageContext } from '../../lib/page-context.ts';
import type { RecordStore } from '../../lib/record-store.ts';

/** One approval of a commit. */
export type CommitApproval = {
  id: string;
  login: string;
  type: AuthenticatorType;
  /** The label that the holder chose for the authenticator; empty if it has none. */
  label: string;
  /** A time of the record store. */
  at: string;
  /** The pull request that was signed, if it's another one with the same commit; else null. */
  signedFor: { pr: number; base: string } | null;
  /** When it was withdrawn; null if it counts. */
  withdrawn: string | null;
};

type Entry = {
  id?: string;
  activity?: ActivityKind;
  created?: string;
  data?: ActivityData | null;
  expand?: { user_id?: { username?: string } };
};

/** A `gh_commits` record with its relations. */
type CommitRecord = { repo_id?: number; pr?: number; expand?: { activity_ids?: Entry[] } };

/** Several pull requests, in forks too, can have the same head; more than 20 approved ones are unlikely. */
const MOST_PULLS = 20;

/** All approvals of a commit, newest first. Rejects as the record store's client does. */
export async function listApprovals(store: RecordStore, query: CommitQuery): Promise<CommitApproval[]> {
  const { items } = await store.collection<CommitRecord>('gh_commits').getList(1, MOST_PULLS, {
    filter: commitFilter(store, query),
    sort: '-created',
    expand: 'activity_ids,activity_ids.user_id,org',
    skipTotal: true,
  });
  return readApprovals(items, query);
}

function commitFilter(store: RecordStore, { head, owner, ownerID }: CommitQuery): string {
  const commit = store.filter('commit = {:head}', { head });
  const organization = ownerID
    ? store.filter('org.org_id = {:id}', { id: Number(ownerID) })
    : store.filter('org.name:lower = {:name}', { name: owner.toLowerCase() });
  return `${commit} && ${organization}`;
}

/**
 * The approvals of the commit in the repository with this name; those that were signed for another pull request count
 * for this one if it goes into the same base branch. A renamed repository has entries under its old name, so without a
 * match the first record of this pull request counts.
 */
export function readApprovals(
  records: CommitRecord[],
  { repo, pr }: Pick<CommitQuery, 'repo' | 'pr'>,
): CommitApproval[] {
  const isOfRepo = ({ data }: Entry) => data?.repo?.toLowerCase() === repo.toLowerCase();
  const hasName = ({ expand }: CommitRecord) => expand?.activity_ids?.some(isOfRepo);
  const isOfPull = (record: CommitRecord) => record.pr === pr;
  const found =
    records.find((record) => isOfPull(record) && hasName(record)) ??
    records.find(hasName) ??
    records.find(isOfPull);
  const entries = records
    .filter((record) => record === found || (found?.repo_id && record.repo_id === found.repo_id))
    .flatMap(({ expand }) => expand?.activity_ids ?? []);
  return entries
    .flatMap((entry) => readApproval(entry, pr, withdrawalOf(entry, entries)) ?? [])
    .sort((a, b) => (a.at < b.at ? 1 : -1));
}

/** The first later withdrawal of the same person; null if there is none. A person may approve the commit again after it. */
function withdrawalOf({ data, created = '' }: Entry, entries: Entry[]): string | null {
  const times = entries
    .filter(({ activity, data: of }) => activity === 'approvalWithdraw' && of?.user === data?.user)
    .map((entry) => entry.created ?? '')
    .filter((at) => at >= created);
  return times.sort()[0] ?? null;
}

/** Null for entries that are no approval. */
function readApproval(
  { id = '', activity, created = '', data, expand }: Entry,
  pr: number,
  withdrawn: string | null,
): CommitApproval | null {
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
    signedFor: data?.pr && data.pr !== pr ? { pr: data.pr, base: data.base ?? '' } : null,
    withdrawn,
  };
}

/** The commit and pull request that the page is about; `ownerID` may be empty. */
export type CommitQuery = { head: string; pr: number; repo: string; owner: string; ownerID: string };

/** Reads the query from the address; null if a part is missing. */
export function readCommitQuery({ head, pr, repo, owner, ownerID }: PageContext): CommitQuery | null {
  if (!head || !repo || !owner || !/^[1-9][0-9]{0,9}$/.test(pr)) return null;
  return { head, pr: Number(pr), repo, owner, ownerID: /^[1-9][0-9]{0,15}$/.test(ownerID) ? ownerID : '' };
}
