import type { ShownFiles } from '../../../../src/contract/approvals.ts';
import { spell } from '../../components/text.tsx';

export type ShownFile = ShownFiles['listed'][number];

/** https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-code-owners */
const CODE_OWNERS = /^(?:\.github\/|docs\/)?CODEOWNERS$/;

const LOCK_FILE =
  /(?:^|\/)(?:[^/]*\.lock|bun\.lockb|[^/]*[-.]lock\.(?:json|ya?ml|hcl)|gradle\.lockfile|go\.sum|npm-shrinkwrap\.json|packages\.lock\.json|Package\.resolved)$/i;

const PATHS: [RegExp, string][] = [
  [CODE_OWNERS, 'Code owners'],
  [/^\.github\/workflows\//, 'Workflow'],
  [/^\.github\/(?!workflows\/|CODEOWNERS$)/, 'GitHub settings'],
  [LOCK_FILE, 'Lock file'],
];

const KINDS: Record<ShownFile['kind'], string | null> = {
  text: null,
  unshown: "Binary or too long: GitHub doesn't show it",
  submodule: 'Submodule',
};

/** Why a person should look at a changed file closely; empty if nothing is special about it. */
export function marksOf({ path, previousPath, kind, rules }: ShownFile): string[] {
  const paths = [path, previousPath ?? path];
  const named = PATHS.filter(([pattern]) => paths.some((one) => pattern.test(one))).map(([, mark]) => mark);
  const shown = KINDS[kind];
  const unseen = paths.some((one) => spell(one).length > 1) ? ['Characters that can’t be seen'] : [];
  return [...named, ...unseen, ...(shown === null ? [] : [shown]), ...rules.map((rule) => `Rule: ${rule}`)];
}

export const isMarked = (file: ShownFile): boolean => marksOf(file).length > 0;
