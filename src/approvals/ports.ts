import type { Permission } from '../contract/accounts.ts';
import type { ListedFile } from '../contract/approvals.ts';
import type { KnownRepository, RepositoryRef, UnapprovedPull } from '../organizations/ports.ts';
import type { ChangedFiles, Contributor, KnownPeople, PullCommits } from '../policies/details.ts';

export type * from './given-ports.ts';

/** `isMachine` is true for a GitHub App or bot. */
export type PullAuthor = { id: number; login: string; avatarUrl: string; isMachine: boolean };

/** A pull request, as GitHub shows it now. */
export type PullRequest = {
  number: number;
  title: string;
  /** The account that opened it; null if it no longer exists. */
  author: PullAuthor | null;
  open: boolean;
  /** The head commit's full hash. */
  head: string;
  /** The head branch, as `owner:branch` if it's in a fork; for display only. Null in GraphQL's lists, which leave it out. */
  headBranch: string | null;
  /** The base branch. */
  base: string;
  /** A commit of the base branch, which the head is compared with. */
  baseSha: string;
  repo: { id: number; owner: string; name: string; ownerId: number };
  merged: boolean;
  /** The time at which it was merged, by GitHub's clock; null if it isn't. */
  mergedAt: Date | null;
  /** Null if it isn't merged, and in GitHub's lists, which leave it out. */
  mergedBy: { id: number; login: string } | null;
  /** The commit that it was merged with; null like `mergedBy`. */
  mergeCommit: string | null;
  /** The time at which it was opened, by GitHub's clock. */
  createdAt: Date;
  /** The requested reviewers: GitHub's ids of people, and slugs of teams. Null in lists that leave them out. */
  reviewers: { people: number[]; teams: string[] } | null;
  /** How much it changes; null in lists, which leave it out. */
  size: { files: number; additions: number; deletions: number } | null;
};

/** An open pull request as a list shows it, with the time of its last update. */
export type ListedPull = PullRequest & { updatedAt: Date };

export type PullRequests = {
  /** Null if the installation can't see such a pull request. */
  get(repo: RepositoryRef, number: number): Promise<PullRequest | null>;
  /** All open pull requests of the repository, newest first; null if the installation can't see it. */
  listOpen(repo: RepositoryRef): Promise<PullRequest[] | null>;
  /**
   * The open pull requests that were updated last, at most 100. GitHub doesn't count the request if
   * nothing changed since the last one. Null if the installation can't see the repository.
   */
  listRecentlyUpdated(repo: RepositoryRef): Promise<ListedPull[] | null>;
  /** A recent merge into this branch; null if GitHub shows none. */
  findMerge(repo: RepositoryRef, base: string): Promise<string | null>;
};

export type CommitPulls = {
  /** The pull requests with this commit, as GitHub knows them; null if the installation can't see the commit. */
  ofCommit(repo: RepositoryRef, sha: string): Promise<PullRequest[] | null>;
};

/** Changed files in GitHub's order. `isOf` tells whether these are all files of this pull request at its head. */
export type FileList = {
  files: ListedFile[];
  isOf(pull: Pick<PullRequest, 'head' | 'size'>): boolean;
};

/** The changes of a pull request, as GitHub lists them, up to `pull.head`. */
export type PullChanges = {
  files(
    repo: RepositoryRef,
    pull: Pick<PullRequest, 'number' | 'head' | 'base' | 'repo'>,
  ): Promise<ChangedFiles>;
  /** Lists the files for a page: at most 100 in one request, or all. Null if GitHub can't list them. */
  list(repo: RepositoryRef, pr: number, most: 'first' | 'all'): Promise<FileList | null>;
  commits(repo: RepositoryRef, pull: PullRequest): Promise<PullCommits>;
  /** The assignees now, and the accounts that the text names as those who asked for it. Machines can be among them. */
  requesters(repo: RepositoryRef, pull: PullRequest): Promise<KnownPeople>;
  /** The accounts whose reviews on GitHub approve it, at any of its heads. Machines can be among them. */
  approvers(repo: RepositoryRef, pull: PullRequest): Promise<KnownPeople>;
};

export type Teams = {
  /**
   * Tells whether the person belongs to the team (`@org/team`) or to one below it; null if the installation
   * can't read the team, or if it's another organization's.
   */
  has(
    repo: Pick<RepositoryRef, 'installation' | 'owner'>,
    team: string,
    person: { githubId: number; login: string },
  ): Promise<boolean | null>;
};

