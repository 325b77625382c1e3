import { z } from 'zod';
import { type KeyList, logExport } from '../contract/receipts.ts';
import { auditParts, type ExportPart } from './audit-parts.ts';
import { isBounded } from './bounds.ts';
import { compareWitnesses, type Witness } from './compare-witnesses.ts';
import { failed, toVerification, type Verification } from './findings.ts';
import { NO_KEYS, publicKeysOf, readCheckpoint } from './trusted-log.ts';

export type AuditOptions = {
  /** The server's published key list; null if there is none: then not valid. */
  keyList: KeyList | null;
  /** Checkpoints that another person kept. */
  checkpoints: KeptCheckpoint[];
};

export type KeptCheckpoint = {
  checkpoint: string;
  /** Where it was found: for example the address of a check run. */
  from: string;
  /** Strangers could have written it there: if no published key signed it, it says nothing about the log. */
  isByAnyone?: boolean;
};

type Audit = Verification & {
  /** The first entry that differs: exactly if `from` and `to` are equal, else one of those in between. */
  differs: { from: number; to: number } | null;
};

/** An entry is read in its place, so that the first value that isn't an entry is named. */
const partSchema = logExport.extend({ entries: z.array(z.unknown()) });

/** The values of about 500,000 entries. */
const MOST_VALUES = 20_000_000;

/**
 * Verifies an exported log, and compares it with checkpoints from elsewhere. Names the first entry that differs.
 * Never throws.
 *
 * @param exports What `JSON.parse` made of the files: the parts of one log, in their order.
 */
export async function auditExport(exports: unknown[], options: AuditOptions): Promise<Audit> {
  try {
    return audit(exports, options);
  } catch {
    return refuse('export', 'The export can’t be read.');
  }
}

function audit(exports: unknown[], { keyList, checkpoints }: AuditOptions): Audit {
  if (!keyList) return refuse('keys', NO_KEYS);
  if (!isBounded(exports, MOST_VALUES)) return refuse('export', 'The files are too large or too deep.');
  const unreadable = exports.findIndex((one) => !partSchema.safeParse(one).success);
  if (exports.length === 0 || unreadable >= 0)
    return refuse('export', `File ${unreadable < 0 ? 1 : unreadable + 1} isn’t an exported log.`);
  const keys = publicKeysOf(keyList);
  const witnesses = readWitnesses(exports as ExportPart[], { keys, checkpoints });
  const sizes = new Set(witnesses.flatMap(({ checkpoint }) => checkpoint?.size ?? []));
  // Hashes include members that the schema doesn't name, so the export is read as it was.
  const log = auditParts(exports as ExportPart[], { keys, sizes });
  const compared = compareWitnesses(log, witnesses);
  return {
    ...toVerification([...log.findings, ...compared.findings]),
    // An entry that doesn't fit on its own is named exactly, so it comes before a range.
    differs: log.differs === null ? compared.differs : { from: log.differs, to: log.differs },
  };
}

/** The checkpoints from elsewhere, and the files' own: those of two files may contradict each other, too. */
function readWitnesses(
  exports: ExportPart[],
  { keys, checkpoints }: { keys: { publicKey: Uint8Array }[]; checkpoints: KeptCheckpoint[] },
): Witness[] {
  const own = exports.map(({ checkpoint }, at) => ({ checkpoint, from: `File ${at + 1}`, isOwn: true }));
  const kept = checkpoints.map((one) => ({ ...one, isOwn: false }));
  return [...own, ...kept].map(({ checkpoint, ...found }) => ({
    isByAnyone: false,
    ...found,
    checkpoint: readCheckpoint(checkpoint, keys),
  }));
}

const refuse = (about: string, text: string): Audit => ({
  ...toVerification([failed(about, text)]),
  differs: null,
});
