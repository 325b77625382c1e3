import { z } from 'zod';
import type { AuthenticatorType } from './authenticator-kinds.ts';
import {
  accessToken,
  accountLogin,
  authenticationResponse,
  commitSha,
  githubId,
  objectOf,
  repositoryName,
} from './fields.ts';
import type { LoggedVerdict } from './log-entry.ts';
import {
  type BatchStatement,
  batchStatement,
  MOST_IN_BATCH,
  type Statement,
  statement,
} from './statement.ts';

/** A commit of a pull request. The first member that is missing or malformed decides the error. */
const target = {
  installation: githubId('missing installation'),
  owner: accountLogin('missing org'),
  ownerID: githubId('missing organization id'),
  repo: repositoryName('missing repo'),
  pr: githubId('missing pr'),
  head: commitSha('missing head'),
  /** The repository's id, which finds it under any name. A link may leave it out. */
  repoID: githubId('missing repo').optional(),
};

/** `POST /github-check-webauthn-params` */
export const approvalParams = z.object({
  ...target,
  type: z.string().max(32).optional(),
  /**
   * `all` reads every changed file, which takes GitHub a request for each 100; `soon` does too, if that takes no more than
   * two seconds longer than the rest. Without it the first 100 at most.
   */
  files: z.enum(['all', 'soon']).optional().catch(undefined),
  accessToken: accessToken.optional(),
});

/** `POST /github-check-webauthn` */
export const webauthnApproval = z.object({
  params: objectOf(z.object(target, { error: 'missing installation' })),
  authResponse: authenticationResponse('missing authenticator'),
  accessToken: accessToken.optional(),
});

/** `POST /github-withdraw-approval`, and `POST /pull-changes`: what helps to decide about a head, and isn't signed. */
export const headRequest = z.object({ ...target, accessToken: accessToken.optional() });

/** `reported` is false if the approval is withdrawn, or the denial ended, but GitHub may still show the check run. */
export type WithdrawalAnswer = { reported: boolean };

export type ApprovalTarget = z.infer<typeof approvalTarget>;
export const approvalTarget = z.object(target);

/** The pull request as the approval page shows it next to the statement: no signature covers it. */
export type PullSummary = {
  title: string;
  /** The account that opened the pull request; null if it no longer exists. */
  author: { login: string; avatarUrl: string } | null;
  /** The pull request's page and its page of changes up to the head, on GitHub. */
  url: string;
  changesUrl: string;
  /** The head branch, as `owner:branch` if it's in a fork; null if GitHub didn't say. */
  headBranch: string | null;
  /** The latest earlier head that was approved; null if none was. */
  approvedBefore: string | null;
  /** How much it changes; null if GitHub didn't say. */
  size: { files: number; additions: number; deletions: number } | null;
};

/** A changed file, as GitHub lists it. */
export type ListedFile = {
  path: string;
  /** The path before a renaming; null if it wasn't renamed. */
  previousPath: string | null;
  /** GitHub's word: `added`, `removed`, `modified`, `renamed`, `copied`, `changed` or `unchanged`. */
  status: string;
  /** The blob's SHA-1; a submodule's commit. Null if GitHub names none. */
  sha: string | null;
  additions: number;
  deletions: number;
  /** `unshown` if GitHub shows no text: a binary file, or a text that is too long. */
  kind: 'text' | 'unshown' | 'submodule';
  /** The beginning of GitHub's patch; null if GitHub shows none. No statement covers it, because `sha` names the content. */
  patch: Patch | null;
};

/**
 * At most 40 lines of a patch, each cut after 200 characters. `isCut` is true if that isn't all of the patch, and
 * `isHiding` if any part of GitHub's whole patch has characters that hide or reorder text.
 */
export type Patch = { text: string; isCut: boolean; isHiding: boolean };

/** Why a person should look at a file, such as `Workflow`. */
export type FileMark = { name: string; isStrong: boolean };

/** The changed files that the page shows next to the statement. */
export type ShownFiles = {
  /**
   * The files in GitHub's order. `rules` has the names of the rules whose paths a file matches, and `anchor` the place of
   * the file in GitHub's pages of changes: the SHA-256 of its path in hexadecimal digits.
   */
  listed: (ListedFile & { rules: string[]; marks: FileMark[]; anchor: string })[];
  /** The number of files that the pull request changes, as GitHub counts them. */
  total: number;
  /** True if `listed` has all of them: then the statement has its hash. */
  isComplete: boolean;
};

/** What happened to a pull request, as far as OTP Guard knows it. */
export type PullStory = {
  /** Null if it isn't known. `by` is null if the account no longer exists; without a picture, its address is empty. */
  opened: { by: PullSummary['author']; at: string } | null;
  /** The present head and base branch; null if the pull request isn't known to be open. */
  head: string | null;
  base: string | null;
  /** The newest 50 approvals and denials together, oldest first. */
  approvals: StoryApproval[];
  denials: StoryDenial[];
};

/** An approval of one of the pull request's commits. `id` is its record's; `withdrawn` is the time, if it was taken back. */
export type StoryApproval = Record<'id' | 'head' | 'base' | 'login' | 'avatarUrl' | 'at', string> & {
  method: AuthenticatorType;
  withdrawn: string | null;
};

