import { z } from 'zod';
import { accessToken, after, search } from './fields.ts';
import type { WaitingDeployment, WaitingPull } from './organization.ts';

/** `for-you`: those asked of the person, by an `AskedBy`. `may-approve`: all others that their approval would count for. */
export const inboxTabs = ['for-you', 'may-approve'] as const;
export type InboxTab = (typeof inboxTabs)[number];

/** The order is by when a pull request's head started to wait. */
const inboxOrders = ['waiting', 'newest'] as const;

/** `POST /inbox`: the pull requests and deployments that wait for the person, over all their organizations; 25 at a time. */
export const inboxRequest = z.object({
  accessToken: accessToken.optional(),
  /** `auto` is the tab that the answer's `opens` names. */
  tab: z
    .enum(['auto', ...inboxTabs], { error: 'Choose what is asked of you, or what is open to anyone.' })
    .optional(),
  /** `waiting` is the longest waiting first. */
  order: z.enum(inboxOrders, { error: 'Choose the longest waiting or the newest.' }).optional(),
  /** A part of the title, of `octo-org/hello #7` or of the author's login. */
  search,
  /** Limits the list to one repository, with its owner: `octo-org/hello`. */
  repository: z.string().max(201).optional(),
  /** Limits the list to pull requests that lack what this rule requires. */
  rule: z.string().max(100).optional(),
  /** Limits the list to pull requests in which an agent had a hand, or may have had one. */
  agents: z.boolean({ error: 'true or false is needed here.' }).optional(),
  after,
});

export type InboxQuestion = Omit<z.infer<typeof inboxRequest>, 'accessToken'>;

/**
 * Why a pull request or a deployment waits for this person and no other: a rule names them or their team, a person requested their
 * review on GitHub, they approved an earlier commit of it, or nobody else is left to approve it. The first that applies.
 */
export type AskedBy = 'named' | 'review' | 'earlier' | 'last';

export type InboxPull = WaitingPull & {
  org: { id: number; name: string; installation: number };
  repoID: number;
  base: string;
  /** The time at which it was opened (RFC 3339). */
  opened: string;
  /** Null if any other member could approve it too. */
  asked: AskedBy | null;
  /** What it lacks, at the last sync. */
  progress: RuleProgress[];
};

export type InboxDeployment = WaitingDeployment & Pick<InboxPull, 'asked'>;

/** The approvals that an unmet rule has and needs; `rule` is empty for the one approval of a member. */
export type RuleProgress = {
  rule: string;
  missing: string;
  approved: number;
  needed: number;
  /** The people who approved. It leaves out those who were erased. */
  by: { login: string; avatarUrl: string }[];
};

/** From this many on, pull requests that wait for one person aren't counted any further. */
export const MOST_COUNTED = 1_000;

/** The most pull requests on a page. */
export const INBOX_PAGE = 25;

export type InboxAnswer = {
  /** The number of pull requests in each tab, up to `MOST_COUNTED`, and of deployments. */
  forYou: number;
  mayApprove: number;
  deploymentsIn: Record<InboxTab, number>;
  /** The tab to open first: `may-approve` only if nothing is asked of the person and something is open to anyone. */
  opens: InboxTab;
  /** True if some of `mayApprove` name another person or a team, in a rule or a review request. */
  asksOthers: boolean;
  /** The number of the tab's pull requests that match the search and the filters, up to `MOST_COUNTED`. */
  total: number;
  /**
   * False if there may be more: of an organization in which thousands wait, we look at those that wait longest until
   * `MOST_COUNTED` of them are the person's.
   */
  isComplete: boolean;
  pulls: InboxPull[];
  next: string | null;
  /** The tab's deployments that match, in the same order: the first 25, on every page. */
  deployments: InboxDeployment[];
  /** The filters that the tab offers, regardless of the filters in use: at most 200 names of each. */
  repositories: string[];
  rules: string[];
  /** True if the filter `agents` would show something in the tab. */
  hasAgents: boolean;
};

/** The times at which a person gets an e-mail about a pull request that is asked of them. */
export const noticeChoices = ['off', 'at-once', 'daily'] as const;
export type NoticeChoice = (typeof noticeChoices)[number];

/** `POST /notice-choice`: reads the choice, or makes it. */
export const noticeChoiceRequest = z.object({
  choice: z.enum(noticeChoices, { error: 'Choose off, at-once or daily.' }).optional(),
});

/** `hasAddress` is false if no e-mail can be sent, because the person hasn't confirmed an address. */
export type NoticeChoiceAnswer = { choice: NoticeChoice; hasAddress: boolean };
