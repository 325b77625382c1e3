/** The subject of a rule's pattern, if the rule is about pull requests. */
export type PatternKind = 'repositories' | 'branches' | 'paths';

type AnyKind = PatternKind | 'environments' | 'refs';

/**
 * Why no name can match a pattern, and what to write instead; null if one can. In a pattern only `*`, `**` and `?` mean
 * something, and people bring other signs from gitignore files, shells and regular expressions.
 */
export function patternFault(kind: AnyKind, pattern: string): string | null {
  if (pattern.startsWith('!'))
    return "A pattern can't exclude anything. List what the rule is about; “?” stands for a “!” in a name.";
  if (pattern.includes('\\')) return `A “\\” has no meaning here. ${write(pattern.replace(/\\+/g, '/'))}`;
  const [alternatives, inside = ''] = /\{([^{}]*(?:,|\.\.)[^{}]*)\}/.exec(pattern) ?? [];
  if (alternatives)
    return `Braces have no meaning here. ${write(...inside.split(/,|\.\./).map((one) => pattern.replace(alternatives, one.trim())))}`;
  if (/\([^()]*\|/.test(pattern)) return 'A “|” has no meaning here. Write one pattern for each alternative.';
  const [brackets] = /\[(?:[!^]|a-z|A-Z|[0-9]-[0-9])[^\]]*\]?/.exec(pattern) ?? unpaired(pattern) ?? [];
  if (brackets) return `Brackets have no meaning here. ${write(pattern.replace(brackets, '?'))}`;
  if (pattern.includes('***'))
    return `Three stars have no meaning. ${write(pattern.replace(/\*{3,}/g, '**'))}`;
  return faultOf[kind](pattern);
}

/** A bracket that no other one belongs to. `[id].tsx` and `[[...slug]]` are names of files. */
function unpaired(pattern: string): RegExpExecArray | null {
  const hidden = pattern.replace(/\[+[^[\]]*\]+/g, (pair) => '_'.repeat(pair.length));
  return /[[\]]/.exec(hidden);
}

const faultOf: Record<AnyKind, (pattern: string) => string | null> = {
  paths(pattern) {
    const names = namesOf(pattern);
    if (names.includes('..'))
      return "No path goes up. Write it as GitHub shows it, from the repository's top.";
    return isUsable(names) ? null : `No name in a path is empty or “.”. ${write(usable(names))}`;
  },
  branches(pattern) {
    if (pattern.startsWith('refs/heads/')) return write(pattern.slice('refs/heads/'.length));
    const [sign] = /[\s~^:[\]]|\.\.|@\{/.exec(pattern) ?? [];
    if (sign)
      return `No branch can have “${sign}” in its name. Write “?” for a character that you don't know.`;
    const names = namesOf(pattern);
    return isUsable(names) ? null : `No name of a branch has an empty part or “.”. ${write(usable(names))}`;
  },
  refs(pattern) {
    if (pattern.startsWith('refs/tags/')) return write(pattern.slice('refs/tags/'.length));
    return faultOf.branches(pattern);
  },
  environments: (pattern) =>
    isUsable(namesOf(pattern))
      ? null
      : `No part of a name is empty or “.”. ${write(usable(namesOf(pattern)))}`,
  repositories(pattern) {
    const names = namesOf(pattern).filter((name) => name !== '**');
    if (names.length > 1) return `Name repositories without their owner. ${write(names.at(-1) || '*')}`;
    return /[^A-Za-z0-9._*?/-]/.test(pattern)
      ? 'The name of a repository has only letters, digits, “.”, “-” and “_”.'
      : null;
  },
};

/** Slashes at the beginning change nothing, and one at the end means everything below. */
const namesOf = (pattern: string) =>
  pattern
    .replace(/^\/+(?=.)/, '')
    .replace(/(?<=.)\/$/, '/**')
    .split('/');

const isUsable = (names: string[]) => names.every((name) => name !== '' && name !== '.');

const usable = (names: string[]) => names.filter((name) => name !== '' && name !== '.').join('/') || '**';

function write(...patterns: string[]): string {
  const [one, other, ...more] = patterns.map((pattern) => `“${pattern}”`);
  if (!other) return `Write ${one}.`;
  return more.length === 0 ? `Write ${one} and ${other}.` : `Write ${one}, ${other} and so on.`;
}
