// All tests from a fresh clone in one command: installs, finds or installs Chromium, builds, runs jest.
// What follows on the command line goes to jest: npm test -- --selectProjects unit
// With --soak it runs the tests that have a long form, and those in it: they read SOAK from the environment.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
const isSoak = process.argv[2] === '--soak';
const args = process.argv.slice(isSoak ? 3 : 2);
if (isSoak && selectedProjects(args).length === 0) args.push('--selectProjects', 'faults');
const kinds = selectedProjects(args);
const runs = (kind) => kinds.length === 0 || kinds.includes(kind);

process.chdir(root);
if (!isInstalled()) sh('npm', ['ci']) || giveUp('npm ci failed: see above, then run npm test again.');

const env = { ...process.env, ...(isSoak && { SOAK: '1' }) };
if (runs('e2e')) env.CHROMIUM_PATH = chromium();
if (runs('http')) requireOathtool();

// Rules, use cases and webhook replays run from the sources.
if (runs('http') || runs('faults') || runs('e2e')) {
  sh(process.execPath, ['scripts/build.js', '--if-needed']) || giveUp('The build failed: see above.');
}
process.exitCode = await runJest();

/** The names after --selectProjects; none means all. */
function selectedProjects(list) {
  const names = [];
  let reading = false;
  for (const arg of list) {
    if (arg.startsWith('--selectProjects')) reading = true;
    else if (arg.startsWith('-')) reading = false;
    if (reading) names.push(arg.replace(/^--selectProjects=?/, ''));
  }
  return names.filter(Boolean);
}

/** Whether node_modules holds what package-lock.json asks for; optional packages depend on the platform. */
function isInstalled() {
  const packages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;
  if (!existsSync('node_modules/.package-lock.json')) return false;
  const installed = packages('node_modules/.package-lock.json');
  return Object.entries(packages('package-lock.json')).every(
    ([path, wanted]) => path === '' || wanted.optional || installed[path]?.version === wanted.version,
  );
}

/** The path of a Chromium that starts: the one that is there, else Debian's package, else Playwright's. */
function chromium() {
  if (process.env.CHROMIUM_PATH) {
    if (starts(process.env.CHROMIUM_PATH)) return process.env.CHROMIUM_PATH;
    giveUp(`CHROMIUM_PATH=${process.env.CHROMIUM_PATH} does not start: correct it, or unset it.`);
  }
  const path =
    chromiumOnPath() ??
    (installDebianPackage('chromium') && chromiumOnPath()) ??
    (installPlaywrights() || undefined);
  if (path) return path;
  return giveUp(
    'The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.',
  );
}

function chromiumOnPath() {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter).filter(Boolean)];
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(starts);
}

/** Ubuntu's chromium-browser is a file that only asks for a snap, so being there is not enough. */
function starts(path) {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    return false;
  }
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
}

/** The independent program whose codes a test has accepted. */
function requireOathtool() {
  const isThere = () => spawnSync('oathtool', ['--version'], { stdio: 'ignore' }).status === 0;
  if (isThere() || (installDebianPackage('oathtool') && isThere())) return;
  giveUp('A test compares one-time codes with oathtool: install it (Debian: apt-get install oathtool).');
}

function installDebianPackage(name) {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).error)
    return undefined;
  console.log(`${name} is missing: installing the package of the distribution.`);
  const install = ['install', '-y', '--no-install-recommends', name];
  return (sh('apt-get', ['update']) && sh('apt-get', install)) || undefined;
}

function installPlaywrights() {
  console.log("Chromium is missing: downloading Playwright's.");
  if (!sh(process.execPath, ['node_modules/playwright-core/cli.js', 'install', 'chromium'])) return undefined;
  const ask = "import('playwright-core').then((p) => console.log(p.chromium.executablePath()))";
  const path = spawnSync(process.execPath, ['-e', ask], { encoding: 'utf8' }).stdout.trim();
  return starts(path) ? path : undefined;
}

/** Runs jest, prints the closing line, and answers the exit code. */
async function runJest() {
  const folder = mkdtempSync(join(tmpdir(), 'otp-guard-test-'));
  const outputFile = join(folder, 'report.json');
  const nodeArgs = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const jest = [
    ...nodeArgs,
    'node_modules/jest/bin/jest.js',
    ...args,
    '--json',
    `--outputFile=${outputFile}`,
  ];
  try {
    const code = await ended(
      spawn(process.execPath, jest, { env, stdio: ['inherit', 'ignore', 'inherit'] }),
      outputFile,
    );
    const { passed, failed } = existsSync(outputFile)
      ? count(JSON.parse(readFileSync(outputFile, 'utf8')))
      : { passed: 0, failed: code === 0 ? 0 : 1 };
    const open = code === undefined ? 1 : 0;
    console.log(`${passed} passed, ${failed + open} failed`);
    return code === 0 && passed > 0 && failed === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resolves with the exit code; with undefined when jest has reported and something keeps it from ending. */
function ended(child, outputFile) {
  return new Promise((resolve) => {
    let secondsSinceReport = 0;
    const watch = setInterval(() => {
      if (existsSync(outputFile)) secondsSinceReport += 1;
      if (secondsSinceReport < 15) return;
      console.error(
        'A test left something open (a server, a child process, a timer): jest did not end by itself.',
      );
      clearInterval(watch);
      child
        .removeAllListeners('exit')
        .once('exit', () => resolve(undefined))
        .kill('SIGKILL');
    }, 1000);
    child.once('exit', (code) => {
      clearInterval(watch);
      resolve(code ?? 1);
    });
  });
}

/** A suite that could not run at all counts as one failed test. */
function count(report) {
  const broken = report.testResults.filter(
    (suite) => suite.status === 'failed' && !suite.assertionResults.some((one) => one.status === 'failed'),
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length };
}

function sh(command, list) {
  const childEnv = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, list, { stdio: 'inherit', env: childEnv }).status === 0;
}

function giveUp(sentence) {
  console.error(sentence);
  process.exit(1);
}
