import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { matchFiles } from '../../../src/policies/details-to-read.ts';
import { type Certainty, createCaselessGlobs, createGlobs } from '../../../src/policies/globs.ts';
import { aPull } from '../../support/fakes.ts';
import { aPolicy } from '../../support/policies.ts';

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
    // A character that means something to a shell is itself.
    ['app/(group)/[id].tsx', 'app/(group)/[id].tsx', 'yes'],
    ['[ab].ts', 'a.ts', 'no'],
    ['!docs/**', 'src/a', 'no'],
    ['!docs/**', '!docs/a', 'yes'],
    ['{a,b}', 'a', 'no'],
    ['{a,b}', '{a,b}', 'yes'],
    ['+(a)', 'aa', 'no'],
    ['a+b\\c|d^$', 'a+b\\c|d^$', 'yes'],
    ['docs/*', 'docs/Überblick.md', 'yes'],
    // An entry below a folder can be a link that has the folder's name. A file isn't a folder of any name.
    ['docs/', 'docs', 'yes'],
    ['**/docs/**', 'docs', 'yes'],
    ['*/', 'Makefile', 'no'],
    ['**/*/**', 'Makefile', 'no'],
    ['**/*', 'Makefile', 'yes'],
    ['a*/**', 'ab/c/d', 'yes'],
    ['**/b*c/*.ts', 'a/bc/b-c/x.ts', 'yes'],
    ['**/b/*.ts', 'b/a/x.ts', 'no'],
    ['a*b*c', 'a-b-b-c', 'yes'],
    ['ab*b', 'ab', 'no'],
    ['a?*', 'a', 'no'],
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

  const sign = fc.constantFrom('*', '**', '/', '?', 'a', 'aa', 'b', 'a/', '**/', '*a');
  const patterns = fc.array(sign, { minLength: 1, maxLength: 100 }).map((signs) => signs.join(''));
  const path = fc
    .tuple(fc.array(fc.constantFrom('a', 'aa', 'a/', 'b', '/', 'aaab'), { minLength: 1 }), fc.nat(60))
    .map(([signs, times]) => signs.join('').repeat(times + 1));

  it('takes no more than a fixed number of steps for each character of any path', () => {
    const runs = { numRuns: process.env.SOAK ? 100_000 : 1_000 };
    fc.assert(
      fc.property(patterns, path, (pattern, name) => {
        const work = { steps: Number.MAX_SAFE_INTEGER };
        createGlobs([pattern])(name, work);
        const steps = Number.MAX_SAFE_INTEGER - work.steps;
        expect(steps).toBeGreaterThan(0);
        expect(steps).toBeLessThanOrEqual((pattern.length + 3) * (name.length + 1));
      }),
      runs,
    );
  });

  it('may match if no steps are left, unless another one is known to match', () => {
    const globs = createGlobs(['x', `*${'a'.repeat(98)}b*c`]);
    const name = 'a'.repeat(4_000);
    expect([globs(name, { steps: 100_000 }), globs(name, { steps: 500_000 })]).toEqual(['maybe', 'no']);
    expect([globs('x', { steps: 2 }), globs('x', { steps: 3 })]).toEqual(['maybe', 'yes']);
    // A path alone takes no more than its share either.
    expect(createGlobs(Array(100).fill(`*${'a'.repeat(98)}b*c`))(name)).toBe('maybe');
  });
});

describe('the files of a pull request', () => {
  const HOSTILE = `*${'a'.repeat(98)}b*c`;
  const match = (rules: object[], paths: string[], isComplete = true) =>
    matchFiles(aPolicy(rules), aPull(), { paths, isComplete });
  const asking = (...paths: string[]) => ({ when: { paths } });
  const askingNone = (...paths: string[]) => ({ when: { paths }, require: { approvals: 0 } });

  it('match a rule if one of them does, and all of them a rule with 0 approvals', async () => {
    const rules = [
      asking('a'),
      asking('c'),
      askingNone('?'),
      askingNone('a'),
      { when: { branches: ['next'], paths: ['a'] } },
      {},
    ];
    const found = (some: Certainty, none: Certainty) => [
      ['rule 1', 'yes'],
      ['rule 2', some],
      ['rule 3', none],
      ['rule 4', 'no'],
    ];
    expect([...(await match(rules, ['a', 'b']))]).toEqual(found('no', 'yes'));
    expect([...(await match(rules, ['a', 'b'], false))]).toEqual(found('maybe', 'no'));
  });

  it('may match beyond a limit of steps, for which others needn’t wait', async () => {
    const paths = Array.from({ length: 100 }, (_, at) => `${at}${'a'.repeat(4_000)}`);
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const found = await match(
      [asking(HOSTILE), askingNone('[0-9]*', '*'), asking('x'), asking('0*')],
      [...paths, 'x'],
    );
    isDone = true;
    expect([...found.values()]).toEqual(['maybe', 'no', 'maybe', 'yes']);
    expect(turns).toBeGreaterThanOrEqual(15);
  });

  it('are each decided if they have the number and length that GitHub lists, and the patterns ordinary', async () => {
    const deep = `k8s/${`prod-${'x'.repeat(60)}/`.repeat(3)}`;
    const paths = Array.from({ length: 3_000 }, (_, at) => `${deep}${at}.json`);
    const rules = Array.from({ length: 20 }, () => asking('**/*prod*/**/*.y*ml', '**/*.tf', 'infra/'));
    expect([...new Set((await match(rules, paths)).values())]).toEqual(['no']);
    expect([...new Set((await match(rules, [...paths, `${deep}x.yaml`])).values())]).toEqual(['yes']);
  });
});
