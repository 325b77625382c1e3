import { findMisspelt } from './misspelt-settings.ts';
import { type RequirableName, SETTINGS, type SettingName } from './settings.ts';

export type Env = Record<string, string | undefined>;

/** Reads settings from `env`, and collects everything that is wrong with them. */
export type SettingReader = ReturnType<typeof createSettingReader>;

/** What is wrong with a setting and how a right one looks, in one line. Never its value, which can be a secret. */
export const settingFault = (name: SettingName, problem: string): string =>
  `${name}: ${problem}. Example: ${name}=${SETTINGS[name].example}`;

export function createSettingReader(env: Env) {
  const faults: string[] = [];

  /** The setting without spaces around it; undefined if it's not set or empty. */
  const text = (name: SettingName): string | undefined => env[name]?.trim() || undefined;

  /** Notes what is wrong with a setting. */
  const addFault = (name: SettingName, problem: string): void => {
    faults.push(settingFault(name, problem));
  };

  /** Notes that a required setting isn't set. `instead` is one that could be set in its place. */
  const addMissing = (name: RequirableName, instead?: SettingName): void => {
    const problem = `is required ${SETTINGS[name].required.replaceAll('`', '')}`;
    const misspelt = findMisspelt(env).find(({ meant }) => meant === name || meant === instead);
    const way = misspelt && `, but ${misspelt.name} is set. Rename that to ${misspelt.meant}`;
    addFault(name, `${problem}${way ?? ''}`);
  };

  return {
    faults: faults as readonly string[],
    text,
    addFault,
    addMissing,

    /** The setting; empty, and a fault, if it's missing. */
    required(name: RequirableName): string {
      const value = text(name);
      if (value === undefined) addMissing(name);
      return value ?? '';
    },

    /** The setting if it passes the check; a fault if it doesn't. */
    checked(name: SettingName, isValid: (value: string) => boolean, problem: string): string | undefined {
      const value = text(name);
      if (value === undefined || isValid(value)) return value;
      addFault(name, problem);
      return undefined;
    },

    /** An http or https URL, without slashes at the end. */
    url(name: SettingName): string | undefined {
      const value = text(name);
      if (value === undefined) return undefined;
      if (hasProtocol(value, ['http:', 'https:'])) return value.replace(/\/+$/, '');
      addFault(name, 'must be an http or https URL');
      return undefined;
    },

    oneOf<T extends string>(name: SettingName, allowed: readonly T[], otherwise: T): T {
      const value = text(name);
      const known = allowed.find((one) => one === value);
      if (value !== undefined && known === undefined) addFault(name, `must be one of ${allowed.join(', ')}`);
      return known ?? otherwise;
    },
  };
}

export function hasProtocol(value: string, protocols: string[]): boolean {
  return URL.canParse(value) && protocols.includes(new URL(value).protocol);
}
