import { describe, expect, it } from '@jest/globals';
import { type PatternKind, patternFault } from '../../../src/contract/patterns.ts';
import { parsePolicy } from '../../../src/contract/policy.ts';
import { createGlobs } from '../../../src/policies/globs.ts';

describe('a pattern that no name can match', () => {
  it.each<[PatternKind, pattern: string, says: string]>([
    ['paths', './.github/**', 'No name in a path is empty or “.”. Write “.github/**”.'],
    ['paths', 'a/./b//c', 'No name in a path is empty or “.”. Write “a/b/c”.'],
    ['paths', '/', 'No name in a path is empty or “.”. Write “**”.'],
    ['paths', './', 'No name in a path is empty or “.”. Write “**”.'],
    ['paths', '../docs/**', "No path goes up. Write it as GitHub shows it, from the repository's top."],
    [
      'paths',
      '!docs/**',
      "A pattern can't exclude anything. List what the rule is about; “?” stands for a “!”",
    ],
    ['paths', '*.{yml,yaml}', 'Braces have no meaning here. Write “*.yml” and “*.yaml”.'],
    ['paths', '{a, b,c}/*', 'Braces have no meaning here. Write “a/*”, “b/*” and so on.'],
    ['paths', 'v{1..3}', 'Braces have no meaning here. Write “v1” and “v3”.'],
    ['paths', '@(a|b).ts', 'A “|” has no meaning here. Write one pattern for each alternative.'],
    ['paths', '[bad', 'Brackets have no meaning here. Write “?bad”.'],
    ['paths', 'bad]', 'Brackets have no meaning here. Write “bad?”.'],
    ['paths', 'v[0-9].ts', 'Brackets have no meaning here. Write “v?.ts”.'],
    ['paths', '[!a]/x', 'Brackets have no meaning here. Write “?/x”.'],
    ['paths', 'docs\\*.md', 'A “\\” has no meaning here. Write “docs/*.md”.'],
    ['paths', 'a/***/b', 'Three stars have no meaning. Write “a/**/b”.'],
    ['branches', 'refs/heads/main', 'Write “main”.'],
    [
      'branches',
      'my branch',
      "No branch can have “ ” in its name. Write “?” for a character that you don't know.",
    ],
    ['branches', 'a//b', 'No name of a branch has an empty part or “.”. Write “a/b”.'],
    ['repositories', 'octo-org/web', 'Name repositories without their owner. Write “web”.'],
    ['repositories', 'my web', 'The name of a repository has only letters, digits, “.”, “-” and “_”.'],
  ])('in %s, %j: %s', (kind, pattern, says) => {
    expect(patternFault(kind, pattern)?.slice(0, says.length)).toBe(says);
  });

  it.each<[PatternKind, pattern: string, matches: string]>([
    ['paths', '.github/', '.github/x'],
    ['paths', '/docs/**', 'docs/a'],
    ['paths', 'app/(group)/[id].tsx', 'app/(group)/[id].tsx'],
    ['paths', 'app/[[...slug]]/@modal/(.)photo/[user-id]', 'app/[[...slug]]/@modal/(.)photo/[user-id]'],
    ['paths', '{{cookiecutter.name}}/a b+c$.ts', '{{cookiecutter.name}}/a b+c$.ts'],
    ['paths', '**/...', 'a/...'],
    ['branches', 'release/', 'release/1'],
    ['branches', 'user@home/#1', 'user@home/#1'],
    ['repositories', '.github*', '.github'],
    ['repositories', '**', 'web'],
  ])('isn’t one if a name can: %s, %j', (kind, pattern, matches) => {
    expect([patternFault(kind, pattern), createGlobs([pattern])(matches)]).toEqual([null, 'yes']);
  });

  const policy = {
    version: 1,
    rules: [{ name: 'a' }, { name: 'b', when: { branches: ['main'], paths: ['docs/', './.github/**'] } }],
  };

  it('is refused with its place in the policy', () => {
    expect(parsePolicy(policy).fault).toEqual({
      path: ['rules', 1, 'when', 'paths', 1],
      message: 'No name in a path is empty or “.”. Write “.github/**”.',
    });
  });
});
