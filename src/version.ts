import { existsSync, readFileSync } from 'node:fs';

/** The demo is built one folder deeper. */
const PLACES = ['../package.json', '../../package.json'].map((path) => new URL(path, import.meta.url));

/** OTP Guard's version, from package.json; empty if that was left out of an installation. */
export const VERSION = readVersion();

function readVersion(): string {
  const place = PLACES.find((url) => existsSync(url));
  if (!place) return '';
  const { version = '' } = JSON.parse(readFileSync(place, 'utf8')) as { version?: string };
  return version;
}
