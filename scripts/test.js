// Runs all tests but the browser's, also on a fresh clone: installs packages and programs, builds, and runs jest. Further
// arguments go to jest: npm test -- --selectProjects unit
// With --soak it runs only the tests that have a long form; they read SOAK from the environment. With --image it runs
// only those of the package and the container image, which take minutes.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { fail, findChromium, installDebianPackage, sh } from './programs.js';

const root = dirname(import.meta.dirname);
const isSoak = process.argv[2] === '--soak';
const isImage = process.argv[2] === '--image';
const args = process.argv.slice(isSoak || isImage ? 3 : 2);
if (isImage) args.push('--selectProjects', 'image');
const kinds = selectedProjects(args);
const runs = (kind) => kinds.includes(kind) || (kinds.length === 0 && (kind !== 'e2e' || isSoak));

process.chdir(root);
if (!isInstalled()) sh('npm', ['ci']) || fail('npm ci failed. See above, then run npm test again.');

const env = { ...process.env, ...(isSoak && { SOAK: '1' }), ...(isImage && prepareImage()) };
// The tests of the local GitHub itself run in CI, in a soak, if they're asked for, and if what they import has changed.
const isDemoTested = process.env.CI || isSoak || kinds.includes('demo');
const OF_DEMO = ['demo', 'fixtures/github', 'src/adapters', 'src/cli', 'src/organizations', 'test/demo'];
if (!isDemoTested && !hasChanged(OF_DEMO)) env.WITHOUT_DEMO = '1';
// npm run test:e2e selects them. CI runs them too.
if (runs('e2e')) env.CHROMIUM_PATH = findChromium();
else env.WITHOUT_E2E = '1';
// A test compares our verification of receipts with that of a script, which needs Debian's Python and a module of it.
if (runs('unit')) {
  requireModule('cryptography', 'python3-cryptography');
  // Prometheus's checker of alert rules.
  requireProgram('promtool', 'prometheus');
  // It judges the unit of our service, and needs no systemd that runs.
  requireProgram('systemd-analyze', 'systemd');
}
if (runs('http')) {
  requireProgram('git', 'git');
  // Several processes share limits through a real Redis, behind a balancer.
  requireProgram('redis-server', 'redis-server');
  requireProgram('haproxy', 'haproxy', '-v');
}

// The other tests run from the sources. Those need the local GitHub too.
if (runs('http') || runs('faults') || runs('e2e') || runs('security') || isImage) {
  sh(process.execPath, ['scripts/build.js', '--demo', '--if-needed']) || fail('The build failed. See above.');
  env.BUILT = '1';
}
process.exitCode = await runJest();

/** The names after --selectProjects; an empty list means all projects. */
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

/** Whether these folders differ from those of the main branch, as far as git knows. */
function hasChanged(folders) {
  const git = (...args) => spawnSync('git', args, { encoding: 'utf8' });
  const base = git('merge-base', 'HEAD', 'origin/main').stdout?.trim() || 'HEAD';
  return git('diff', '--quiet', base, '--', ...folders).status !== 0;
}

/** Whether node_modules matches package-lock.json, except for optional packages, which depend on the platform. */
function isInstalled() {
  const packages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;
  if (!existsSync('node_modules/.package-lock.json')) return false;
  const installed = packages('node_modules/.package-lock.json');
  return Object.entries(packages('package-lock.json')).every(
    ([path, wanted]) => path === '' || wanted.optional || installed[path]?.version === wanted.version,
  );
}

function requireProgram(name, debianPackage, version = '--version') {
  const isInstalledAndWorks = () => spawnSync(name, [version], { stdio: 'ignore' }).status === 0;
  if (isInstalledAndWorks() || (installDebianPackage(debianPackage) && isInstalledAndWorks())) return;
  fail(`A test needs ${name}. Install it (Debian: apt-get install ${debianPackage}).`);
}

/** Of Debian's Python, because another one on the PATH doesn't see the modules of Debian's packages. */
function requireModule(name, debianPackage) {
  const isInstalled = () =>
    spawnSync('/usr/bin/python3', ['-c', `import ${name}`], { stdio: 'ignore' }).status === 0;
  if (isInstalled() || (installDebianPackage(debianPackage) && isInstalled())) return;
  fail(
    `A test needs /usr/bin/python3 with the module ${name}. Install it (Debian: apt-get install ${debianPackage}).`,
  );
}

