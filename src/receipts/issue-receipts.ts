import type { OnlyVerified } from '../approvals/judge/verify-stored-approval.ts';
import type { Checkpoint, LogReader, SigningKey, SigningKeys, StoredEntry } from '../audit/ports.ts';
import { recordSubject } from '../audit/subjects.ts';
import { proofSha256 } from '../authenticators/logged-credential.ts';
import { authenticatorKinds } from '../contract/authenticator-kinds.ts';
import {
  APPROVAL_TYPE,
  type ApprovalProof,
  DENIAL_TYPE,
  DEPLOYMENT_TYPE,
  type EnrolmentLink,
  type Envelope,
  type ReceiptStatement,
  type WithoutReceipt,
} from '../contract/receipts.ts';
import type { AnyStatement } from '../contract/statement.ts';
import type { Organization } from '../organizations/ports.ts';
import { decodeHash } from '../proofs/checkpoint.ts';
import { preAuthEncoding } from '../proofs/dsse.ts';
import { openIncluded, orgOf } from '../proofs/trusted-log.ts';
import { AppError } from '../shared/app-error.ts';
import type { Clock } from '../shared/clock.ts';
import type { Origins } from '../shared/links.ts';
import { onceForEach } from '../shared/work.ts';
import { approvalProof, authenticatorOf, type Evidence } from './approval-proof.ts';
import { type ChainDeps, enrolmentChain } from './enrolment-chain.ts';
import type { ProvedApproval, ProvedApprovals, StoredProofs } from './ports.ts';

/** The log that proves receipts. */
export type IssuedLog = Pick<LogReader, 'newest' | 'atSize' | 'ofSubject' | 'paths'>;

export type IssueDeps = ChainDeps & {
  auditLog: IssuedLog;
  signingKeys: Pick<SigningKeys, 'current'>;
  origins: Origins;
  clock: Clock;
};

/** A receipt for each approval, denial and decision, with what the pages show of it, and those that have none, with a sentence. */
type Issued = { receipts: Envelope[]; proofs: ApprovalProof[]; without: WithoutReceipt[] };

const LATER = 'The log of that size doesn’t have this approval or denial yet.';
const CHANGED = 'The stored reason of this denial or rejection isn’t the one that was given with it.';

/**
 * Issues a receipt for each approval, denial and decision, in their order. All of them are proved by one checkpoint: the newest one, or
 * the one of an earlier size.
 *
 * @throws AppError `logChanged` if the log isn't what this server signed, `malformed` without a log of that size.
 */
export async function issueReceipts(
  deps: IssueDeps,
  input: { org: Organization; approvals: ProvedApproval[]; size?: number | undefined },
): Promise<Issued> {
  const { org, approvals, size } = input;
  if (approvals.length === 0) return { receipts: [], proofs: [], without: [] };
  const checkpoint = await readCheckpoint(deps.auditLog, org, size);
  const reads = rememberReads(deps);
  const evidence: Evidence[] = [];
  const without: WithoutReceipt[] = [];
  for (const approval of approvals) {
    const entry = await findEntry(deps, org, approval);
    if (entry.number > checkpoint.size) without.push({ commit: approval.head, why: LATER });
    else if (approval.reason === '' && statementOf(approval).purpose !== 'deploy')
      without.push({ commit: approval.head, why: CHANGED });
    else
      evidence.push({
        approval,
        entry,
        chain: await enrolmentChain(reads, { org: org.id, approval, entry }),
      });
  }
  const entries = evidence.flatMap(entriesOf);
  const include = await includeEntries(deps.auditLog, { org: org.id, checkpoint, entries });
  const key = await deps.signingKeys.current();
  const at = { ...deps, now: deps.clock.now() };
  const statements = evidence.map((one) => receiptStatement(at, { ...one, checkpoint, include }));
  return {
    receipts: statements.map((one) => signEnvelope(key, one)),
    proofs: evidence.map(approvalProof),
    without,
  };
}

async function readCheckpoint(
  log: IssuedLog,
  org: Organization,
  size: number | undefined,
): Promise<Checkpoint> {
  const checkpoint = await (size === undefined ? log.newest(org.id) : log.atSize(org.id, size));
  if (checkpoint) return checkpoint;
  // An approval is stored together with its entry, so a log without entries was changed.
  if (size === undefined) throw new AppError('logChanged');
  throw new AppError('malformed', { sentence: `The log has no ${size} entries.` });
}

/** It was verified when it was read. */
const statementOf = ({ statement }: ProvedApproval) => statement as AnyStatement;

/** @throws AppError `logChanged` if the log has no entry of this approval, denial or decision. */
async function findEntry(
  { auditLog }: IssueDeps,
  org: Organization,
  approval: ProvedApproval,
): Promise<StoredEntry> {
  const all = await auditLog.ofSubject(org.id, recordSubject('approvals', approval.id));
  const activity = authenticatorKinds[approval.method][statementOf(approval).purpose];
  const entry = all.find((one) => one.event?.activity === activity && isAbout(one, approval));
  if (!entry) throw new AppError('logChanged');
  return entry;
}

/** Tells whether the entry commits to what this person signed. An erased entry can't show that. */
function isAbout({ person }: StoredEntry, { statement, proof }: ProvedApproval): boolean {
  const committed = person?.facts.proofSha256;
  if (committed === undefined) return true;
  return committed === proofSha256({ statement, assertion: null, publicKey: null, ...proof });
}

type IncludedEntry = NonNullable<EnrolmentLink['registration']>;

