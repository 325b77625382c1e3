/**
 * The oldest Enterprise Server whose published API description we compared with every request of the product. Older ones
 * get a warning, and may still work.
 */
export const OLDEST_CHECKED = '3.17';

/** The version of the Enterprise Server that answered, such as 3.19.2; null if it isn't one. */
export function enterpriseVersionIn(headers: object): string | null {
  const version = (headers as Record<string, unknown>)['x-github-enterprise-version'];
  return typeof version === 'string' && /^\d+\.\d+[\w.-]{0,30}$/.test(version) ? version : null;
}

/** Whether this version is older than any that we compared. */
export function isOlderThanChecked(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_CHECKED.split('.').map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}
