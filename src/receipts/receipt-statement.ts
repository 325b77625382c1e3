import type { Checkpoint, StoredEntry } from '../audit/ports.ts';
import { PREDICATE_TYPE, type ReceiptPredicate, type ReceiptStatement } from '../contract/receipts.ts';
import type { Statement } from '../contract/statement.ts';
import type { Origins } from '../links.ts';
import { authenticatorOf, type Evidence } from './evidence.ts';
import type { IncludedEntry } from './include-entries.ts';

type Include = (entry: StoredEntry) => IncludedEntry;

/** The in-toto statement of a receipt: that a person approved this commit, with all that proves it. */
export function receiptStatement(
  { origins, now }: { origins: Origins; now: Date },
  evidence: Evidence & { checkpoint: Checkpoint; include: Include },
): ReceiptStatement {
  const { approval, entry, chain, checkpoint, include } = evidence;
  const statement = approval.statement as Statement;
  const included = (one: StoredEntry | null) => one && include(one);
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: `${origins.githubUrl}/${statement.repo.name}`, digest: { gitCommit: statement.head } }],
    predicateType: PREDICATE_TYPE,
    predicate: {
      issuer: origins.publicUrl,
      issued: now.toISOString(),
      method: approval.method,
      approved: entry.at.toISOString(),
      withdrawn: approval.withdrawn?.toISOString() ?? null,
      statement,
      // Left out without one, so that other receipts are as they were.
      ...(approval.proof?.batch && { batch: approval.proof.batch }),
      assertion: (approval.proof?.assertion ?? null) as ReceiptPredicate['assertion'],
      publicKey: approval.proof?.publicKey ?? null,
      userVerified: approval.userVerified,
      authenticator: authenticatorOf(approval),
      enrolment: chain.map((link) => ({
        ...link,
        registration: included(link.registration),
        vouch: link.vouch && { ...link.vouch, entry: included(link.vouch.entry) },
      })),
      verdict: entry.person?.facts.verdict ?? null,
      log: { checkpoint: checkpoint.note, entry: include(entry) },
    },
  };
}
