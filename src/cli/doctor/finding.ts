import { countOf } from '../../proofs/trusted-log.ts';
import { inTime, isTooLate } from '../../shared/work.ts';

/**
 * The outcome of one check. `note`: worth knowing, and nothing is broken. `unknown`: it couldn't be checked. `problem`:
 * something doesn't work, or won't.
 */
export type Status = 'ok' | 'note' | 'unknown' | 'problem';

export type Finding = {
  /** The subject of the check, in a word or two. */
  check: string;
  status: Status;
  /** The finding and its remedy: one line without any secret. */
  text: string;
};

/** A finding as a check returns it: `runChecks` adds the name. `causes`: the checks that may find why this is so. */
export type Found = Omit<Finding, 'check'> & { causes?: readonly string[] };

export type Check = { name: string; run(): Promise<Found | Found[]>; limitMs?: number };

export const ok = (text: string): Found => ({ status: 'ok', text });
export const note = (text: string): Found => ({ status: 'note', text });
export const unknown = (text: string): Found => ({ status: 'unknown', text });
export const problem = (text: string): Found => ({ status: 'problem', text });
/** A problem, unless one of these checks finds its cause. */
export const symptom = (text: string, causes: readonly string[]): Found => ({ ...problem(text), causes });

const LIMIT_MS = 10_000;

/** Runs all checks at the same time. Findings are in their order. A check that fails or takes too long is unknown. */
export async function runChecks(checks: readonly Check[]): Promise<Finding[]> {
  const found = await Promise.all(
    checks.map(async ({ name, run, limitMs = LIMIT_MS }) => {
      const all = await withLimit(run, limitMs);
      return [all].flat().map((one) => ({ check: name, ...one }));
    }),
  );
  return explain(found.flat());
}

/** Turns symptoms whose cause was found into notes. The later a check is, the less others explain what it finds. */
function explain(found: (Found & { check: string })[]): Finding[] {
  const problems = found.filter(({ status }) => status === 'problem');
  const wrong = new Set(problems.flatMap(({ check, causes }) => (causes ? [] : [check])));
  const explained = new Set<Found>();
  for (const one of problems.toReversed()) {
    if (one.causes?.some((check) => wrong.has(check))) explained.add(one);
    if (!explained.has(one)) wrong.add(one.check);
  }
  return found.map((one) => {
    const { check, status, text } = one;
    return { check, status: explained.has(one) ? 'note' : status, text };
  });
}

async function withLimit(run: Check['run'], limitMs: number): Promise<Found | Found[]> {
  try {
    return await inTime(limitMs, run);
  } catch (error) {
    if (isTooLate(error)) return unknown(`There was no answer within ${limitMs / 1000} seconds. Try again.`);
    // A library's message can repeat an address with a password.
    const { code, name } = error as NodeJS.ErrnoException;
    return unknown(`It couldn't be checked (${code ?? name}).`);
  }
}

/** The last line: what all findings together amount to. */
export function conclusionOf(findings: readonly Finding[]): string {
  const count = (wanted: Status) => findings.filter(({ status }) => status === wanted).length;
  const [problems, notes, unknowns] = [count('problem'), count('note'), count('unknown')];
  const sentences = [
    problems === 0
      ? 'No problem.'
      : `${countOf(problems, 'problem')}: do what ${problems === 1 ? 'it says' : 'they say'}.`,
    notes > 0 &&
      `${countOf(notes, 'note')}: nothing ${problems > 0 ? 'else ' : ''}is broken, but act on ${notes === 1 ? 'it' : 'them'} before people depend on OTP Guard.`,
    unknowns > 0 && `${countOf(unknowns, 'thing')} couldn't be checked.`,
    problems + notes + unknowns === 0 && 'Nothing is left to do.',
  ];
  return sentences.filter(Boolean).join(' ');
}

/** 1 if there is a problem. */
export const exitCodeOf = (findings: readonly Finding[]): 0 | 1 =>
  findings.some(({ status }) => status === 'problem') ? 1 : 0;
