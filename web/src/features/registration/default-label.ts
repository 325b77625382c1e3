/** The first that the browser names wins: Android says Linux too, and an iPad may say Macintosh. */
const PLATFORMS: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** A label to begin with, such as `Passkey on macOS`. */
export function defaultLabel(userAgent: string): string {
  const platform = PLATFORMS.find(([sign]) => sign.test(userAgent))?.[1];
  return platform ? `Passkey on ${platform}` : 'Passkey';
}
