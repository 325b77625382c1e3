import { z } from 'zod';
import { account } from './fields.ts';

/** The fields that every statement begins with. */
const signed = <const Purpose extends string>(purpose: Purpose) => ({
  v: z.literal(1),
  purpose: z.literal(purpose),
  /** The dashboard's origin. */
  host: z.string(),
  /** The person who signs. */
  user: account,
  org: account,
});

/** The fields that make every statement unique. */
const once = {
  /** 128 random bits, base64url. */
  nonce: z.string(),
  /** Seconds since 1970, by the server's clock. */
  iat: z.number(),
};

/** `name` is `owner/repository`. */
const repo = z.object({ id: z.number(), name: z.string() });

/** SHA-256, base64url, over the reason in UTF-8. */
const because = { reasonSha256: z.string().length(43) };

/** The pull request, its base branch and its head commit, full length, as the person saw them. */
const ofHead = { repo, pr: z.number(), base: z.string(), head: z.string() };

/**
 * The statement that an approval signs: the WebAuthn challenge of an approval is
 * SHA-256 over the RFC 8785 form of this object, so the assertion is the
 * person's own signature over it. GitHub's ids decide; names are for display.
 */
export const statement = z.object({
  ...signed('approve'),
  ...ofHead,
  /**
   * SHA-256, base64url, over the RFC 8785 form of `[[path, status, blob sha], …]`: the changed files in GitHub's order, as
   * the page listed them. Absent if the page didn't have the whole list.
   */
  files: z.string().length(43).optional(),
  ...once,
});

export type Statement = z.infer<typeof statement>;

/**
 * The statement that a denial signs, in the same way: that nothing with this head may merge in this repository. It holds
 * for every other pull request with this head, too.
 */
export const denyStatement = z.object({ ...signed('deny'), ...ofHead, ...because, ...once });

export type DenyStatement = z.infer<typeof denyStatement>;

/** One environment that a workflow run wants to deploy to. */
const ofDeployment = {
  repo,
  environment: z.string(),
  run: z.number(),
  /** A re-run is another attempt, and has to be approved again. */
  attempt: z.number(),
  head: z.string(),
  /** The branch or tag that the run is for, as GitHub shows it. */
  ref: z.string(),
  /** The event that started the run, such as `push` or `workflow_dispatch`. */
  event: z.string(),
  /** The path of the workflow's file. */
  workflow: z.string(),
};

/** The statement that a person signs to let all jobs of a workflow run's attempt deploy to an environment, in the same way. */
export const deployStatement = z.object({ ...signed('deploy'), ...ofDeployment, ...once });

export type DeployStatement = z.infer<typeof deployStatement>;

/** The statement that rejects these jobs. */
export const rejectStatement = z.object({ ...signed('reject'), ...ofDeployment, ...because, ...once });

export type RejectStatement = z.infer<typeof rejectStatement>;

/** What a person signs about one subject. */
export type AnyStatement = Statement | DenyStatement | DeployStatement | RejectStatement;

/** The most commits that one signature can approve. */
export const MOST_IN_BATCH = 20;

/**
 * The statement that an approval of several commits signs, in the same way: each of their statements by its hash, so that
 * the proof of one says nothing about the others.
 */
export const batchStatement = z.object({
  ...signed('approve-batch'),
  /** SHA-256, base64url, over the RFC 8785 form of each statement, in the order of the page. */
  approvals: z.array(z.string().length(43)).min(1).max(MOST_IN_BATCH),
  ...once,
});

export type BatchStatement = z.infer<typeof batchStatement>;

/** The statement that a vouch signs, in the same way: that this key is this person's. */
export const vouchStatement = z.object({
  ...signed('vouch'),
  credential: z.object({
    /** WebAuthn's id of the credential, base64url. */
    id: z.string(),
    /** SHA-256, base64url, over its COSE public key. */
    publicKeySha256: z.string(),
    holder: account,
  }),
  ...once,
});

export type VouchStatement = z.infer<typeof vouchStatement>;

const policyStatement = z.object({
  ...signed('policy'),
  /** SHA-256, base64url, over the RFC 8785 form of the policy as it is sent. */
  policySha256: z.string(),
  ...once,
});

/** The statement that the step-up for a new policy signs, in the same way. */
export type PolicyStatement = z.infer<typeof policyStatement>;

/** The statement that an owner signs to acknowledge a weakening, in the same way. */
export const acknowledgeStatement = z.object({
  ...signed('acknowledge'),
  entry: z.object({
    /** Its number in the organization's log. */
    number: z.number(),
    /** The hash of its leaf (RFC 6962), base64. */
    leafHash: z.string().length(44),
  }),
  ...once,
});

export type AcknowledgeStatement = z.infer<typeof acknowledgeStatement>;
