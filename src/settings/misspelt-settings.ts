import { isSetting, SETTING_NAMES, type SettingName } from './settings.ts';

export type Misspelt = {
  /** The name in the environment, which is no setting of ours. */
  name: string;
  /** The setting that it's nearest to, which isn't set. */
  meant: SettingName;
};

/** Other programs read these: GitHub's command line `GH_HOST`, images with .NET `APP_UID`. */
const OF_OTHERS = ['GH_HOST', 'APP_UID'];

/** In a shorter name, one wrong letter often makes another word: `HOST` and `POST`. */
const SHORTEST_WITH_A_WRONG_LETTER = 6;

/**
 * The names in the environment that look like a misspelt setting of ours: with another case or
 * other underscores, or one letter too much, too little, wrong, or swapped with the next
 * (a Damerau-Levenshtein distance of 1). A name without a value counts as not set.
 */
export function findMisspelt(env: Record<string, string | undefined>): Misspelt[] {
  const isSet = (name: string) => Boolean(env[name]?.trim());
  const unset = SETTING_NAMES.filter((name) => !isSet(name));
  const foreign = Object.keys(env).filter(
    (name) => !isSetting(name) && !OF_OTHERS.includes(name) && isSet(name),
  );
  return foreign.flatMap((name) => {
    const meant =
      unset.find((one) => withoutUnderscores(one) === withoutUnderscores(name)) ??
      unset.find((one) => isOneEditAway(name, one));
    return meant === undefined ? [] : [{ name, meant }];
  });
}

const withoutUnderscores = (name: string) => name.replaceAll('_', '').toUpperCase();

function isOneEditAway(name: string, setting: string): boolean {
  const [left, right] = differentParts(name, setting);
  const isSwapped = left.length === 2 && left === [...right].reverse().join('');
  if (isSwapped || setting.length < SHORTEST_WITH_A_WRONG_LETTER) return isSwapped;
  return left.length <= 1 && right.length <= 1;
}

/** What is left of two texts without the same beginning and the same end. */
function differentParts(a: string, b: string): [string, string] {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}
