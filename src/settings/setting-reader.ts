import { emailAddress } from '../contract/email.ts';
import { type RequirableName, SETTINGS, type SettingName } from './settings.ts';

export type Env = Record<string, string | undefined>;

/** Reads settings from `env`, and collects everything that is wrong with them. */
export type SettingReader = ReturnType<typeof createSettingReader>;

export function createSettingReader(env: Env) {
  const faults: string[] = [];

  /** The setting without spaces around it; undefined if it's not set or empty. */
  const text = (name: SettingName): string | undefined => env[name]?.trim() || undefined;

  const hasFault = (name: SettingName): boolean => faults.some((fault) => fault.startsWith(`${name}:`));

  /**
   * Notes what is wrong with a setting and how a right one looks, in one line. Never its value, which can be a secret.
   * Only the first fault of a setting counts, because others often follow from it.
   */
  const addFault = (name: SettingName, problem: string): void => {
    if (!hasFault(name)) faults.push(`${name}: ${problem}. Example: ${name}=${SETTINGS[name].example}`);
  };

  /** Notes that a required setting isn't set. */
  const addMissing = (name: RequirableName): void =>
    addFault(name, `is required ${SETTINGS[name].required.replaceAll('`', '')}`);

  /** The setting; empty, and a fault, if it's missing. */
  const required = (name: RequirableName): string => {
    const value = text(name);
    if (value === undefined) addMissing(name);
    return value ?? '';
  };

  /** The setting if it passes the check; a fault if it doesn't. */
  const checked = (name: SettingName, isValid: (value: string) => boolean, problem: string) => {
    const value = text(name);
    if (value === undefined || isValid(value)) return value;
    addFault(name, problem);
    return undefined;
  };

  return {
    faults: faults as readonly string[],
    text,
    hasFault,
    addFault,
    addMissing,
    required,
    checked,

    /** The path of a folder. A shell replaces ~, and no other program does. /proc and /sys have no room for files. */
    folder(name: SettingName, isValid: (value: string) => boolean, problem: string): string | undefined {
      const isFolder = (value: string) => !/^~|^\/(proc|sys)(\/|$)/.test(value) && isValid(value);
      return checked(name, isFolder, problem);
    },

    /** A URL of a host, without slashes at the end. */
    url(name: SettingName, protocols: readonly string[] = ['http', 'https']): string | undefined {
      const isUrl = (value: string) => {
        const url = URL.canParse(value) ? new URL(value) : null;
        return url !== null && protocols.includes(url.protocol.slice(0, -1)) && url.hostname !== '';
      };
      const beginnings = protocols.map((protocol) => `${protocol}://`).join(' or ');
      return checked(name, isUrl, `must begin with ${beginnings} and name a host`)?.replace(/\/+$/, '');
    },

    /** The origin of an http or https URL that has nothing else. */
    origin(name: SettingName): string | undefined {
      const isOrigin = (value: string) => {
        const url = URL.canParse(value) ? new URL(value) : null;
        return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
      };
      const value = checked(name, isOrigin, 'must be an http or https URL without a path, query or password');
      return value && new URL(value).origin;
    },

    /** A required e-mail address. */
    email(name: RequirableName): string {
      required(name);
      const isAddress = (value: string) => emailAddress.safeParse(value).success;
      return checked(name, isAddress, 'must be an e-mail address, without a name') ?? '';
    },

    /** A text of at least this many characters. */
    secret(name: SettingName, shortest: number): string | undefined {
      return checked(name, ({ length }) => length >= shortest, `must have at least ${shortest} characters`);
    },

    oneOf<T extends string>(name: SettingName, allowed: readonly T[], otherwise: T): T {
      const isAllowed = (value: string) => (allowed as readonly string[]).includes(value);
      return (checked(name, isAllowed, `must be one of ${allowed.join(', ')}`) ?? otherwise) as T;
    },
  };
}
