import { existsSync, readFileSync } from 'node:fs';

/** The demo is built one folder deeper. */
const PACKAGE = ['../package.json', '../../package.json'];
/** The build writes it beside this file; the sources have none. */
const BUILD = ['./build.json'];

/** OTP Guard's version, from package.json; empty if that was left out of an installation. */
export const VERSION = readFirst<{ version?: string }>(PACKAGE).version ?? '';

/**
 * The commit that this was built from, with `-dirty` after it if files differed from it; empty if the build didn't
 * know, as in a source archive.
 */
export const COMMIT = readFirst<{ commit?: string }>(BUILD).commit ?? '';

function readFirst<T>(places: string[]): Partial<T> {
  const found = places.map((path) => new URL(path, import.meta.url)).find((url) => existsSync(url));
  return found ? (JSON.parse(readFileSync(found, 'utf8')) as T) : {};
}
