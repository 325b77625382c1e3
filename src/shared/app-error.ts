import { type ProblemCode, problems } from '../contract/problems.ts';

/** The sentence for `githubUnavailable` if we know how long GitHub's limits keep us from asking. */
export function limitReached(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const when = minutes > 1 ? `${minutes} minutes` : 'a minute';
  return `OTP Guard has reached GitHub's rate limit. Nothing is lost: try again in ${when}.`;
}

/** The sentence for `storeUnavailable` if the record store answers, and can't write. */
export const STORE_FULL =
  "OTP Guard can't save anything: the disk of its record store may be full. Its operator has to make room, then try again.";

/** The only error that people see: `message` is the sentence they read, `cause` goes only to the log. */
export class AppError extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  /** Seconds until the same request may be made again, if known. */
  readonly retryAfter: number | undefined;
  /** The number of wrong codes left until codes are locked; only with errors about a code. */
  readonly triesLeft: number | undefined;
  /** GitHub's own sentence, if it refuses us: for owners and operators. */
  readonly reason: string | undefined;

  constructor(
    code: ProblemCode,
    options: {
      sentence?: string;
      cause?: unknown;
      retryAfter?: number;
      triesLeft?: number;
      reason?: string;
    } = {},
  ) {
    const [status, sentence] = problems[code];
    super(options.sentence ?? sentence, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = status;
    this.retryAfter = options.retryAfter;
    this.triesLeft = options.triesLeft;
    this.reason = options.reason;
  }
}

/** Why the product can't start: one sentence for the operator, shown without a stack. */
export class StartError extends Error {}

/** Tells whether an error is that of a full disk, in the words of SQLite, Go or the system. */
export const isDiskFull = (message: string): boolean =>
  /disk is full|no space left|ENOSPC|disk quota/i.test(message);

/** The record store's files are damaged, so starting again can't help. */
export class DamagedStore extends StartError {}
