import type { FileMark, ListedFile } from '../../contract/approvals.ts';
import { UNSEEN } from '../../contract/unseen.ts';

/** https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners */
const CODE_OWNERS = /^(?:\.github\/|docs\/)?CODEOWNERS$/;

const LOCK_FILE =
  /(?:^|\/)(?:[^/]*\.lock|bun\.lockb|[^/]*[-.]lock\.(?:json|ya?ml|hcl)|gradle\.lockfile|go\.sum|npm-shrinkwrap\.json|packages\.lock\.json|Package\.resolved)$/i;

const strong = (name: string): FileMark => ({ name, isStrong: true });
const weak = (name: string): FileMark => ({ name, isStrong: false });

const PATHS: [RegExp, FileMark][] = [
  [/^\.github\/workflows\//, strong('Workflow')],
  [CODE_OWNERS, strong('Code owners')],
  [/^\.github\/(?!workflows\/|CODEOWNERS$)/, strong('GitHub settings')],
  [LOCK_FILE, weak('Lock file')],
];

const KINDS: Record<ListedFile['kind'], FileMark[]> = {
  text: [],
  unshown: [weak('Not shown as text')],
  submodule: [strong('Submodule')],
};

type MarkedFile = Pick<ListedFile, 'path' | 'previousPath' | 'kind' | 'patch'> & { rules?: string[] };

/**
 * Why a person should look at a changed file closely; empty if nothing is special about it. A strong mark says that the
 * file changes who may do what, or isn't what it seems.
 */
export function marksOf({ path, previousPath, kind, patch, rules = [] }: MarkedFile): FileMark[] {
  const paths = [path, previousPath ?? path];
  const named = PATHS.filter(([pattern]) => paths.some((one) => pattern.test(one))).map(([, mark]) => mark);
  const isHiding = paths.some((one) => UNSEEN.test(one)) || patch?.isHiding === true;
  const hidden = isHiding ? [strong('Hidden characters')] : [];
  return [...named, ...hidden, ...KINDS[kind], ...rules.map((rule) => strong(`Rule: ${rule}`))];
}

/** The characters of all patches in one answer together. */
export const MOST_PATCH_CHARACTERS = 64_000;

/**
 * Leaves out the patches that are too much for one answer. Files with a strong mark come first, so no number of other
 * files keeps their patches from the page.
 */
export function limitPatches<File extends MarkedFile>(files: File[], most = MOST_PATCH_CHARACTERS): File[] {
  const strongest = files.filter((file) => marksOf(file).some(({ isStrong }) => isStrong));
  let left = most;
  const kept = new Set<File>();
  for (const file of new Set([...strongest, ...files])) {
    const size = file.patch?.text.length ?? 0;
    if (size > left) continue;
    left -= size;
    kept.add(file);
  }
  return files.map((file) =>
    file.patch && !kept.has(file) ? { ...file, patch: { ...file.patch, text: '', isCut: true } } : file,
  );
}