/** The accounts that pushed a head to a pull request: the senders of `synchronize`. Null is an unknown account. */
export type Pushers = {
  add(push: { repoId: number; pr: number; head: string; by: Contributor | null }): Promise<void>;
  /** Each once, of all pushes of the head; empty if no webhook was about it. */
  of(repoId: number, pr: number, head: string): Promise<(Contributor | null)[]>;
};

/** The people who asked for a pull request that a machine opened, as far as they were ever seen. They're only ever added. */
export type Initiators = {
  add(seen: { repoId: number; pr: number; person: Contributor }): Promise<void>;
  /** Each once. Null is an unknown person: a record that OTP Guard didn't write. */
  of(repoId: number, pr: number): Promise<(Contributor | null)[]>;
};

export type RepositoryAccess = {
  /**
   * The person's current permission; `none` if GitHub doesn't say. A role that an organization made counts as the one
   * that it extends. Everyone can read a public repository, so `read` doesn't make a member.
   */
  permission(repo: RepositoryRef, person: { githubId: number; login: string }): Promise<Permission | 'none'>;
  /** Tells whether the person was given access to the repository and isn't a member; false if GitHub doesn't say. */
  isCollaborator(repo: RepositoryRef, person: { githubId: number; login: string }): Promise<boolean>;
};

/** The content of a check run. */
export type CheckRunContent = {
  status: 'in_progress' | 'completed';
  /** `action_required` blocks a required check as `failure` does; a denied head has it. */
  conclusion?: 'success' | 'failure' | 'cancelled' | 'action_required';
  /** The page that *Details* links to. */
  detailsUrl: string;
  title: string;
  /** Markdown. */
  summary: string;
  /** Markdown below the summary, which ends with the block for programs. The minimal content has none. */
  text?: string;
  /** The Markdown that the summary ends with: the log's checkpoint. GitHub shows it even if it refuses the rest. */
  log?: string;
};

/** The content as it's sent to GitHub: the minimal one has no link. */
export type ShownContent = Omit<CheckRunContent, 'detailsUrl'> & { detailsUrl?: string };

export type Branches = {
  /**
   * The newest commit of the branch; null if GitHub doesn't show it without permission to read code.
   *
   * @param candidate A commit that GitHub shows if it's the newest one, regardless of what happened before.
   */
  tip(repo: RepositoryRef, branch: string, candidate?: string): Promise<string | null>;
};

/** A run as GitHub shows it now; `conclusion` is null until it is completed. */
export type ShownRun = { id: number; status: string; conclusion: string | null };

export type GitHubRun = ShownRun & { detailsUrl: string };

/** Writes that take a green check away come first, then those of an approval, then others that complete one, then all others. */
export type WritePriority = 'takeAway' | 'approval' | 'completion' | 'other';

export type CheckRuns = {
  /** Creates a run on the head, and returns its id; `refused` if GitHub doesn't take the text. */
  create(
    repo: RepositoryRef,
    head: string,
    content: ShownContent,
    priority: WritePriority,
  ): Promise<number | 'refused'>;
  /**
   * False if the run doesn't exist, or if GitHub didn't change its status; `refused` if GitHub doesn't take the text.
   *
   * @param withinMs Fails if GitHub hasn't answered after this time; nothing is sent after it.
   */
  update(
    repo: RepositoryRef,
    id: number,
    content: ShownContent,
    priority: WritePriority,
    withinMs?: number,
  ): Promise<boolean | 'refused'>;
  /** The newest run that this App created on the head; null if there is none. */
  findNewest(repo: RepositoryRef, head: string): Promise<GitHubRun | null>;
};

/** A repository as the record store last knew it: its id, the account that owns it, and their names. */
export type StoredRepository = RepositoryRef & { id: number; ownerId: number };

/** An open pull request as of the last sync: for the organization's home, and to find one missing from a list. */
export type OpenPull = Omit<UnapprovedPull, 'since'> & {
  approved: boolean;
  opened: Date;
  /** Null if GitHub left them out: the saved ones stay. */
  reviewers: PullRequest['reviewers'];
};

/** A repository's saved open pull requests, as of one moment. */
export type SavedPulls = {
  withHead(head: string): Pick<OpenPull, 'pr' | 'base'>[];
  /** Tells whether the pull request is saved just like this, for this account. */
  isSaved(orgId: number, pull: OpenPull): boolean;
};

