import { describe, expect, it } from '@jest/globals';
import { limitPatches, MOST_PATCH_CHARACTERS, marksOf } from '../../../src/approvals/approve/file-marks.ts';
import type { ListedFile } from '../../../src/contract/approvals.ts';

const aFile = (change: Partial<ListedFile> = {}): ListedFile => ({
  path: 'src/app.ts',
  previousPath: null,
  status: 'modified',
  sha: 'a1'.repeat(20),
  additions: 2,
  deletions: 1,
  kind: 'text',
  patch: { text: '+a', isCut: false, isHiding: false },
  ...change,
});

describe('the strong marks of a changed file', () => {
  it.each<[string, Partial<ListedFile> & { rules?: string[] }, string[]]>([
    ['of a usual kind', {}, []],
    ['that is a workflow', { path: '.github/workflows/ci.yml' }, ['Workflow']],
    ['that was a workflow', { path: 'ci.yml', previousPath: '.github/workflows/ci.yml' }, ['Workflow']],
    ['below .github', { path: '.github/dependabot.yml' }, ['GitHub settings']],
    ['with the code owners', { path: '.github/CODEOWNERS' }, ['Code owners']],
    ['with the code owners at the top', { path: 'CODEOWNERS' }, ['Code owners']],
    ['that only ends like the code owners', { path: 'src/CODEOWNERS' }, []],
    ['that is a submodule', { kind: 'submodule' }, ['Submodule']],
    ['with a hidden character in its name', { path: 'a\u200b.ts' }, ['Hidden characters']],
    ['with a hidden character in its former name', { previousPath: 'a\u202e.ts' }, ['Hidden characters']],
    [
      'whose text hides something after what is shown',
      { patch: { text: '+a', isCut: true, isHiding: true } },
      ['Hidden characters'],
    ],
    ['that rules name', { rules: ['two eyes', 'owners'] }, ['Rule: two eyes', 'Rule: owners']],
  ])('are known if it is one %s', (_, change, names) => {
    expect(marksOf(aFile(change))).toEqual(names.map((name) => ({ name, isStrong: true })));
  });
});

describe('the weak mark of a changed file', () => {
  it.each<[string, Partial<ListedFile>, string[]]>([
    ['that locks', { path: 'web/package-lock.json' }, ['Lock file']],
    ['that locks in Rust', { path: 'Cargo.lock' }, ['Lock file']],
    ['that locks in Go', { path: 'go.sum' }, ['Lock file']],
    ['that only sounds like a lock', { path: 'src/clock.ts' }, []],
    ['that GitHub doesn’t show', { kind: 'unshown', patch: null }, ['Not shown as text']],
  ])('is known if it is one %s', (_, change, names) => {
    expect(marksOf(aFile(change))).toEqual(names.map((name) => ({ name, isStrong: false })));
  });
});

describe('the patches of an answer', () => {
  const text = 'a'.repeat(MOST_PATCH_CHARACTERS / 4);
  const long = (path: string) => aFile({ path, patch: { text, isCut: false, isHiding: false } });

  it('are left out once they are too much, those of strongly marked files last', () => {
    const files = [...'abcd']
      .map(long)
      .concat(long('.github/workflows/z.yml'), aFile({ path: 'logo', patch: null }));
    const limited = limitPatches(files);
    expect(limited.map(({ path }) => path)).toEqual(files.map(({ path }) => path));
    expect(limited.map(({ patch }) => patch && [patch.text.length, patch.isCut])).toEqual([
      ...Array.from({ length: 3 }, () => [text.length, false]),
      [0, true],
      [text.length, false],
      null,
    ]);
  });

  it('take no mark with them if they are left out', () => {
    const workflows = [...'abcd'].map((name) => long(`.github/workflows/${name}.yml`));
    const hiding = aFile({ patch: { text: '+a', isCut: true, isHiding: true } });
    const [file] = limitPatches([...workflows, hiding]).slice(-1);
    expect(file?.patch?.text).toBe('');
    expect(file && marksOf(file)).toEqual([{ name: 'Hidden characters', isStrong: true }]);
  });
});
