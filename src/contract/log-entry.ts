import { z } from 'zod';
import { account } from './fields.ts';

/** The event of an entry, without people: a verdict stays provable after a person was erased. */
const logEvent = z.looseObject({
  v: z.literal(1),
  /** The name of the log, as its checkpoints have it. */
  log: z.string(),
  /** The entry's place, from 1: the size of the log with this entry. */
  number: z.number().int().positive(),
  /** RFC 3339, by the server's clock. */
  at: z.string(),
  /** The kind of entry. */
  activity: z.string(),
  /** The part that the activity log shows, without people. */
  data: z.record(z.string(), z.unknown()),
  /** The part that the activity log doesn't show, as far as the kind has it. */
  facts: z.looseObject({
    /** GitHub's id of the repository. */
    repoId: z.number().optional(),
    userVerified: z.boolean().optional(),
    /** The registered key's model by its AAGUID, and whether a certificate proves it. */
    aaguid: z.string().optional(),
    modelVerified: z.boolean().optional(),
    /** SHA-256, base64url, over the RFC 8785 form of the policy. */
    policySha256: z.string().optional(),
  }),
});

export type LogEvent = z.infer<typeof logEvent>;

/** One rule of the policy, and its outcome for a pull request. */
const loggedRule = z.object({
  /** Empty for the one approval of a member that a pull request needs if no enforced rule applies to it. */
  name: z.string(),
  enforced: z.boolean(),
  met: z.boolean(),
  /** One sentence in plain text, with nothing in it that a stranger chose; empty if the rule is met. */
  missing: z.string(),
  /** Logins of those whose approvals count for it. */
  by: z.array(z.string()),
});

/** OTP Guard's decision about the pull request with this approval. */
export const loggedVerdict = z.object({
  passed: z.boolean(),
  /** The number of the policy in force; 0 for the default one. */
  policyNumber: z.number(),
  policySha256: z.string(),
  rules: z.array(loggedRule),
});

export type LoggedVerdict = z.infer<typeof loggedVerdict>;

/** The part of an entry about a person, with what they signed. It can be erased. */
const logPerson = z.looseObject({
  /** The part that the activity log shows: logins and labels. */
  data: z.record(z.string(), z.unknown()),
  facts: z.looseObject({
    /** The person who did it. */
    by: account.optional(),
    /** The person whose authenticator it is. */
    holder: account.optional(),
    /** The registered or confirmed credential: SHA-256, base64url, over its id, and over its COSE public key. */
    credential: z.object({ idSha256: z.string(), publicKeySha256: z.string() }).optional(),
    /** The public key that let a further authenticator in, as above; `totp` for a one-time code. */
    confirmedBy: z.string().optional(),
    /** SHA-256, base64url, over the RFC 8785 form of `{statement, assertion, publicKey}`: what was signed. */
    proofSha256: z.string().optional(),
    verdict: loggedVerdict.optional(),
  }),
});

export type LogPerson = z.infer<typeof logPerson>;

/** An entry with what opens its leaf. What was erased is null. */
export const openedEntry = z.object({
  number: z.number().int().positive(),
  /** RFC 8785: `{"event": …, "person": …, "v": 1}`. */
  leaf: z.string().max(1_000),
  event: logEvent.nullable(),
  person: logPerson.nullable(),
  salts: z.object({ event: z.string().nullable(), person: z.string().nullable() }),
});

export type OpenedEntry = z.infer<typeof openedEntry>;

/** An exported entry. `checkpoint` is the one with this entry as its last. */
export const exportedEntry = openedEntry.extend({ checkpoint: z.string().max(10_000) });

export type ExportedEntry = z.infer<typeof exportedEntry>;
