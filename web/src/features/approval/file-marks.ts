import type { ShownFiles } from '../../../../src/contract/approvals.ts';

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

/** A character that has no shape of its own or changes the direction of a text, and every space but the usual one. */
const UNSEEN = /([\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs})/u;

/** Why a person should look at a changed file closely; empty if nothing is special about it. */
export function marksOf({ path, previousPath, kind, rules }: ShownFile): string[] {
  const paths = [path, previousPath ?? path];
  const named = PATHS.filter(([pattern]) => paths.some((one) => pattern.test(one))).map(([, mark]) => mark);
  const shown = KINDS[kind];
  const unseen = paths.some((one) => UNSEEN.test(one)) ? ['Characters that can’t be seen'] : [];
  return [...named, ...unseen, ...(shown === null ? [] : [shown]), ...rules.map((rule) => `Rule: ${rule}`)];
}

export const isMarked = (file: ShownFile): boolean => marksOf(file).length > 0;

/** A name in parts: the odd ones are characters that can't be seen, as their numbers, such as `U+202E`. */
export const spell = (name: string): string[] =>
  name
    .split(UNSEEN)
    .map((part, index) =>
      index % 2 === 0 ? part : `U+${(part.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
    );
