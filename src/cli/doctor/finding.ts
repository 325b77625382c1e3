/**
 * What one check found. `note`: worth knowing, and nothing is broken. `unknown`: it couldn't be checked. `problem`:
 * something doesn't work, or won't.
 */
export type Status = 'ok' | 'note' | 'unknown' | 'problem';

export type Finding = {
  /** What was checked, in a word or two. */
  check: string;
  status: Status;
  /** What was found, and what to do about it: one line without any secret. */
  text: string;
};

/** What a check returns: `runChecks` adds its name. */
export type Found = Omit<Finding, 'check'>;

export type Check = { name: string; run(): Promise<Found | Found[]>; limitMs?: number };

export const ok = (text: string): Found => ({ status: 'ok', text });
export const note = (text: string): Found => ({ status: 'note', text });
export const unknown = (text: string): Found => ({ status: 'unknown', text });
export const problem = (text: string): Found => ({ status: 'problem', text });
