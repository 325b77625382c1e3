// In a pattern only three signs mean something: `*` (anything within one name), `**` (any number of names) and `?` (one
// character). All others are themselves, because files are called `[id].tsx`, `(group)/page.tsx` and `a+b`.

/** The number of steps that matching may still take. One step looks at one sign or name of a pattern. */
export type Work = { steps: number };

/** One path may take this many steps with all patterns of a list: at most a few milliseconds. */
export const MOST_STEPS_OF_A_PATH = 1_000_000;

/**
 * Tells of a path, or of its names, whether at least one of the patterns matches it. A pattern takes at most
 * (its length + 3) × (the path's length + 1) steps. If no steps are left, the answer is `maybe`: a stranger chooses the
 * names of files.
 */
type Globs = (path: string | readonly string[], work?: Work) => Certainty;

export function createGlobs(patterns: readonly string[]): Globs {
  const globs = patterns.map(createGlob);
  return (path, work = { steps: MOST_STEPS_OF_A_PATH }) => {
    const names = typeof path === 'string' ? path.split('/') : path;
    return anyOf(globs, (glob) => {
      const isMatch = matches(glob, names, work);
      return work.steps > 0 ? isTrue(isMatch) : 'maybe';
    });
  };
}

/** Does what `createGlobs` does, for one name that GitHub compares without its case. */
export function createCaselessGlobs(patterns: readonly string[]): (name: string, work?: Work) => Certainty {
  const globs = createGlobs(patterns.map((pattern) => pattern.toLowerCase()));
  return (name, work) => globs(name.toLowerCase(), work);
}

/** A pattern of a path, in names. `**` stands for any number of them. */
type Glob = { names: (NameGlob | '**')[]; lastStar: number };
/** A pattern of one name, in signs. `*` stands for any number of them. */
type NameGlob = { signs: string; lastStar: number };

const STAR = '*'.charCodeAt(0);
const ANY_SIGN = '?'.charCodeAt(0);

function createGlob(written: string): Glob {
  const pattern = written
    // `.github/` means everything below it, and `/docs` is `docs`.
    .replace(/^\/+(?=.)/, '')
    .replace(/(?<=.)\/$/, '/**')
    // `docs/**` also matches `docs`, which can be a link to a folder. `*/**` matches no file at the top.
    .replace(/(?<=^|\/)(?!\*\*\/)([^/]*\*(?:\/\*\*)+)$/, '$1/*');
  const names = pattern.split('/').map((name) => (name === '**' ? name : createNameGlob(name)));
  return { names, lastStar: names.lastIndexOf('**') };
}

function createNameGlob(name: string): NameGlob {
  const signs = name.replace(/\*+/g, '*');
  return { signs, lastStar: signs.lastIndexOf('*') };
}

// The two functions below use two pointers. If a part of the pattern doesn't fit, the star before it takes one more part
// of the text. What follows the last star can only be the end. So a part meets the same sign or name at most once.

function matches({ names, lastStar }: Glob, path: readonly string[], work: Work): boolean {
  let part = 0;
  let at = 0;
  let star = -1;
  let taken = 0;
  while (part < names.length && work.steps > 0) {
    work.steps -= 1;
    const name = names[part] as NameGlob | '**';
    if (name === '**') {
      star = part === lastStar ? -1 : part;
      part += 1;
      if (star < 0) at = Math.max(at, path.length - (names.length - part));
      taken = at;
    } else if (at < path.length && matchesName(name, path[at] as string, work)) {
      part += 1;
      at += 1;
    } else if (star >= 0 && at < path.length) {
      taken += 1;
      at = taken;
      part = star + 1;
    } else return false;
  }
  return part === names.length && at === path.length;
}

function matchesName({ signs, lastStar }: NameGlob, name: string, work: Work): boolean {
  let part = 0;
  let at = 0;
  let star = -1;
  let taken = 0;
  let steps = 0;
  while (part < signs.length && steps < work.steps) {
    steps += 1;
    const sign = signs.charCodeAt(part);
    if (sign === STAR) {
      star = part === lastStar ? -1 : part;
      part += 1;
      if (star < 0) at = Math.max(at, name.length - (signs.length - part));
      taken = at;
    } else if (at < name.length && (sign === ANY_SIGN || sign === name.charCodeAt(at))) {
      part += 1;
      at += 1;
    } else if (star >= 0 && at < name.length) {
      taken += 1;
      at = taken;
      part = star + 1;
    } else break;
  }
  work.steps -= steps;
  return part === signs.length && at === name.length;
}

/** The truth of a statement, as far as we know. */
export type Certainty = 'yes' | 'maybe' | 'no';

export const isTrue = (value: boolean): Certainty => (value ? 'yes' : 'no');

/** Tells whether the condition holds for at least one of the items. */
export function anyOf<T>(items: Iterable<T>, of: (item: T) => Certainty): Certainty {
  let known: Certainty = 'no';
  for (const item of items) {
    const value = of(item);
    if (value === 'yes') return 'yes';
    if (value === 'maybe') known = 'maybe';
  }
  return known;
}

/** Tells whether both conditions hold. */
export function both(one: Certainty, other: Certainty): Certainty {
  if (one === 'no' || other === 'no') return 'no';
  return one === 'yes' ? other : one;
}

/** Tells whether one of the two conditions holds. */
export function either(one: Certainty, other: Certainty): Certainty {
  if (one === 'yes' || other === 'yes') return 'yes';
  return one === 'no' ? other : one;
}
