import { describe, expect, it } from '@jest/globals';
import { createCaselessGlobs, createGlobs } from '../../../src/policies/globs.ts';

describe('a pattern', () => {
  it.each([
    ['*.ts', 'a.ts', 'yes'],
    ['*.ts', 'src/a.ts', 'no'],
    ['**/*.ts', 'a.ts', 'yes'],
    ['**/*.ts', 'src/deep/a.ts', 'yes'],
    ['**', '.github/workflows/x.yml', 'yes'],
    ['*', '.env', 'yes'],
    ['.github/', '.github/workflows/x.yml', 'yes'],
    ['.github/', '.githubx/y', 'no'],
    ['.github/**', '.github', 'yes'],
    ['/.github/', '.github/x', 'yes'],
    ['Makefile', 'Makefile', 'yes'],
    ['**/Makefile', 'Makefile', 'yes'],
    ['a/**/b', 'a/b', 'yes'],
    ['/docs/*', 'docs/a', 'yes'],
    ['src/**/test/*', 'src/a/b/test/c', 'yes'],
    ['src/**/test/*', 'src/test/c', 'yes'],
    ['a?c', 'abc', 'yes'],
    ['a?c', 'a/c', 'no'],
    // What means something to a shell is itself.
    ['app/(group)/[id].tsx', 'app/(group)/[id].tsx', 'yes'],
    ['[ab].ts', 'a.ts', 'no'],
    ['!docs/**', 'src/a', 'no'],
    ['!docs/**', '!docs/a', 'yes'],
    ['{a,b}', 'a', 'no'],
    ['{a,b}', '{a,b}', 'yes'],
    ['+(a)', 'aa', 'no'],
    ['a+b\\c|d^$', 'a+b\\c|d^$', 'yes'],
    ['docs/*', 'docs/Überblick.md', 'yes'],
    // A line break in a name must not hide a file.
    ['.github/**', '.github/work\nflows/x', 'yes'],
    ['*', 'a\nb', 'yes'],
  ])('%j matches %j: %s', (pattern, name, answer) => {
    expect(createGlobs([pattern])(name)).toBe(answer);
  });

  it('is one of several, and capitals don’t matter where GitHub ignores them', () => {
    expect(createGlobs(['a', 'b*'])('bc')).toBe('yes');
    expect(createGlobs(['a', 'b*'])('Bc')).toBe('no');
    expect(createCaselessGlobs(['Web-*'])('WEB-x')).toBe('yes');
  });

  it('gives up on a name that was made to take for ever', () => {
    expect(createGlobs(['*a*a*a*a*a*a*b'])(`${'a'.repeat(300)}b`)).toBe('maybe');
    expect(createGlobs(['**/a/**/a/**/a/**/a/**/b'])(`${'a/'.repeat(1_000)}b`)).toBe('maybe');
    expect(createGlobs(['**/*'])('a/'.repeat(3_000))).toBe('maybe');
    // One letter between two stars is enough: each place where it stands is tried up to the end of the name.
    for (const pattern of ['*a*', '**a*', '*a**', '?a*a*'])
      expect([pattern, createGlobs([pattern])(`${'a'.repeat(2_000)}/x`)]).toEqual([pattern, 'maybe']);
    const long = `modules/accounts/${'src/main/java/org/example/'.repeat(4)}TestOfAnAccountThatHasALongNameIt.java`;
    expect(createGlobs(['**/*Account*'])(long)).toBe('yes');
    expect(createGlobs(['**/*Secret*', 'modules/*/*x*'])(long)).toBe('no');
    expect(
      createGlobs(['services/*/deploy/**/*.yml'])(`services/web/deploy/${'deep/'.repeat(30)}x.yml`),
    ).toBe('yes');
  });
});
