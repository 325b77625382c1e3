import { base64, base64urlnopad } from '@scure/base';
import { canonical } from '../proofs/bytes.ts';
import { checkpointText } from '../proofs/checkpoint.ts';
import { openEntry } from '../proofs/leaf.ts';
import { appendLeaf, EMPTY, type Frontier, hashLeaf, rootOf } from '../proofs/merkle.ts';
import { isSignedBy, parseNote } from '../proofs/signed-note.ts';
import type { Clock } from '../shared/clock.ts';
import { giveWay } from '../shared/work.ts';
import type { LogChecks, PublishedKey, RecordedEntry, RecordedLog, SigningKeys } from './ports.ts';

export type CheckLogDeps = {
  recordedLog: RecordedLog;
  signingKeys: Pick<SigningKeys, 'published'>;
  /** The first entry of a log that isn't as it was when it was added. */
  onChangedEntry(changed: { id: string; orgRecordId: string }): void;
  clock: Clock;
  /** The entries that one step, or one page of a whole log, reads. Tests take fewer. */
  mostEntries?: number;
};

/** How far a log was compared, and where the next step goes on. */
type Progress = {
  frontier: Frontier;
  /** The last entry that was compared. Another one in its place means that a backup was restored. */
  last: Pick<RecordedEntry, 'id' | 'checkpoint'> | null;
  checked: { to: number; at: Date } | null;
  changed: number | null;
};

/** Verifying a signature takes a millisecond or two, so one step takes about a second of processor time. */
const MOST_ENTRIES = 500;
/** A short log is compared when somebody asks about it. It takes a tenth of a second or two. */
const MOST_AT_A_CALL = 100;
/** Other work gets its turn after this many. */
const AT_ONCE = 10;

/**
 * Compares the logs of all organizations with what OTP Guard wrote, a part of them at each call, and begins again when
 * it's through. It finds what was changed in the database; entries that are missing at the end only GitHub's check
 * runs, or a kept checkpoint, can show.
 */
export function createLogChecks(deps: CheckLogDeps): LogChecks & { step(): Promise<void> } {
  const progress = new Map<string, Progress>();
  let waiting: { id: string; orgId: number }[] = [];

  return {
    of(orgRecordId) {
      const { checked = null, changed = null } = progress.get(orgRecordId) ?? {};
      return { checked, changed };
    },

    async catchUp(org, size) {
      const before = progress.get(org.id) ?? START;
      if (size > MOST_AT_A_CALL || before.changed !== null || before.checked?.to === size) return;
      const keys = await deps.signingKeys.published();
      const whole = { ...before, frontier: EMPTY, last: null };
      const { after } = await checkPart(deps, { org, before: whole, keys, most: MOST_AT_A_CALL + 1 });
      progress.set(org.id, after);
    },

    async step() {
      if (waiting.length === 0) waiting = await deps.recordedLog.organizations();
      const keys = await deps.signingKeys.published();
      for (let left = deps.mostEntries ?? MOST_ENTRIES; left > 0; ) {
        const [org] = waiting;
        if (!org) return;
        const before = progress.get(org.id) ?? START;
        const { after, read, isThrough } = await checkPart(deps, { org, before, keys, most: left });
        progress.set(org.id, after);
        if (isThrough) waiting.shift();
        left -= Math.max(read, ONE_READ);
      }
    },
  };
}

/** Reading the end of one log counts as this many entries: a thousand empty logs are no single step. */
const ONE_READ = 10;
const START: Progress = { frontier: EMPTY, last: null, checked: null, changed: null };

