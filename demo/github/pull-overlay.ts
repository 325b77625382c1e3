import type { Account, Pull } from './github-objects.ts';

const isPull = (value: object): value is Pull =>
  'number' in value && 'head' in value && 'base' in value && typeof value.head === 'object';

const keyOf = ({ base, number }: Pull) => `${base.repo.id}#${number}`;

export type PullOverlay = ReturnType<typeof createPullOverlay>;

/** What is true of pull requests and the emulator doesn't know: heads whose branch moved, the commits that merged these, and assignees. */
export function createPullOverlay() {
  const heads = new Map<string, string>();
  const merges = new Map<string, string>();
  const assignees = new Map<string, Account[]>();

  const withHead = (pull: Pull): Pull => {
    const sha = heads.get(keyOf(pull));
    if (sha === undefined) return pull;
    // The old head is also at the end of some URLs of the pull request.
    const moved = JSON.parse(JSON.stringify(pull).replaceAll(pull.head.sha, sha)) as Pull;
    const merge_commit_sha = merges.get(keyOf(pull));
    return merge_commit_sha && pull.merge_commit_sha ? { ...moved, merge_commit_sha } : moved;
  };

  /** A check run names its pull requests in brief, without assignees. */
  const withAssignees = (pull: Pull): Pull => {
    const people = assignees.get(keyOf(pull));
    if (people === undefined || !('assignees' in pull)) return pull;
    return { ...pull, assignees: people, assignee: people[0] ?? null };
  };

  /** The same value, in which each pull request has its present head and assignees. */
  const apply = (value: unknown): unknown => {
    if (heads.size + assignees.size === 0 || typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(apply);
    if (isPull(value) && value.base?.repo) return withAssignees(withHead(value));
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, apply(one)]));
  };

  return {
    move: (pull: Pull, sha: string) => void heads.set(keyOf(pull), sha),
    isMoved: (pull: Pull) => heads.has(keyOf(pull)),
    /** Names the commit that is to merge the moved head. Answers have it as soon as the emulator has merged. */
    merge: (pull: Pull, sha: string) => void merges.set(keyOf(pull), sha),
    assign: (pull: Pull, people: Account[]) => void assignees.set(keyOf(pull), people),
    apply,
  };
}
