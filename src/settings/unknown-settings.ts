import { isSetting, SETTING_NAMES } from './settings.ts';

/** Probot's names for settings that have another name here. */
const NAMES_OF_PROBOT: Readonly<Record<string, string>> = {
  GHE_HOST: 'GITHUB_SERVER_URL',
  GHE_PROTOCOL: 'GITHUB_SERVER_URL',
  PRIVATE_KEY_PATH: 'PRIVATE_KEY',
};

/** In a shorter name, one wrong letter often makes another word: `HOST` and `POST`. */
const SHORTEST_WITH_A_WRONG_LETTER = 7;

/** Names each variable that is no setting but looks like an unset one: one line each, without its value. */
export function findUnknownSettings(env: Record<string, string | undefined>): string[] {
  const isSet = (name: string) =>
    Boolean(env[name]?.trim()) || (name.endsWith('_PROXY') && name.toLowerCase() in env);
  const unset = SETTING_NAMES.filter((name) => !isSet(name));
  const others = Object.keys(env).filter((name) => !isSetting(name) && isSet(name));
  return others.flatMap((name) => {
    const meant = unset.find((one) => NAMES_OF_PROBOT[name] === one || isLike(name, one));
    return meant === undefined ? [] : [`${name}: not a setting of OTP Guard. Did you mean ${meant}?`];
  });
}

/** Tells whether two names differ in case and underscores only, or in one letter, or in two that are swapped. */
function isLike(name: string, setting: string): boolean {
  const [a = '', b = ''] = [name, setting].map((one) => one.replaceAll('_', '').toUpperCase());
  if (a === b || setting.length < SHORTEST_WITH_A_WRONG_LETTER) return a === b;
  let same = 0;
  while (a[same] === b[same]) same += 1;
  const areEqualAfter = (inA: number, inB: number) => a.slice(same + inA) === b.slice(same + inB);
  const areSwapped = a[same] === b[same + 1] && a[same + 1] === b[same];
  return (
    areEqualAfter(1, 1) || areEqualAfter(1, 0) || areEqualAfter(0, 1) || (areSwapped && areEqualAfter(2, 2))
  );
}
