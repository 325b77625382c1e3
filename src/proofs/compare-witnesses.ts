import type { AuditedLog } from './audit-parts.ts';
import { equalBytes } from './bytes.ts';
import { type Finding, findingsAbout } from './findings.ts';
import { count, countEntries, countOf, type TrustedCheckpoint } from './trusted-log.ts';

const { proved, claimed, failed } = findingsAbout('witness');
const leftOut = findingsAbout('ignored');

export type Witness = {
  /** Null if no published key signed it. */
  checkpoint: TrustedCheckpoint | null;
  from: string;
  /** True if the checkpoint is an exported file's own. */
  isOwn: boolean;
  isByAnyone: boolean;
};

type Trusted = Witness & { checkpoint: TrustedCheckpoint };
type Compared = { findings: Finding[]; differs: { from: number; to: number } | null };

/** Compares a verified log with the checkpoints that others kept of it. */
export function compareWitnesses(log: AuditedLog, witnesses: Witness[]): Compared {
  const trusted = witnesses
    .filter((one): one is Trusted => one.checkpoint?.org === log.org)
    .sort((one, other) => one.checkpoint.size - other.checkpoint.size);
  const foreign = trusted.filter(({ isOwn }) => !isOwn);
  const comparable = trusted.filter(({ checkpoint }) => log.roots.has(checkpoint.size));
  const matching = comparable.filter((one) => isMatch(log, one));
  const first = comparable.find((one) => !isMatch(log, one));
  const range = first && rangeBefore(first, matching);
  const largest = foreign.at(-1);
  const isRolledBack = largest !== undefined && log.size > 0 && largest.checkpoint.size > log.size;
  const findings = [
    ...(first && range ? [mismatch(first, range)] : []),
    ...(isRolledBack ? [rollback(log, largest)] : []),
    ...describe(log, { foreign, matching: first ? [] : matching.filter(({ isOwn }) => !isOwn) }),
    ...ignored(log, witnesses),
  ];
  const missing = isRolledBack ? { from: log.size + 1, to: largest.checkpoint.size } : null;
  return { findings, differs: range ?? missing };
}

const isMatch = ({ roots }: AuditedLog, { checkpoint }: Trusted): boolean => {
  const root = roots.get(checkpoint.size);
  return root !== undefined && equalBytes(root, checkpoint.root);
};

/** A log that has another entry has another root at each size from there on. */
function rangeBefore({ checkpoint }: Trusted, matching: Trusted[]): { from: number; to: number } {
  const smaller = matching.filter((one) => one.checkpoint.size < checkpoint.size);
  return { from: (smaller.at(-1)?.checkpoint.size ?? 0) + 1, to: checkpoint.size };
}

function mismatch({ checkpoint, from }: Trusted, range: { from: number; to: number }): Finding {
  const which =
    range.from === range.to
      ? `Entry ${count(range.to)}`
      : `One of the entries ${count(range.from)} to ${count(range.to)}`;
  const shown = `the checkpoint of ${countEntries(checkpoint.size)} has another root`;
  return failed(`${which} differs from what ${from} shows: ${shown}. The log was rewritten.`);
}

function rollback({ size }: AuditedLog, { checkpoint, from }: Trusted): Finding {
  const text = `${from} shows ${countEntries(checkpoint.size)}, this log has ${count(size)}`;
  const next = 'If a new export has no more, the log was rolled back.';
  return failed(`${text}: entries are missing, or this export is older than that. ${next}`);
}

function describe(
  log: AuditedLog,
  { foreign, matching }: { foreign: Trusted[]; matching: Trusted[] },
): Finding[] {
  if (log.to === log.from || log.differs !== null) return [];
  const newest = matching.at(-1);
  if (!newest) {
    if (foreign.length > 0)
      return foreign.some((one) => log.roots.has(one.checkpoint.size)) ? [] : [nothingFits];
    const text =
      'The log was compared with no checkpoint from elsewhere: only the server says that nothing was';
    return [claimed(`${text} rewritten or taken away.`)];
  }
  const reached = newest.checkpoint.size;
  const text =
    matching.length === 1
      ? `1 checkpoint from elsewhere matches (${newest.from}), with`
      : `${count(matching.length)} checkpoints from elsewhere match, the largest (${newest.from}) with`;
  const outside = foreign.filter(
    ({ checkpoint }) => !log.roots.has(checkpoint.size) && checkpoint.size <= log.size,
  );
  return [
    proved(`${text} ${countEntries(reached)}: nothing before it was rewritten.`),
    ...(reached < log.to ? [claimed(later(reached, log.to))] : []),
    ...(outside.length > 0
      ? [claimed(`${notCompared(outside.length)} of a size that these files don’t cover.`)]
      : []),
  ];
}

const nothingFits = failed(
  'None of the checkpoints from elsewhere is of a size that these files cover. Export the whole log.',
);

const later = (reached: number, to: number) =>
  reached + 1 === to
    ? `Only the server says that entry ${count(to)} wasn’t rewritten.`
    : `For the entries ${count(reached + 1)} to ${count(to)}, only the server says that nothing was rewritten.`;

const notCompared = (number: number) => `Not compared: ${countOf(number, 'checkpoint')}`;

/** A server whose keys were taken away begins a new log with a new key, and nothing older would contradict it. */
const unknownKey = ({ from }: Witness) =>
  failed(
    `No published key signed the checkpoint of ${from}: the key list isn’t of that time, the server’s keys were ` +
      'exchanged, or it’s a forgery. Use a list that was saved then.',
  );

/** Leaves out what anyone may have written into a check run or a file, which proves nothing. */
function ignored({ org }: AuditedLog, witnesses: Witness[]): Finding[] {
  const given = witnesses.filter(({ isOwn }) => !isOwn);
  const allUnsigned = given.filter(({ checkpoint }) => checkpoint === null);
  const unsigned = allUnsigned.length;
  const foreign = allUnsigned.find(({ isByAnyone }) => !isByAnyone);
  const others = given.filter(({ checkpoint }) => checkpoint !== null && checkpoint.org !== org).length;
  const findings = [];
  if (foreign) findings.push(unknownKey(foreign));
  if (unsigned > 0) findings.push(leftOut.claimed(`${notCompared(unsigned)} that no published key signed.`));
  if (others > 0) findings.push(leftOut.claimed(`${notCompared(others)} of another log.`));
  if (given.length > 0 && unsigned + others === given.length)
    findings.push(failed('None of the checkpoints from elsewhere is one of this log.'));
  return findings;
}
