// The programs that tests, benchmarks and pictures use: they are found, or installed.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** A Chromium without a window and its parts: the browser tests take a quarter less time with it. */
const HEADLESS_SHELL = 'chromium-headless-shell';
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const root = dirname(import.meta.dirname);

/** The path of a working Chromium: the headless shell, else an installed browser, else Playwright's download. */
export function findChromium() {
  if (process.env.CHROMIUM_PATH) {
    if (starts(process.env.CHROMIUM_PATH)) return process.env.CHROMIUM_PATH;
    fail(`CHROMIUM_PATH=${process.env.CHROMIUM_PATH} does not start. Correct it, or unset it.`);
  }
  const path =
    onPath([HEADLESS_SHELL]) ??
    (installDebianPackage(HEADLESS_SHELL) && onPath([HEADLESS_SHELL])) ??
    onPath(BROWSERS) ??
    (installDebianPackage('chromium') && onPath(BROWSERS)) ??
    (downloadChromium() || undefined);
  if (path) return path;
  return fail(
    'A browser is needed. Install Chromium (Debian: apt-get install chromium) or set CHROMIUM_PATH.',
  );
}

function onPath(names) {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter).filter(Boolean)];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(starts);
}

/** Whether the file is a working browser. Ubuntu's chromium-browser only asks to install a snap. */
function starts(path) {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    return false;
  }
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 60_000 }).status === 0;
}

/** Installs it if we may. True if that worked, otherwise undefined. */
export function installDebianPackage(name) {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).error)
    return undefined;
  console.log(`${name} is missing. Installing the distribution's package.`);
  const install = ['install', '-y', '--no-install-recommends', name];
  return (sh('apt-get', ['update']) && sh('apt-get', install)) || undefined;
}

function downloadChromium() {
  console.log("Chromium is missing. Downloading Playwright's.");
  if (!sh(process.execPath, [join(root, 'node_modules/playwright-core/cli.js'), 'install', 'chromium']))
    return undefined;
  const script = "import('playwright-core').then((p) => console.log(p.chromium.executablePath()))";
  const path = spawnSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' }).stdout.trim();
  return starts(path) ? path : undefined;
}

/** Whether the command ended well. */
export function sh(command, list) {
  const childEnv = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, list, { stdio: 'inherit', env: childEnv }).status === 0;
}

/** Ends this process. */
export function fail(message) {
  console.error(message);
  process.exit(1);
}

/** Installs a Node into a folder, from the registry, which has it as a package. Returns the program's path. */
export function installNode(version, folder) {
  const name = `node-${process.platform}-${process.arch}`;
  const options = ['--silent', '--no-save', '--ignore-scripts', '--no-audit', `--prefix=${folder}`];
  if (!sh('npm', ['install', ...options, `${name}@${version}`]))
    throw new Error(`npm has no ${name}@${version}.`);
  return join(folder, 'node_modules', name, 'bin/node');
}
