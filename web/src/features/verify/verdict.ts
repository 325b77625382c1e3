import type { Verification } from '../../../../src/proofs/findings.ts';
import type { ReadFile } from './read-file.ts';

/** The findings about one receipt, or about a whole log. */
export type Verdict = Verification & { title: string };

/** A file, or the parts of one log. */
export type Checked = { name: string; verdicts: Verdict[] };

export type CheckInput = {
  files: ReadFile[];
  /** The published key list; undefined if there is none, and then nothing is valid. */
  keys: unknown;
  /** Texts with checkpoints from elsewhere, and where each is from. */
  texts: { text: string; from: string }[];
};

/** `checkpoints` is how many different ones from elsewhere the files were compared with. */
export type CheckResult = { checked: Checked[]; checkpoints: number };

/** A message of the worker to the page. */
export type WorkerMessage = { progress: string } | { result: CheckResult } | { problem: string };