export type OpenPulls = {
  /** Saves these pull requests; one with a new head starts to wait at `now`. */
  save(orgId: number, pulls: OpenPull[], now: Date): Promise<void>;
  /** Saves what may have changed about pull requests that were saved with this head. False if one no longer is. */
  saveAgain(pulls: OpenPull[], now: Date): Promise<boolean>;
  /** The repository's saved pull requests that have this head. */
  withHead(repoId: number, head: string): Promise<Pick<OpenPull, 'pr' | 'base'>[]>;
  /** Null if the account has no such open pull request that we know of. */
  find(
    orgId: number,
    pull: { repoId: number; pr: number },
  ): Promise<Pick<OpenPull, 'author' | 'opened' | 'head' | 'base'> | null>;
  /**
   * The repositories of at most `most` saved pull requests with this repository
   * id, or with this number and head, if the App is installed there.
   */
  repositories(
    by: { repoId: number } | { pr: number; head: string },
    most: number,
  ): Promise<StoredRepository[]>;
  readSaved(repoId: number): Promise<SavedPulls>;
  ofRepository(repoId: number): Promise<Pick<OpenPull, 'pr' | 'head' | 'base' | 'approved'>[]>;
  /** The repositories with an approved pull request, in the order of their ids. */
  greenRepositories(): Promise<KnownRepository[]>;
  remove(repoId: number, number: number): Promise<void>;
  removeRepository(repoId: number): Promise<void>;
  /** Removes the pull requests of the organization's repositories that aren't in `repoIds`. */
  removeOtherRepositories(orgId: number, repoIds: number[]): Promise<void>;
};

/** A merge queue's group, identified by the commit that GitHub tests for it. */
export type MergeGroup = { repoId: number; head: string; baseSha: string; base: string; pr: number };

/** A group as it was when OTP Guard first saw it, with its verdict. */
export type KnownGroup = MergeGroup & {
  repo: RepositoryRef;
  /** Its pull request's head; empty if there was no pull request. */
  pullHead: string;
  verdict: 'waiting' | 'passed' | 'failed';
  since: Date;
};

export type MergeGroups = {
  /** Stores a group that isn't known yet, as waiting. A known one stays as it is. */
  add(repo: RepositoryRef, group: MergeGroup, pullHead: string): Promise<KnownGroup>;
  find(repoId: number, head: string): Promise<KnownGroup | null>;
  /** Stores the verdict. A failed one stays, even if several processes store theirs simultaneously. */
  settle(group: KnownGroup, verdict: 'passed' | 'failed'): Promise<void>;
  /** Nothing is left to do for the group: GitHub shows its verdict, or has removed it from the queue. */
  finish(repoId: number, head: string): Promise<void>;
  /** The unfinished groups, or those of them that are built on `baseSha`; oldest first. */
  unfinished(on?: { repoId: number; baseSha: string }): Promise<KnownGroup[]>;
  /** The groups that OTP Guard first saw after that time, newest first. */
  since(time: Date): Promise<KnownGroup[]>;
};

/** The state of a head's check run; `check-run/run.ts` has the phases. */
export type RunState = {
  phase: 'creating' | 'pending' | 'prepared' | 'completing' | 'completed' | 'failed';
  /** Equal for two verdicts that look the same; empty while there is none. */
  fingerprint: string;
  /** True if GitHub may show a success on the head: this run's, or an earlier one if a run couldn't be created. */
  mayBeGreen: boolean;
};

/** A head's check run, as the record store knows it. `checkRunId` is null until it's created, and if that failed. */
export type CheckRunRecord = RunState & {
  id: string;
  attempt: number;
  checkRunId: number | null;
  since: Date;
};

export type CheckRunRecords = {
  latest(repoId: number, head: string): Promise<CheckRunRecord | null>;
  /** The newest run of each of these heads that has one, in a few requests. */
  latestOf(repoId: number, heads: string[]): Promise<Map<string, CheckRunRecord>>;
  /** Claims an attempt to create the head's run; null if another process has claimed it. */
  claim(repoId: number, head: string, attempt: number): Promise<CheckRunRecord | null>;
  /** All attempts for the head. */
  attempts(repoId: number, head: string): Promise<CheckRunRecord[]>;
  /** Saves the run's id on GitHub and the state that was written to it. */
  save(record: CheckRunRecord, checkRunId: number | null, state: RunState): Promise<void>;
};

/** GitHub's record of pushes and merges that went around rules. */
export type RuleSuites = {
  /** The names of the rules that this commit of the branch went around; null if GitHub doesn't show any. */
  bypassed(repo: RepositoryRef, push: { branch: string; commit: string }): Promise<string[] | null>;
};
