export type Env = Record<string, string | undefined>;

/** Reads settings from `env`, and collects everything that is wrong with them. */
export type SettingReader = ReturnType<typeof createSettingReader>;

export function createSettingReader(env: Env) {
  const faults: string[] = [];

  /** The setting without spaces around it; undefined if it's not set or empty. */
  const text = (name: string): string | undefined => env[name]?.trim() || undefined;

  /** Notes what is wrong with a setting. Never repeats its value, which can be a secret. */
  const addFault = (name: string, problem: string, example: string): void => {
    faults.push(`${name}: ${problem}. Example: ${name}=${example}`);
  };

  return {
    env,
    faults: faults as readonly string[],
    text,
    addFault,

    /** The setting; empty, and a fault, if it's missing. */
    required(name: string, example: string): string {
      const value = text(name);
      if (value === undefined) addFault(name, 'is missing', example);
      return value ?? '';
    },

    /** The setting if it passes the check; a fault if it doesn't. */
    checked(
      name: string,
      isValid: (value: string) => boolean,
      problem: string,
      example: string,
    ): string | undefined {
      const value = text(name);
      if (value === undefined || isValid(value)) return value;
      addFault(name, problem, example);
      return undefined;
    },

    /** An http or https URL, without slashes at the end. */
    url(name: string, example: string): string | undefined {
      const value = text(name);
      if (value === undefined) return undefined;
      if (hasProtocol(value, ['http:', 'https:'])) return value.replace(/\/+$/, '');
      addFault(name, 'must be an http or https URL', example);
      return undefined;
    },

    oneOf<T extends string>(name: string, allowed: readonly T[], otherwise: T): T {
      const value = text(name);
      const known = allowed.find((one) => one === value);
      if (value !== undefined && known === undefined)
        addFault(name, `must be one of ${allowed.join(', ')}`, otherwise);
      return known ?? otherwise;
    },
  };
}

export function hasProtocol(value: string, protocols: string[]): boolean {
  return URL.canParse(value) && protocols.includes(new URL(value).protocol);
}
