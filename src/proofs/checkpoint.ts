import { base64 } from '@scure/base';
import { decodeBase64 } from './bytes.ts';
import type { Hash } from './merkle.ts';
import { parseNote, type SignedNote } from './signed-note.ts';

/** A log at one size: C2SP tlog-checkpoint. */
export type CheckpointBody = {
  /** The name of the log: the server's host, `/log/`, and GitHub's id of the organization. */
  origin: string;
  size: number;
  root: Hash;
};

/** The name of an organization's log. @param publicUrl The dashboard's origin. */
export const logOrigin = (publicUrl: string, orgId: number): string =>
  `${new URL(publicUrl).host}/log/${orgId}`;

/** The text that a checkpoint signs. */
export const checkpointText = ({ origin, size, root }: CheckpointBody): string =>
  `${origin}\n${size}\n${base64.encode(root)}\n`;

/** Null if this isn't a checkpoint. Nothing is verified: `isSignedBy` does that. */
export function parseCheckpoint(text: string): { body: CheckpointBody; note: SignedNote } | null {
  const note = parseNote(text);
  const [origin = '', size = '', root = '', ...rest] = note?.text.split('\n') ?? [];
  // We sign no extension lines, so a checkpoint that has some isn't ours.
  if (!note || origin === '' || !/^(0|[1-9]\d{0,14})$/.test(size) || rest.join() !== '') return null;
  const hash = decodeHash(root);
  return hash && { body: { origin, size: Number(size), root: hash }, note };
}

/** Null if this isn't the base64 form of a SHA-256 hash. */
export function decodeHash(text: string): Hash | null {
  const bytes = decodeBase64(text);
  return bytes?.length === 32 ? bytes : null;
}

/** The characters that are read: a check run's summary has at most 65,535. */
const LONGEST = 1_000_000;
const CHECKPOINT = /^\S+\/log\/\d+\n\d+\n[A-Za-z0-9+/]{43}=\n\n(?:— \S+ [A-Za-z0-9+/=]+\n)+/gmu;

/**
 * The checkpoints in a text around them: a check run's summary, an e-mail, or a file that an editor saved with other
 * ends of lines. Nothing is verified.
 */
export function findCheckpoints(text: string): string[] {
  const lines = `${text.slice(0, LONGEST).replaceAll('\r\n', '\n')}\n`;
  return Array.from(lines.matchAll(CHECKPOINT), ([found]) => found);
}
