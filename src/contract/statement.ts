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
