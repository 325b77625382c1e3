import picomatch from 'picomatch';
import { anyOf, isTrue, type Ternary } from './ternary.ts';

// In a pattern only three signs mean something: `*` (anything within one name), `**` (any number of names) and `?` (one
// character). All others are themselves, because files are called `[id].tsx`, `(group)/page.tsx` and `a+b`.

/** A name that could take more steps isn't matched. */
const MOST_STEPS = 10_000;
const LONGEST_NAME = 4_096;

const OPTIONS = { dot: true, nonegate: true, noextglob: true, nobrace: true, nobracket: true };

export type Globs = (name: string) => Ternary;

/**
 * Tells of a name whether at least one of the patterns matches it. `maybe` if we
 * don't find out: a regular expression can take hours for a name that was made
 * for it, and a stranger chooses the names of files.
 */
export function createGlobs(patterns: readonly string[]): Globs {
  const globs = patterns.map(createGlob);
  const [only] = globs;
  if (only && globs.length === 1) return only;
  return (name) => anyOf(globs, (glob) => glob(name));
}

/** As `createGlobs`, for names that GitHub compares without their case. */
export function createCaselessGlobs(patterns: readonly string[]): Globs {
  const globs = createGlobs(patterns.map((pattern) => pattern.toLowerCase()));
  return (name) => globs(name.toLowerCase());
}

function createGlob(written: string): Globs {
  // `.github/` means everything below it, and `/docs` is `docs`.
  const pattern = written.replace(/^\/+(?=.)/, '').replace(/(?<=.)\/$/, '/**');
  // `.` has to match a line break too, which a file's name can contain.
  const expression = picomatch.makeRe(escapeOthers(pattern), { ...OPTIONS, flags: 's' });
  if (!expression) return () => 'maybe';
  const { start, end } = literalEnds(pattern);
  const next = signsAfterWildcards(pattern);
  const hasTail = /(?<!\/\*)\*$/.test(pattern);
  return (name) => {
    if (!name.startsWith(start) || !name.endsWith(end)) return 'no';
    const isTooMuch = name.length > LONGEST_NAME || stepsOf(name, next, hasTail) > MOST_STEPS;
    return isTooMuch ? 'maybe' : isTrue(expression.test(name));
  };
}

/**
 * What a name has to start and end with: most names are ruled out by that, which
 * is faster. `docs/**` also matches `docs`, which can be a link to a folder.
 */
const literalEnds = (pattern: string) => ({
  start: pattern.replace(/[*?].*$/s, '').replace(/\/$/, ''),
  end: pattern.replace(/^.*[*?]\/?/s, ''),
});

const escapeOthers = (pattern: string) => pattern.replace(/[!-)+,:->@[-^`{-~]/g, '\\$&');

/** The sign after each wildcard that isn't the end. */
const signsAfterWildcards = (pattern: string) =>
  [...pattern.matchAll(/\*+(.)/gsu)].map(([, sign = '']) => sign);

/**
 * How many ways there are to divide the name among the wildcards, at most: a regular expression may try them all. A
 * star at the end of the pattern runs to the end of a folder's name each time.
 */
function stepsOf(name: string, next: string[], hasTail: boolean): number {
  if (next.length === 0 || (next.length < 2 && !hasTail)) return 0;
  const { length } = name;
  if (length ** (next.length + Number(hasTail)) <= MOST_STEPS) return 0;
  const ways = next.reduce((steps, sign) => steps * (1 + (sign === '?' ? length : countOf(sign, name))), 1);
  if (!hasTail) return ways;
  return ways * length <= MOST_STEPS ? 0 : ways * longestPart(name);
}

const longestPart = (name: string) => Math.max(...name.split('/').map((part) => part.length));

function countOf(sign: string, name: string): number {
  let count = 0;
  for (let at = name.indexOf(sign); at >= 0; at = name.indexOf(sign, at + 1)) count += 1;
  return count;
}