/** A denial of one of the pull request's commits; `withdrawn` is the time at which it ended. */
export type StoryDenial = StoryApproval & { reason: string };

/** A denial that keeps the check from passing. `id` is its record's, and `at` its time (RFC 3339). */
export type ShownDenial = Pick<StoryDenial, 'id' | 'login' | 'avatarUrl' | 'method' | 'at' | 'reason'> & {
  isYours: boolean;
};

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn Level 3, section 5.1.10. */
export type RequestOptions = {
  challenge: string;
  timeout?: number;
  rpId?: string;
  allowCredentials?: { id: string; type: 'public-key'; transports?: string[] }[];
  userVerification?: 'required' | 'preferred' | 'discouraged';
};

/** The outcome of one of the organization's rules for a pull request, and how many different people it asks for. */
export type RuleOutcome = LoggedVerdict['rules'][number] & { approvals: number };

export type ApprovalParamsAnswer = {
  challenge: string;
  options: RequestOptions;
  statement: Statement;
  pull: PullSummary;
  story: PullStory;
  /** The target under its present names and ids, which differ from the request's after a rename or a transfer. */
  target: ApprovalTarget & { repoID: number };
  /** The person's own approval that counts for this pull request now; null if there is none. */
  yourApproval: { method: AuthenticatorType; at: string } | null;
  /** True if the pull request passes by the approvals that it has. False if it passes without any. */
  passed: boolean;
  /** A sentence that names what the check still waits for; null if it passes. Other pull requests can have the same head. */
  needs: string | null;
  /** The rules that apply to the pull request. */
  rules: RuleOutcome[];
  /** What agents had a hand in, without a period: `Claude wrote 3 of 5 commits`. Null if no rule asks, or if none is seen. */
  agents: string | null;
  /** The denials of this commit that are in force, oldest first. */
  denials: ShownDenial[];
  /** True if the person is an owner, who may set denials aside. */
  maySetAside: boolean;
  /** Why the person's approval or denial would count for nothing, as a sentence; null if it counts. */
  refusal: string | null;
  /** Null if GitHub didn't list them in time. */
  files: ShownFiles | null;
};

/**
 * `redirect` is the pull request's page on GitHub. `reported` is false if the
 * approval is stored but GitHub doesn't show the verdict yet. `passed` is true if
 * the check passes with the approval; if it doesn't, `needs` is one sentence of what is missing, else null.
 */
export type ApprovalAnswer = { redirect: string; reported: boolean; passed: boolean; needs: string | null };

const organization = {
  org: accountLogin('missing org'),
  orgID: githubId('missing organization id'),
  accessToken: accessToken.optional(),
};

/** `POST /approve-batch-params`: one signature for several commits of one organization. */
export const batchParams = z.object({
  ...organization,
  items: objectOf(
    z
      .array(z.object(target, { error: 'missing installation' }), { error: 'Choose pull requests.' })
      .min(1, { error: 'Choose at least one pull request.' })
      .max(MOST_IN_BATCH, { error: `Choose at most ${MOST_IN_BATCH} pull requests at once.` }),
  ),
  /**
   * `soon` lists the first 100 changed files of each, if that takes no more than two seconds longer than the rest, and puts
   * the pull requests first that a person should look at closely. It takes GitHub a request for each.
   */
  files: z.literal('soon').optional().catch(undefined),
});

/** `POST /approve-batch` */
export const batchApproval = z.object({
  ...organization,
  authResponse: authenticationResponse('missing authenticator'),
});

/** The subject of a batch's challenge, as it's stored: the signed statement, and each single statement. */
export const batchSubject = z.object({
  batch: batchStatement,
  items: z.array(z.object({ statement, target: approvalTarget })),
});
export type BatchSubject = z.infer<typeof batchSubject>;

/** A pull request that can be approved with the others. */
export type BatchItem = Pick<
  ApprovalParamsAnswer,
  'statement' | 'pull' | 'story' | 'target' | 'rules' | 'files'
>;

/** A pull request that is left out; `why` is a sentence. `repo` is the repository's name without its owner. */
export type LeftOut = { repo: string; pr: number; why: string };

/**
 * The items with a statement are signed, in the order of `items`. That's the order of the request; with its `files`, those
 * with a strong mark come first, then those of which some files aren't listed, then the others, then those left out.
 */
export type BatchParamsAnswer = {
  challenge: string;
  options: RequestOptions;
  statement: BatchStatement;
  items: (BatchItem | LeftOut)[];
};

/** Each approved item has the fields of a single approval's answer. */
export type BatchAnswer = { approved: ({ repo: string; pr: number } & ApprovalAnswer)[]; left: LeftOut[] };

/** A longer commit message is cut. */
export const LONGEST_MESSAGE = 4_000;

export type PullChangesAnswer = {
  /** The head commit's message, at most `LONGEST_MESSAGE` characters; null if GitHub doesn't list the commit. */
  message: string | null;
  /** True if the message was cut. */
  isCut: boolean;
  /** The newest earlier head that was approved, if its files are the head's; null if they differ, or if we don't know. */
  sameFilesAs: string | null;
};