async function checkPart(
  deps: CheckLogDeps,
  input: {
    org: { id: string; orgId: number };
    before: Progress;
    keys: Parameters<typeof checkEntry>[1]['keys'];
    most: number;
  },
): Promise<{ after: Progress; read: number; isThrough: boolean }> {
  const { org, before, keys, most } = input;
  const { frontier, last } = before;
  // The last one is read again: if it isn't there any more, this isn't the log that we began with.
  const rows = await deps.recordedLog.after(org.id, Math.max(frontier.size - 1, 0), most + 1);
  const fresh = last ? rows.slice(1) : rows.slice(0, most);
  const isSameLog = !last || (rows[0]?.id === last.id && rows[0].checkpoint === last.checkpoint);
  if (!isSameLog) return { after: restarted(before), read: rows.length, isThrough: false };
  const found = await checkRows(fresh, { before: frontier, orgId: org.orgId, keys });
  const at = deps.clock.now();
  if (found.changed) {
    deps.onChangedEntry({ id: found.changed.id, orgRecordId: org.id });
    const changed = found.frontier.size + 1;
    return { after: { ...restarted(before), changed }, read: rows.length, isThrough: true };
  }
  const isThrough = fresh.length < most;
  const size = found.frontier.size;
  // During a later round, the whole of the round before is still what was compared.
  const checked = isThrough || size > (before.checked?.to ?? -1) ? { to: size, at } : before.checked;
  const after = isThrough
    ? { ...restarted(before), checked, changed: null }
    : { ...before, frontier: found.frontier, last: fresh.at(-1) ?? last, checked };
  return { after, read: rows.length, isThrough };
}

const restarted = (before: Progress): Progress => ({ ...before, frontier: EMPTY, last: null });

/**
 * Compares one whole log.
 *
 * @returns The number of entries that are as OTP Guard wrote them, and of the first one that isn't.
 */
export async function checkWholeLog(
  {
    recordedLog,
    signingKeys,
    mostEntries = MOST_ENTRIES,
  }: Pick<CheckLogDeps, 'recordedLog' | 'signingKeys' | 'mostEntries'>,
  org: { id: string; orgId: number },
): Promise<{ size: number; changed: number | null }> {
  const keys = await signingKeys.published();
  let frontier = EMPTY;
  for (;;) {
    const rows = await recordedLog.after(org.id, frontier.size, mostEntries);
    const found = await checkRows(rows, { before: frontier, orgId: org.orgId, keys });
    frontier = found.frontier;
    if (found.changed) return { size: frontier.size, changed: frontier.size + 1 };
    if (rows.length < mostEntries) return { size: frontier.size, changed: null };
  }
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
    if (entry.number !== before.size + 1 || !openEntry(entry) || !isShown(entry)) return null;
    const { frontier, completed } = appendLeaf(before, hashLeaf(Buffer.from(entry.leaf)));
    const nodes = completed.map((node) => base64.encode(node)).join(' ');
    return entry.nodes === nodes && isSigned(entry, { frontier, orgId, keys }) ? frontier : null;
  } catch {
    // An entry that has no canonical form, or lacks a field, isn't ours.
    return null;
  }
}

/** Whether the dashboard shows of the entry what its leaf commits to. */
function isShown({ number, activity, data, event, person, subject, userGithubId }: RecordedEntry): boolean {
  if (!event || event.number !== number || event.activity !== activity) return false;
  if (canonical(data ?? {}) !== canonical({ ...event.data, ...person?.data })) return false;
  const { by, credential } = person?.facts ?? {};
  const isByThem = !by || userGithubId === null || by.id === userGithubId;
  const isOfCredential =
    !credential || !subject.startsWith('credential:') || subject === `credential:${credential.idSha256}`;
  return isByThem && isOfCredential;
}

function isSigned(
  { checkpoint, event }: RecordedEntry,
  { frontier, orgId, keys }: { frontier: Frontier; orgId: number; keys: LogKeys },
): boolean {
  const note = parseNote(checkpoint);
  const origin = event?.log ?? '';
  return (
    note !== null &&
    origin.endsWith(`/log/${orgId}`) &&
    note.text === checkpointText({ origin, size: frontier.size, root: rootOf(frontier) }) &&
    isSignedBy(
      note,
      origin,
      keys.map(({ publicKey }) => base64urlnopad.decode(publicKey)),
    )
  );
}
