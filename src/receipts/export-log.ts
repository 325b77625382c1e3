import type { LogReader, StoredEntry } from '../audit/ports.ts';
import type { ExportedEntry } from '../contract/log-entry.ts';
import type { LogExportPage, LogExportRequest } from '../contract/receipts.ts';
import type { Organization } from '../organizations/ports.ts';
import { requireOwner } from '../organizations/require-role.ts';
import type { Session } from '../people/ports.ts';
import { logOrigin } from '../proofs/checkpoint.ts';
import { siblingsOf } from '../proofs/merkle.ts';
import type { ReceiptDeps } from './deps.ts';

const ENTRIES_A_PAGE = 1_000;

/**
 * A period of the organization's log, for owners, with what proves that it belongs to the log of the newest
 * checkpoint; one page at a time.
 *
 * @throws AppError with each refusal of `requireOwner`, and `logChanged`.
 */
export async function exportLog(
  deps: ReceiptDeps,
  input: LogExportRequest & { session: Session },
): Promise<LogExportPage> {
  const org = await requireOwner(deps, input.session, input.orgID);
  const newest = await deps.auditLog.newest(org.id);
  const part = { version: 1, log: newest?.origin ?? originOf(deps, org), org: { id: org.orgId } } as const;
  const nothing = { ...part, checkpoint: newest?.note ?? '', left: [], entries: [], right: [], next: null };
  if (!newest) return nothing;
  const { after = 0 } = input;
  const period = await deps.auditLog.period(org.id, parsePeriod(input));
  if (!period) return nothing;
  // Entries that were added since the checkpoint was read aren't in its log yet.
  const last = Math.min(period.last, newest.size);
  const start = Math.max(period.first - 1, after);
  const most = Math.min(ENTRIES_A_PAGE, last - start);
  const entries = most > 0 ? await deps.auditLog.after(org.id, start, most) : [];
  const end = entries.at(-1)?.number;
  if (end === undefined) return nothing;
  const { left, right } = await proveRange(deps.auditLog, org.id, { start, end, size: newest.size });
  return {
    ...part,
    checkpoint: newest.note,
    left,
    entries: entries.map(toExported),
    right,
    next: end < last ? end : null,
  };
}

/** The subtrees before the range, and the siblings of the audit path of its last entry that are right of it. */
async function proveRange(
  log: LogReader,
  org: string,
  { start, end, size }: { start: number; end: number; size: number },
): Promise<{ left: string[]; right: string[] }> {
  const [left, [path = []]] = await Promise.all([log.frontier(org, start), log.paths(org, [end], size)]);
  const siblings = siblingsOf(end, size);
  return { left, right: path.filter((_, at) => siblings[at]?.isLeft === false) };
}

const originOf = ({ origins }: ReceiptDeps, org: Organization) => logOrigin(origins.publicUrl, org.orgId);

const toExported = ({ number, leaf, event, person, salts, checkpoint }: StoredEntry): ExportedEntry => ({
  number,
  leaf,
  event,
  person,
  salts,
  checkpoint,
});

/** The edges of a period as times; undefined where it's open. */
export const parsePeriod = ({ from, to }: { from?: string | undefined; to?: string | undefined }) => ({
  from: dateOf(from),
  to: dateOf(to),
});

const dateOf = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
