import { existsSync, readFileSync } from 'node:fs';

/** The demo is built one folder deeper. */
const PACKAGE = ['../../package.json', '../../../package.json'];
/** The build writes it; the sources have none. */
const BUILD = ['../build.json'];

/** OTP Guard's version, from package.json; empty if that was left out of an installation. */
export const VERSION = readFirst<{ version?: string }>(PACKAGE).version ?? '';

type Build = { commit?: string; build?: string };

/**
 * The commit that this was built from. If files differed from it, `-dirty` and a hash of the build follow; if the build
 * didn't know a commit, as in a source archive, it's `unknown` and that hash. Empty for sources that weren't built.
 */
export const COMMIT = commitOf(readFirst<Build>(BUILD));

/** Names a build: a clean commit alone is enough, and anything else gets a hash of the build. */
export function commitOf({ commit, build }: Build): string {
  const isClean = commit !== undefined && !commit.endsWith('-dirty');
  return isClean || !build ? (commit ?? '') : `${commit ?? 'unknown'}-${build}`;
}

function readFirst<T>(paths: string[]): Partial<T> {
  const found = paths.map((path) => new URL(path, import.meta.url)).find((url) => existsSync(url));
  return found ? (JSON.parse(readFileSync(found, 'utf8')) as T) : {};
}
