import { z } from 'zod';
import { approvalTarget, type PullStory } from './approvals.ts';
import { authenticatorTypes } from './authenticator-kinds.ts';
import { type Enrolled, enrolledBy } from './enrolment.ts';
import { accessToken, account, after, commitSha, githubId, objectOf, repositoryName } from './fields.ts';
import { exportedEntry, loggedVerdict, openedEntry } from './log-entry.ts';
import {
  batchStatement,
  denyStatement,
  deployStatement,
  rejectStatement,
  statement,
  vouchStatement,
} from './statement.ts';

const base64url = z.string().regex(/^[A-Za-z0-9_-]+$/);
const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/);

/** `AuthenticationResponseJSON` of WebAuthn Level 3, section 5.1.10. */
const assertion = z.looseObject({
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.looseObject({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.optional(),
  }),
});

/** DSSE v1.0: `payload` and `sig` are base64, `keyid` is the id of a published key. */
export const envelope = z.object({
  payloadType: z.literal('application/vnd.in-toto+json'),
  payload: base64.max(4_000_000),
  signatures: z
    .array(z.object({ keyid: z.string(), sig: base64 }))
    .min(1)
    .max(16),
});

export type Envelope = z.infer<typeof envelope>;

/** An entry of the log with its audit path (RFC 6962, base64) in the log of the receipt's checkpoint. */
const includedEntry = openedEntry.extend({ path: z.array(base64).max(64) });

/** The enrolment of one key. */
const enrolmentLink = z.object({
  /** The key's holder. */
  holder: account,
  /** SHA-256, base64url, over its COSE public key; empty for an authenticator app. */
  publicKeySha256: z.string(),
  enrolled: z.enum(['', ...enrolledBy]),
  /** Null if it was registered before the log began. */
  registration: includedEntry.nullable(),
  /** The vouch for it; null if nobody vouched. The next link is the key that signed the vouch, or that let this one in. */
  vouch: z
    .object({
      statement: vouchStatement,
      assertion,
      /** COSE, base64url: the key of the person who vouched. */
      publicKey: base64url,
      entry: includedEntry.nullable(),
    })
    .nullable(),
});

export type EnrolmentLink = z.infer<typeof enrolmentLink>;

/**
 * URNs and not addresses: receipts outlive every server. docs/receipts/format.md describes them. Denials and decisions about
 * deployments have their own, so that a program which knows approvals alone refuses them.
 */
export const APPROVAL_TYPE = 'urn:otp-guard:approval:v1';
export const DENIAL_TYPE = 'urn:otp-guard:denial:v1';
export const DEPLOYMENT_TYPE = 'urn:otp-guard:deployment:v1';

const entryInLog = z.object({
  /** C2SP checkpoint, a signed note. */
  checkpoint: z.string().max(10_000),
  entry: includedEntry,
});

/** The parts that all receipts have in common. */
const given = {
  /** The dashboard's origin of the server that issued it. */
  issuer: z.string(),
  /** RFC 3339. */
  issued: z.string(),
  method: z.enum(authenticatorTypes),
  /** The time at which it was withdrawn, or a denial ended, RFC 3339; null if it was in force when this was issued. */
  withdrawn: z.string().nullable(),
  /** Both null for a one-time code: then only the server says so. */
  assertion: assertion.nullable(),
  publicKey: base64url.nullable(),
  userVerified: z.boolean(),
  /** The authenticator's model; `modelVerified` if a certificate that the operator trusts names it. */
  authenticator: z.object({ aaguid: z.string(), model: z.string(), modelVerified: z.boolean() }),
  /** The person's key first, and at the end a key that nobody vouched for. */
  enrolment: z.array(enrolmentLink).max(100),
};

/** in-toto Statement v1. */
const inToto = {
  _type: z.literal('https://in-toto.io/Statement/v1'),
  subject: z.array(z.object({ name: z.string(), digest: z.object({ gitCommit: z.string() }) })).length(1),
};

