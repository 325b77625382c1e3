import { expiredRoots } from './attestation-config.ts';
import { findMisspelt } from './misspelt-settings.ts';
import { createSettingReader, type Env } from './setting-reader.ts';
import { SETTING_NAMES, SETTINGS, type SettingName } from './settings.ts';

/**
 * What is probably wrong with the settings, though OTP Guard can start: one line for each name,
 * without any value.
 */
export function findSettingHints(env: Env, now: Date): string[] {
  const settings = createSettingReader(env);
  const isSet = (name: string | undefined) => settings.text(name as SettingName) !== undefined;
  const misspelt = findMisspelt(env).map(
    ({ name, meant }) => `${name}: not a setting of OTP Guard. Did you mean ${meant}?`,
  );
  const withoutEffect = SETTING_NAMES.filter(isSet).flatMap((name) => {
    const { onlyWith, hiddenBy } = SETTINGS[name];
    if (onlyWith && !isSet(onlyWith))
      return [`${name}: has no effect without ${onlyWith}. Set that, or remove ${name}`];
    if (isSet(hiddenBy)) return [`${name}: has no effect, because ${hiddenBy} is set. Remove one of them`];
    return [];
  });
  return [...misspelt, ...withoutEffect, ...expiredRoots(settings, now)];
}
