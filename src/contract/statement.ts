import { z } from 'zod';

/**
 * What an approval signs: the WebAuthn challenge of an approval is
 * SHA-256 over the RFC 8785 form of this object, so the assertion is the
 * person's own signature over it. GitHub's ids decide; names are for display.
 */
export const statement = z.object({
  v: z.literal(1),
  purpose: z.literal('approve'),
  /** The dashboard's origin. */
  host: z.string(),
  user: z.object({ id: z.number(), login: z.string() }),
  org: z.object({ id: z.number(), login: z.string() }),
  /** `name` is `owner/repository`. */
  repo: z.object({ id: z.number(), name: z.string() }),
  pr: z.number(),
  /** The base branch. */
  base: z.string(),
  /** The head commit, full length. */
  head: z.string(),
  /** 128 random bits, base64url. */
  nonce: z.string(),
  /** Seconds since 1970, by the server's clock. */
  iat: z.number(),
});

export type Statement = z.infer<typeof statement>;

/** The most commits that one signature can approve. */
export const MOST_IN_BATCH = 20;

/**
 * What an approval of several commits signs, in the same way: each of their statements by its hash, so that
 * the proof of one says nothing about the others.
 */
export const batchStatement = z.object({
  v: z.literal(1),
  purpose: z.literal('approve-batch'),
  /** The dashboard's origin. */
  host: z.string(),
  user: z.object({ id: z.number(), login: z.string() }),
  org: z.object({ id: z.number(), login: z.string() }),
  /** SHA-256, base64url, over the RFC 8785 form of each statement, in the order of the page. */
  approvals: z.array(z.string().length(43)).min(1).max(MOST_IN_BATCH),
  /** 128 random bits, base64url. */
  nonce: z.string(),
  /** Seconds since 1970, by the server's clock. */
  iat: z.number(),
});

export type BatchStatement = z.infer<typeof batchStatement>;

/** What a vouch signs, in the same way: that this key is this person's. */
export const vouchStatement = z.object({
  v: z.literal(1),
  purpose: z.literal('vouch'),
  /** The dashboard's origin. */
  host: z.string(),
  org: z.object({ id: z.number(), login: z.string() }),
  /** The person who vouches. */
  user: z.object({ id: z.number(), login: z.string() }),
  credential: z.object({
    /** WebAuthn's id of the credential, base64url. */
    id: z.string(),
    /** SHA-256, base64url, over its COSE public key. */
    publicKeySha256: z.string(),
    holder: z.object({ id: z.number(), login: z.string() }),
  }),
  /** 128 random bits, base64url. */
  nonce: z.string(),
  /** Seconds since 1970, by the server's clock. */
  iat: z.number(),
});

export type VouchStatement = z.infer<typeof vouchStatement>;
/** What the step-up for a new policy signs, in the same way. */
export type PolicyStatement = {
  v: 1;
  purpose: 'policy';
  /** The dashboard's origin. */
  host: string;
  org: { id: number; login: string };
  user: { id: number; login: string };
  /** SHA-256, base64url, over the RFC 8785 form of the policy as it is sent. */
  policySha256: string;
  /** 128 random bits, base64url. */
  nonce: string;
  /** Seconds since 1970, by the server's clock. */
  iat: number;
};