const approvalReceipt = z.object({
  ...inToto,
  predicateType: z.literal(APPROVAL_TYPE),
  predicate: z.object({
    ...given,
    /** The time at which the server stored the approval, RFC 3339. */
    approved: z.string(),
    statement,
    /**
     * The signed batch, if several commits were approved together: it has the statement's hash. Null or absent otherwise.
     */
    batch: batchStatement.nullish(),
    /** OTP Guard's decision with this approval, by which rules; null if the entry's person was erased. */
    verdict: loggedVerdict.nullable(),
    /** Null for an approval from before the log began. */
    log: entryInLog.nullable(),
  }),
});

const denialReceipt = z.object({
  ...inToto,
  predicateType: z.literal(DENIAL_TYPE),
  predicate: z.object({
    ...given,
    /** The time at which the server stored the denial, RFC 3339. */
    denied: z.string(),
    statement: denyStatement,
    /** The text whose hash the statement has. */
    reason: z.string(),
    log: entryInLog,
  }),
});

const decided = {
  ...given,
  /** The time at which the server stored the decision, RFC 3339. */
  decided: z.string(),
  log: entryInLog,
};

/** An approval or a rejection of a deployment. Only an approval has a verdict, and only a rejection a reason. */
const deploymentReceipt = z.object({
  ...inToto,
  predicateType: z.literal(DEPLOYMENT_TYPE),
  predicate: z.union([
    z.object({
      ...decided,
      statement: deployStatement,
      reason: z.null(),
      verdict: loggedVerdict.nullable(),
    }),
    z.object({ ...decided, statement: rejectStatement, reason: z.string(), verdict: z.null() }),
  ]),
});

export type ApprovalReceipt = z.infer<typeof approvalReceipt>;
export type DenialReceipt = z.infer<typeof denialReceipt>;
export type DeploymentReceipt = z.infer<typeof deploymentReceipt>;

export const receiptStatement = z.discriminatedUnion('predicateType', [
  approvalReceipt,
  denialReceipt,
  deploymentReceipt,
]);
export type ReceiptStatement = z.infer<typeof receiptStatement>;

/**
 * `POST /receipts`: for members; every approval and denial of a head in a repository and every decision about its
 * deployments, withdrawn ones too. With `pr`, those of this pull request alone.
 */
export const receiptsRequest = approvalTarget
  .omit({ installation: true })
  .partial({ pr: true })
  .extend({
    /** The pull request whose timeline the answer has. */
    story: githubId('missing pr').optional(),
    /** The size of the checkpoint that the receipts should be proved by: the newest one if left out. */
    size: githubId('missing size').optional(),
  });

export type ReceiptsRequest = Omit<z.infer<typeof receiptsRequest>, 'owner'>;

/** The parts of the proof of an approval, a denial or a decision that pages show. */
export type ApprovalProof = {
  /** Record id of the approval, the denial or the decision. */
  id: string;
  /** The reason of a denial or a rejection; null for an approval. */
  reason: string | null;
  /** The deployment that it's about; null if it's about a pull request. */
  deployment: { environment: string; run: number; attempt: number } | null;
  login: string;
  method: (typeof authenticatorTypes)[number];
  at: string;
  /** The base branch that was signed, or the branch or tag of the run. */
  base: string;
  /** The pull request that was signed; 0 for a deployment. */
  pr: number;
  /** `valid` if the stored signature verified now, `server` for a one-time code. */
  signature: 'valid' | 'server';
  userVerified: boolean;
  model: string;
  modelVerified: boolean;
  enrolled: Enrolled;
  /** The person's own authenticator that let the key in; `key` if its kind isn't known, null if none did. */
  addedWith: (typeof authenticatorTypes)[number] | 'key' | null;
  /** The logins of the people who vouched for the key, nearest first. */
  vouchedBy: string[];
  withdrawn: string | null;
};

/** A commit without a receipt; `why` is a sentence. */
export type WithoutReceipt = { commit: string; why: string };