/**
 * Reads the audit paths of these entries in the log of a checkpoint, in one call.
 *
 * @returns A function that adds an entry's path to it.
 * @throws AppError `logChanged` if an entry or a path isn't what the checkpoint signs.
 */
async function includeEntries(
  log: Pick<LogReader, 'paths'>,
  { org, checkpoint, entries }: { org: string; checkpoint: Checkpoint; entries: StoredEntry[] },
): Promise<(entry: StoredEntry) => IncludedEntry> {
  const byNumber = new Map(entries.map((entry) => [entry.number, entry]));
  const paths = await log.paths(org, [...byNumber.keys()], checkpoint.size);
  const included = new Map(
    [...byNumber.values()].map((entry, at) => [entry.number, toIncluded(entry, paths[at] ?? [], checkpoint)]),
  );
  return ({ number }) => {
    const found = included.get(number);
    if (!found) throw new AppError('logChanged');
    return found;
  };
}

function toIncluded(
  { number, leaf, event, person, salts }: StoredEntry,
  path: string[],
  { origin, size, root }: Checkpoint,
): IncludedEntry {
  const entry = { number, leaf, event, person, salts, path };
  const [hash, org] = [decodeHash(root), orgOf(origin)];
  const isInLog = hash && org && typeof openIncluded(entry, { origin, size, root: hash, org }) !== 'string';
  if (!isInLog) throw new AppError('logChanged');
  return entry;
}

const entriesOf = ({ entry, chain }: Evidence): StoredEntry[] =>
  [entry, ...chain.flatMap(({ registration, vouch }) => [registration, vouch?.entry ?? null])].filter(
    (one) => one !== null,
  );

type Include = (entry: StoredEntry) => IncludedEntry;

/** The in-toto statement of a receipt: what a person decided about this commit, with all that proves it. */
function receiptStatement(
  { origins, now }: { origins: Origins; now: Date },
  evidence: Evidence & { checkpoint: Checkpoint; include: Include },
): ReceiptStatement {
  const { approval, entry, chain, checkpoint, include } = evidence;
  const statement = statementOf(approval);
  const { repo, head } = statement;
  const included = (entry: StoredEntry | null) => entry && include(entry);
  const inToto = {
    _type: 'https://in-toto.io/Statement/v1' as const,
    subject: [{ name: `${origins.githubUrl}/${repo.name}`, digest: { gitCommit: head } }],
  };
  const at = entry.at.toISOString();
  const given = {
    issuer: origins.publicUrl,
    issued: now.toISOString(),
    method: approval.method,
    withdrawn: approval.withdrawn?.toISOString() ?? null,
    assertion: (approval.proof?.assertion ?? null) as ReceiptStatement['predicate']['assertion'],
    publicKey: approval.proof?.publicKey ?? null,
    userVerified: approval.userVerified,
    authenticator: authenticatorOf(approval),
    enrolment: chain.map((link) => ({
      ...link,
      registration: included(link.registration),
      vouch: link.vouch && { ...link.vouch, entry: included(link.vouch.entry) },
    })),
    log: { checkpoint: checkpoint.note, entry: include(entry) },
  };
  const { reason = '', proof } = approval;
  const verdict = entry.person?.facts.verdict ?? null;
  const deployment = { ...inToto, predicateType: DEPLOYMENT_TYPE } as const;
  switch (statement.purpose) {
    case 'approve': {
      // Left out without one, so that other receipts are as they were.
      const batch = proof?.batch && { batch: proof.batch };
      const predicate = { ...given, approved: at, statement, ...batch, verdict };
      return { ...inToto, predicateType: APPROVAL_TYPE, predicate };
    }
    case 'deny':
      return {
        ...inToto,
        predicateType: DENIAL_TYPE,
        predicate: { ...given, denied: at, statement, reason },
      };
    case 'deploy':
      return { ...deployment, predicate: { ...given, decided: at, statement, reason: null, verdict } };
    case 'reject':
      return { ...deployment, predicate: { ...given, decided: at, statement, reason, verdict: null } };
  }
}

const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** Wraps a statement in a DSSE envelope (v1.0) with the server's signature. */
function signEnvelope(key: SigningKey, statement: ReceiptStatement): Envelope {
  const payload = Buffer.from(JSON.stringify(statement));
  const signature = key.sign(preAuthEncoding(PAYLOAD_TYPE, payload));
  return {
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString('base64'),
    signatures: [{ keyid: key.id, sig: Buffer.from(signature).toString('base64') }],
  };
}

/** Makes each read once: the receipts of a page have most of their chains in common. */
function rememberReads({ auditLog, enrolments }: ChainDeps): ChainDeps {
  return {
    auditLog: { ofSubject: onceForEach(auditLog.ofSubject) },
    enrolments: {
      vouches: onceForEach(enrolments.vouches),
      registrations: onceForEach(enrolments.registrations),
      enrolled: onceForEach(enrolments.enrolled),
    },
  };
}

/** Leaves out approvals, denials and decisions whose assertion doesn't verify. */
export function createVerifiedProofs(stored: StoredProofs, onlyVerified: OnlyVerified): ProvedApprovals {
  const verified: StoredProofs = {
    ...stored,
    ofHead: async (orgId, head) => onlyVerified(await stored.ofHead(orgId, head)),
    async inPeriod(period) {
      const { approvals, next } = await stored.inPeriod(period);
      return { approvals: await onlyVerified(approvals), next };
    },
  };
  return verified as ProvedApprovals;
}