/** The settings that the tests of the image read: IMAGE, and why they can't run here. In CI they have to. */
function prepareImage() {
  const programs = [
    ['buildah', 'buildah'],
    ['debootstrap', 'debootstrap'],
  ];
  const isMissing = ([name, debianPackage]) =>
    spawnSync(name, ['--version'], { stdio: 'ignore' }).status !== 0 && !installDebianPackage(debianPackage);
  const isRoot = process.getuid?.() === 0;
  const missing = isRoot ? programs.filter(isMissing).map(([name]) => name) : [];
  if (isRoot && missing.length === 0) return { IMAGE: '1' };
  const reason = isRoot ? `${missing.join(' and ')} can't be installed` : 'only root can build and mount it';
  if (process.env.CI) fail(`The tests of the image can't run: ${reason}.`);
  console.log(`The tests of the image are skipped: ${reason}.`);
  return { IMAGE: '1', IMAGE_SKIPPED: reason };
}

/** Runs jest, prints the number of passed and failed tests, and returns the exit code. */
async function runJest() {
  const folder = mkdtempSync(join(tmpdir(), 'otp-guard-test-'));
  const outputFile = join(folder, 'report.json');
  const nodeArgs = [
    ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
    // Tests make much garbage and live shortly. More room for it saves a sixth of the workers' processor time.
    ...['--min-semi-space-size=32', '--max-semi-space-size=64'],
    // Few functions run often enough in one test file to be worth optimizing. The default is 67584. Node 24 ends with an
    // error, because its V8 counts calls instead.
    ...(Number.parseInt(process.versions.node, 10) < 24 ? ['--interrupt-budget=1000000'] : []),
  ];
  const jest = [
    ...nodeArgs,
    'node_modules/jest/bin/jest.js',
    ...args,
    '--json',
    `--outputFile=${outputFile}`,
  ];
  try {
    const code = await exitOf(
      spawn(process.execPath, jest, { env, stdio: ['inherit', 'ignore', 'inherit'] }),
      outputFile,
    );
    const report = existsSync(outputFile) ? JSON.parse(readFileSync(outputFile, 'utf8')) : undefined;
    if (report) printSeconds(report.testResults);
    const { passed, failed } = report ? count(report) : { passed: 0, failed: code === 0 ? 0 : 1 };
    const hanging = code === undefined ? 1 : 0;
    console.log(`${passed} passed, ${failed + hanging} failed`);
    return code === 0 && passed > 0 && failed === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resolves with the exit code, or with undefined if jest doesn't exit after it wrote its report. */
function exitOf(child, outputFile) {
  return new Promise((resolve) => {
    let secondsSinceReport = 0;
    const timer = setInterval(() => {
      if (existsSync(outputFile)) secondsSinceReport += 1;
      if (secondsSinceReport < 60) return;
      console.error(
        'Jest did not exit, because a test left something open (a server, a child process, a timer).',
      );
      clearInterval(timer);
      child
        .removeAllListeners('exit')
        .once('exit', () => resolve(undefined))
        .kill('SIGKILL');
    }, 1000);
    child.once('exit', (code) => {
      clearInterval(timer);
      resolve(code ?? 1);
    });
  });
}

/** Prints how long each kind of test took, and each file that took more than a second, the longest first. */
function printSeconds(files) {
  const seconds = { files: {}, kinds: {} };
  for (const { name, startTime, endTime } of files) {
    const file = relative(join(root, 'test'), name);
    const kind = file.split(sep)[0];
    const taken = (endTime - startTime) / 1000;
    if (taken > 1) seconds.files[file] = taken;
    seconds.kinds[kind] = (seconds.kinds[kind] ?? 0) + taken;
  }
  for (const all of [seconds.files, seconds.kinds]) {
    for (const [name, taken] of Object.entries(all).sort(([, one], [, other]) => other - one))
      console.log(`${taken.toFixed(1).padStart(7)} s  ${name}`);
  }
}

/** A file that couldn't run counts as one failed test. */
function count(report) {
  const broken = report.testResults.filter(
    (suite) => suite.status === 'failed' && !suite.assertionResults.some((one) => one.status === 'failed'),
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length };
}
