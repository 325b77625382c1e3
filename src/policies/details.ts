import type { Permission } from '../contract/accounts.ts';
import type { Role } from '../organizations/ports.ts';
import type { Hand } from './agents.ts';
import type { Certainty } from './globs.ts';
import type { Trailer } from './trailers.ts';

/** An account that opened a pull request, pushed it, or wrote one of its commits. `isMachine` is true for a GitHub App or bot. */
export type Contributor = { id: number; login: string; isMachine: boolean };

/**
 * The paths that a pull request changes, the old and the new one of a renamed file. Incomplete if
 * GitHub lists only a part, or if the pull request moved on while we read them.
 */
export type ChangedFiles = { paths: string[]; isComplete: boolean };

/**
 * Tells whether the changed files match the paths of a rule, by the rule's name: all of them if the rule asks for no
 * approval, at least one of them otherwise. A rule that isn't in it may match.
 */
export type FileMatches = ReadonlyMap<string, Certainty>;

/** A commit's author and committer, by accounts and by what the commit says, and its trailers, of which there can be too many. */
export type CommitHands = { by: Hand[]; trailers: Trailer[]; isComplete: boolean };

/** The people who wrote the commits of a pull request. The list can be incomplete, as `ChangedFiles` can. */
export type PullCommits = {
  /** Each author and committer once. GitHub itself, as the committer of a commit that it signed, isn't one. */
  people: Contributor[];
  /** True if GitHub links an account to each author and committer. */
  areAllKnown: boolean;
  /** True if GitHub verified the signature of each commit. */
  areAllVerified: boolean;
  commits: CommitHands[];
  isComplete: boolean;
};

/** GitHub's details about a person now, as far as the rules ask for them. */
export type PersonDetails = {
  githubId: number;
  /** Their login now, which isn't always their login when they approved. */
  login: string;
  role: Role | null;
  permission: Permission | 'none';
  /** True if they were given access to the repository and aren't a member. */
  isCollaborator: boolean;
  /** The teams of the rules that they belong to (`@org/team`). A team that can't be read has nobody. */
  teams: string[];
};

/** People who did something, as far as we know, and whether these are all. */
export type KnownPeople = { people: Contributor[]; areAllKnown: boolean };

/** What agents had a hand in. `line` says it without a period: `Claude wrote 3 of 5 commits`; null if no agent is seen. */
export type AgentWork = { hasHand: Certainty; line: string | null };

/** The details that the rules are judged by, in addition to the pull request and its approvals. A part that no rule asks for is null or empty. */
export type PullDetails = {
  files: FileMatches;
  commits: PullCommits | null;
  /**
   * The accounts that pushed this head, from the webhooks about it; null is an unknown account. Empty if we know of no
   * push.
   */
  pushers: (Contributor | null)[];
  /** The people who asked for the change: its author, unless a machine opened the pull request. */
  initiators: KnownPeople;
  /** Null if no rule asks: then an agent may have had a hand. */
  agents: AgentWork | null;
  people: PersonDetails[];
  /** The teams that can't be read now, as the rules name them. */
  unreadTeams: string[];
};

/** The known pushers, and whether they are all: one unknown push leaves its pusher unknown. */
export const knownPushers = ({ pushers }: Pick<PullDetails, 'pushers'>): KnownPeople => ({
  people: pushers.filter((pusher) => pusher !== null),
  areAllKnown: pushers.length > 0 && !pushers.includes(null),
});

/** Everything is left out: no rule needs to know anything. */
export const NO_DETAILS: PullDetails = {
  files: new Map(),
  commits: null,
  pushers: [],
  initiators: { people: [], areAllKnown: false },
  agents: null,
  people: [],
  unreadTeams: [],
};

/** A pull request, as rules see it. */
export type RuledPull = {
  repo: { owner: string; name: string };
  base: string;
  author: Contributor | null;
  /** Set for a deployment, which other rules are about. */
  deployment?: RuledDeployment;
};

/**
 * A deployment, as rules see it: it's of the ref that is the `base`, and its `author` and details are those of the pull
 * request that brought its commit in.
 */
export type RuledDeployment = {
  environment: string;
  /** The people who started the run. */
  starters: KnownPeople;
  /** True if it's known that no pull request brought the commit in. */
  isWithoutPull: boolean;
  /** When the commit was merged into the ref with all approvals that its pull request needs; null if it wasn't. */
  mergedAt: Date | null;
  /** The time by which it's judged. */
  now: Date;
};
