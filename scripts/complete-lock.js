// Adds the packages of other platforms that npm omitted from package-lock.json. If a registry lacks an optional
// package, npm install omits it, and npm ci then refuses the lock file (https://github.com/npm/cli/issues/9846). Run
// this after you changed dependencies with such a registry; it changes nothing if no package is missing.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const file = join(dirname(import.meta.dirname), 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
const added = {};

for (const parent of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const path = `node_modules/${name}`;
    const platform = platformOf(name);
    if (!platform || Object.keys(lock.packages).some((known) => known.endsWith(path))) continue;
    added[path] = { version, ...platform, ...(parent.dev && { dev: true }), optional: true };
  }
}

const [root, ...others] = Object.entries({ ...lock.packages, ...added });
others.sort(([a], [b]) => a.localeCompare(b, 'en'));
lock.packages = Object.fromEntries([root, ...others]);
if (Object.keys(added).length > 0) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${Object.keys(added).length} packages of other platforms added to package-lock.json`);

/** @biomejs/cli-linux-arm64-musl → os linux, cpu arm64, libc musl; undefined if the name has no platform. */
function platformOf(name) {
  const [, os, cpu, abi = ''] =
    /-(android|darwin|freebsd|linux|openharmony|win32)-(arm|arm64|ia32|loong64|ppc64|riscv64|s390x|x64)(-.+)?$/.exec(
      name,
    ) ?? [];
  if (!os) return undefined;
  const libc = abi.startsWith('-musl') ? 'musl' : 'glibc';
  return { cpu: [cpu], ...(os === 'linux' && abi && { libc: [libc] }), os: [os] };
}
