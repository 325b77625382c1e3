import { base64, base64urlnopad } from '@scure/base';
import { canonical } from '../proofs/bytes.ts';
import { EMPTY, type Frontier } from '../proofs/merkle.ts';
import { appendEntry } from '../proofs/trusted-log.ts';
import type { Clock } from '../shared/clock.ts';
import { giveWay } from '../shared/work.ts';
import type { LogChecks, PublishedKey, RecordedEntry, RecordedLog, SigningKeys } from './ports.ts';

export type CheckLogDeps = {
  recordedLog: RecordedLog;
  organizations: { all(): Promise<Log[]> };
  signingKeys: Pick<SigningKeys, 'published'>;
  /** The first entry of a log that isn't as it was when it was added. */
  onChangedEntry(changed: { id: string; orgRecordId: string }): void;
  clock: Clock;
  /** The entries that one step, or one page of a whole log, reads. Tests take fewer. */
  mostEntries?: number;
};

type Log = { id: string; orgId: number };
/** The log up to here is as OTP Guard wrote it. */
type Position = { frontier: Frontier; last: Pick<RecordedEntry, 'id' | 'checkpoint'> | null };

const START: Position = { frontier: EMPTY, last: null };
/** Verifying a signature takes a millisecond or two, so one step takes about a second of processor time. */
const MOST_ENTRIES = 500;
/** Reading the end of one log counts as this many entries: a thousand empty logs are no single step. */
const ONE_READ = 10;
/** A short log is compared when a person asks about it. It takes a tenth of a second or two. */
const MOST_AT_A_CALL = 100;
/** Other work gets its turn after this many. */
const AT_ONCE = 10;

/**
 * Compares the logs of all organizations with what OTP Guard wrote, a part of them at each call, and begins again when
 * it's through. It finds what was changed in the database; entries that are missing at the end only GitHub's check
 * runs, or a kept checkpoint, can show.
 */
export function createLogChecks(deps: CheckLogDeps): LogChecks & { step(): Promise<void> } {
  const findings = new Map<string, ReturnType<LogChecks['of']>>();
  let waiting: Log[] = [];
  /** The position in the log of the first organization that waits. */
  let position = START;
  const of = (orgRecordId: string) => findings.get(orgRecordId) ?? { checked: null, changed: null };

  const compare = async (org: Log, from: Position, most: number) => {
    const page = await comparePage(deps, org, { from, most });
    const { size, next } = page;
    const before = of(org.id);
    if (page.changed) {
      deps.onChangedEntry({ id: page.changed.id, orgRecordId: org.id });
      findings.set(org.id, { ...before, changed: size + 1 });
      return page;
    }
    // During a later round, the whole of the round before is still what was compared.
    const isFurther = !next || size > (before.checked?.to ?? -1);
    const checked = isFurther ? { to: size, at: deps.clock.now() } : before.checked;
    findings.set(org.id, { checked, changed: next ? before.changed : null });
    return page;
  };

  return {
    of,

    async catchUp(org, size) {
      const { checked, changed } = of(org.id);
      if (size > MOST_AT_A_CALL || changed !== null || checked?.to === size) return;
      await compare(org, START, MOST_AT_A_CALL + 1);
    },

    async step() {
      if (waiting.length === 0) waiting = await deps.organizations.all();
      for (let left = deps.mostEntries ?? MOST_ENTRIES; left > 0; ) {
        const [org] = waiting;
        if (!org) return;
        const from = position;
        // A log that can't be read has its next turn in the next round, after all others.
        waiting.shift();
        position = START;
        const { next, read } = await compare(org, from, left);
        if (next) waiting.unshift(org);
        position = next ?? START;
        left -= Math.max(read, ONE_READ);
      }
    },
  };
}

/**
 * Compares one whole log.
 *
 * @returns The number of entries that are as OTP Guard wrote them, and of the first other entry.
 */
export async function checkWholeLog(
  deps: PageDeps & Pick<CheckLogDeps, 'mostEntries'>,
  org: Log,
): Promise<{ size: number; changed: number | null }> {
  for (let from = START; ; ) {
    const most = deps.mostEntries ?? MOST_ENTRIES;
    const { size, changed, next } = await comparePage(deps, org, { from, most });
    if (!next) return { size, changed: changed && size + 1 };
    from = next;
  }
}

type PageDeps = Pick<CheckLogDeps, 'recordedLog' | 'signingKeys'>;

/** @returns `next` is null after the last page, and after an entry that was changed. */
async function comparePage(
  deps: PageDeps,
  org: Log,
  { from, most }: { from: Position; most: number },
): Promise<{ size: number; changed: RecordedEntry | null; next: Position | null; read: number }> {
  const { frontier: before, last } = from;
  const rows = await deps.recordedLog.after(org.id, last ? before.size - 1 : 0, last ? most + 1 : most);
  // The last one is read again: another one in its place means that a backup was restored, so this begins again.
  const first = last && rows.shift();
  if (last && (first?.id !== last.id || first.checkpoint !== last.checkpoint))
    return comparePage(deps, org, { from: START, most });
  // Read after the entries, so that a key that has just begun to sign is among them.
  const keys = await deps.signingKeys.published();
  const { frontier, changed } = await checkRows(rows, { before, orgId: org.orgId, keys });
  const isThrough = changed !== null || rows.length < most;
  const next = isThrough ? null : { frontier, last: rows.at(-1) ?? last };
  return { size: frontier.size, changed, next, read: rows.length };
}

async function checkRows(
  rows: RecordedEntry[],
  { before, ...log }: Parameters<typeof checkEntry>[1],
): Promise<{ frontier: Frontier; changed: RecordedEntry | null }> {
  let frontier = before;
  for (const [index, row] of rows.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await giveWay();
    const next = checkEntry(row, { before: frontier, ...log });
    if (!next) return { frontier, changed: row };
    frontier = next;
  }
  return { frontier, changed: null };
}

type LogKeys = Pick<PublishedKey, 'publicKey'>[];

/**
 * Compares a stored entry with the log before it.
 *
 * @returns The log with this entry, or null if the entry isn't as OTP Guard wrote it. An erased person isn't a change.
 */
export function checkEntry(
  entry: RecordedEntry,
  { before, orgId, keys }: { before: Frontier; orgId: number; keys: LogKeys },
): Frontier | null {
  try {
    if (entry.number !== before.size + 1 || !isShown(entry)) return null;
    const published = keys.map(({ publicKey }) => ({ publicKey: base64urlnopad.decode(publicKey) }));
    const appended = appendEntry(entry, { before, org: orgId, keys: published });
    if (typeof appended === 'string') return null;
    const nodes = appended.completed.map((node) => base64.encode(node)).join(' ');
    return entry.nodes === nodes ? appended.frontier : null;
  } catch {
    // An entry that has no canonical form, or lacks a field, isn't ours.
    return null;
  }
}

/** Tells whether the dashboard shows the entry as its leaf commits to it. */
function isShown({ number, activity, data, event, person, subject, userGithubId }: RecordedEntry): boolean {
  if (!event || event.number !== number || event.activity !== activity) return false;
  if (canonical(data ?? {}) !== canonical({ ...event.data, ...person?.data })) return false;
  const { by, credential } = person?.facts ?? {};
  const isByThem = !by || userGithubId === null || by.id === userGithubId;
  const isOfCredential =
    !credential || !subject.startsWith('credential:') || subject === `credential:${credential.idSha256}`;
  return isByThem && isOfCredential;
}