/**
 * One receipt and one proof for each approval, denial and decision, in the same order, newest first; `without` are the others. `story`
 * is null if nobody asked for it, or if the repository isn't known.
 */
export type ReceiptsAnswer = {
  receipts: Envelope[];
  proofs: ApprovalProof[];
  without: WithoutReceipt[];
  story: PullStory | null;
};

const period = {
  orgID: githubId('missing organization id'),
  from: z.iso.datetime({ offset: true, error: 'Enter the beginning as a date.' }).optional(),
  to: z.iso.datetime({ offset: true, error: 'Enter the end as a date.' }).optional(),
  accessToken: accessToken.optional(),
};

const MOST_COMMITS = 100;

/** `POST /receipts-export`: for owners; the receipts of a period, or of the commits of a release. */
export const receiptsExportRequest = z.object({
  ...period,
  /** Limits the export to this repository; needed with `commits`. */
  repo: repositoryName('missing repo').optional(),
  /** Heads of pull requests, or what became of them by a merge. */
  commits: objectOf(
    z
      .array(commitSha('Enter full commit hashes, one a line.'), { error: 'Enter full commit hashes.' })
      .min(1, { error: 'Enter full commit hashes, one a line.' })
      .max(MOST_COMMITS, { error: `Enter at most ${MOST_COMMITS} commits at once.` }),
  ).optional(),
  after,
});

export type ReceiptsExportRequest = z.infer<typeof receiptsExportRequest>;

/** `without` are the commits that have no receipt, and why. */
export type ReceiptsExport = {
  receipts: Envelope[];
  without: WithoutReceipt[];
  next: string | null;
};

/** `POST /log-export`: for owners. */
export const logExportRequest = z.object({ ...period, after: githubId('missing after').optional() });

export type LogExportRequest = z.infer<typeof logExportRequest>;

/**
 * A part of an organization's log. `left` and `right` prove that it's the log of `checkpoint`: the roots of the
 * complete subtrees before its first entry, largest first, and the siblings of the audit path of its last entry
 * that are right of it, nearest first; base64.
 */
export const logExport = z.object({
  version: z.literal(1),
  log: z.string(),
  org: z.object({ id: z.number() }),
  checkpoint: z.string().max(10_000),
  left: z.array(base64).max(64),
  entries: z.array(exportedEntry),
  right: z.array(base64).max(64),
});

export type LogExport = z.infer<typeof logExport>;

/** `next` is the number to continue after; null if the period has no more entries. Nothing proves it, so no file has it. */
export type LogExportPage = LogExport & { next: number | null };

/** `POST /organization-log`: for members. */
export const logStatusRequest = z.object({ orgID: githubId('missing organization id') });

export type LogStatus = {
  /** The number of entries in the log. */
  size: number;
  /** The newest checkpoint, and when its last entry was added; null while the log is empty. */
  checkpoint: string | null;
  at: string | null;
  /** Up to which entry this server has compared all, and when; null if it hasn't begun. */
  checked: { to: number; at: string } | null;
  /** The first entry that isn't as it was when it was added; 0 if it's the end of the log; null if none is. */
  changed: number | null;
};

/** `GET /.well-known/otp-guard.json`: what `otp-guard verify --keys` reads. */
export const keyList = z.object({
  host: z.string(),
  version: z.string(),
  keys: z
    .array(
      z.looseObject({
        id: z.string(),
        type: z.literal('ed25519'),
        /** The 32 bytes of RFC 8032, base64url. */
        publicKey: base64url.length(43),
        /** RFC 3339. */
        created: z.string().optional(),
        retired: z.string().nullable().optional(),
      }),
    )
    .max(1000),
  /** GitHub's id of the App whose check runs show checkpoints. */
  app: z.number().optional(),
  /** The newest checkpoint of each organization's log. */
  logs: z.array(z.object({ org: z.number(), checkpoint: z.string() })).optional(),
});

export type KeyList = z.infer<typeof keyList>;
