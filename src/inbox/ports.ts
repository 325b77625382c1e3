import type { OpenPull } from '../approvals/ports.ts';
import type { Permission } from '../contract/accounts.ts';
import type { NoticeChoice } from '../contract/inbox.ts';
import type { Deployment } from '../deployments/ports.ts';
import type { NewNotice } from '../notices/ports.ts';
import type { Organization, Role, UserInstallations } from '../organizations/ports.ts';

/** A saved open pull request without a passing verdict, or a deployment that waits for the same people to approve it. */
export type WaitingPull = OpenPull & {
  /** Since when this head waits. */
  since: Date;
  /** The time of its last change that we know of: of its head, its lacks, its requested reviewers. */
  changed: Date;
  /** Set for a deployment: `base` is its ref, and what identifies it is in the place of number and head (`toWaiting`). */
  deployment?: Deployment;
};

/**
 * Finds the pull requests that wait. Each head is in `changedSince` after it
 * started to wait and after each change, for readers that act on a change.
 */
export type WaitingPulls = {
  /** The longest waiting in the organization, in this order, at most `most`. */
  list(orgRecordId: string, most: number): Promise<WaitingPull[]>;
  /** At most `most` waiting pull requests that changed at that time or later, the newest change first. */
  changedSince(orgRecordId: string, since: Date, most: number): Promise<WaitingPull[]>;
  /** A page of those whose head waits since `from` or later, longest waiting first. */
  since(orgRecordId: string, from: Date, page: { number: number; size: number }): Promise<WaitingPull[]>;
};

/** The repositories that GitHub shows to the holder of a user token, on that person's own rate limit. */
export type UserRepositories = Pick<UserInstallations, 'installations'> & {
  /** The repositories of an installation that the person was given access to, by their ids, with the permission. */
  repositories(token: string, installation: number): Promise<Map<number, Permission>>;
};

export type Candidate = { githubId: number; login: string; role: Role };

/** Lists the people who could approve in a small organization. */
export type Candidates = {
  /** At most `most` members with one of these roles, by our copy of GitHub's list. */
  some(orgRecordId: string, roles: Role[], most: number): Promise<Candidate[]>;
};

/** A member who chose to get e-mails and confirmed an address. Once for each organization that has the App. */
export type Reader = Candidate & {
  /** Record id. */
  userId: string;
  org: Organization;
  /** The time of that choice. */
  chose: Date;
};

export type NoticeChoices = {
  of(userId: string): Promise<NoticeChoice>;
  /** Saves another choice than the person's present one, made at that time. */
  save(userId: string, choice: NoticeChoice, date: Date): Promise<void>;
  readers(choice: NoticeChoice): Promise<Reader[]>;
};

/** A person as lists show them. */
export type Profile = { login: string; avatarUrl: string };

export type Profiles = {
  /** The profiles of these GitHub users, by their ids. It leaves out people who have no record here. */
  of(githubIds: number[]): Promise<Map<number, Profile>>;
};

/** A head of a pull request; or a deployment, with `pr` 0 and a `head` like `77/1/release`. */
export type PullHead = { repoId: number; pr: number; head: string };

/** Remembers the heads that each person got an e-mail about. */
export type PullNotices = {
  /** The heads that this person got an e-mail about, as `headKey` writes them. */
  about(userId: string): Promise<Set<string>>;
  /** Counts the e-mails that the person got since that time. */
  count(userId: string, since: Date): Promise<number>;
  /**
   * Queues an e-mail and uses up its heads for this person, in one step.
   *
   * @param input.once A key that this e-mail uses up too.
   * @returns False if a head or the key was used up before: then nothing is queued.
   */
  queue(input: {
    notice: NewNotice;
    heads: PullHead[];
    at: Date;
    once?: { key: string; until: Date };
  }): Promise<boolean>;
};

/** A person's own valid approvals. They decide only what a list says, so they are as stored, without their proofs. */
export type OwnApprovals = {
  /**
   * The newest ones in the account, at most `most`.
   *
   * @returns `reported`: when GitHub showed it; null until then.
   */
  newest(orgId: number, githubId: number, most: number): Promise<(PullHead & { reported: Date | null })[]>;
};

export const headKey = ({ repoId, pr, head }: PullHead): string => `${repoId}:${pr}:${head}`;

/** A deployment as what waits for people. */
export function toWaiting(deployment: Deployment): WaitingPull {
  const { repoId, repo, run, attempt, environment, ref, since, lacks, denied, changed } = deployment;
  return {
    ...{ repoId, repoName: repo.name, pr: 0, head: `${run}/${attempt}/${environment}`, base: ref },
    ...{ title: `${ref} to ${environment}`, author: '', opened: since, approved: false, reviewers: null },
    ...{ lacks, denied, agents: null, since, changed, deployment },
  };
}
