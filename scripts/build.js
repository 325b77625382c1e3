// Builds the product into dist: the server (tsc, then one bundle with its packages) and the dashboard (vite). With --demo
// it builds the demo into dist-demo as well. It doesn't check types, which takes most of tsc's time: npm run typecheck. A build goes into a folder of its own first and then replaces the old one,
// so a failed build leaves the old one in place and two builds can't mix. It fails if the approval page is over its
// budget. With --if-needed it skips what is up to date.
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync } from 'node:zlib';
import { bundle } from './bundle.js';
import { hashFolder } from './hash-folder.js';

const root = dirname(import.meta.dirname);
/** In bytes. People wait for the approval page. */
const ENTRY_BUDGET = 95_000;
const shared = [
  'package-lock.json',
  'tsconfig.json',
  'scripts/build.js',
  'scripts/bundle.js',
  'scripts/hash-folder.js',
];
const product = {
  folder: join(root, 'dist'),
  sources: ['src', 'web', ...shared],
  mustExist: ['program/otp-guard.js', 'web/index.html', '.built'],
  steps: (out) => [
    run('tsc', ['--noCheck', '--outDir', out]),
    run('vite', [
      ...['build', 'web', '--config', 'web/vite.config.ts', '--outDir', join(out, 'web')],
      ...['--emptyOutDir', '--logLevel', 'warn'],
    ]),
  ],
  finish: async (out) => {
    await compressAssets(join(out, 'web/assets'));
    await bundle({
      input: { 'otp-guard': join(out, 'main.js') },
      out: join(out, 'program'),
    });
    // The package's program is run by its own name.
    await chmod(join(out, 'program/otp-guard.js'), 0o755);
    await nameBuild(out);
    return fitsBudget(join(out, 'web'));
  },
};
/** The demo needs development dependencies, so it is never part of the product's build. */
const demo = {
  folder: join(root, 'dist-demo'),
  sources: ['demo', 'src', ...shared],
  mustExist: ['demo/run-demo.js', '.built'],
  steps: (out) => [run('tsc', ['--noCheck', '-p', 'demo', '--outDir', out])],
  finish: (out) => nameBuild(join(out, 'src')),
};

const wanted = process.argv.includes('--demo') ? [product, demo] : [product];
const current = process.argv.includes('--if-needed') ? await Promise.all(wanted.map(isCurrent)) : [];
const missing = wanted.filter((_target, index) => !current[index]);
if (missing.length > 0) {
  const names = missing.map(({ folder }) => relative(root, folder)).join(' and ');
  console.log(`Building ${names}, which takes about a minute.`);
}
const results = await Promise.all(missing.map(build));
process.exitCode = results.every(Boolean) ? 0 : 1;

/** Whether the build is complete and none of its sources changed since it began. */
async function isCurrent({ folder, mustExist, sources }) {
  const parts = await Promise.all(mustExist.map((name) => modified(join(folder, name))));
  const newest = Math.max(...(await Promise.all(sources.map((name) => newestIn(join(root, name))))));
  return !parts.includes(0) && newest <= parts[mustExist.indexOf('.built')];
}

async function modified(path) {
  return stat(path).then(
    (found) => found.mtimeMs,
    () => 0,
  );
}

/** Folders count too: their time changes when a file is removed. */
async function newestIn(path) {
  const children = await readdir(path).catch(() => []);
  const times = await Promise.all(children.map((name) => newestIn(join(path, name))));
  return Math.max(await modified(path), ...times);
}

async function build(target) {
  const startedAt = new Date();
  const out = await mkdtemp(`${target.folder}.`);
  try {
    const steps = await Promise.all(target.steps(out));
    if (!steps.every(Boolean)) return false;
    if ((await target.finish(out)) === false) return false;
    await writeFile(join(out, '.built'), '');
    await utimes(join(out, '.built'), startedAt, startedAt);
    await replace(target.folder, out);
    console.log(
      `built ${relative(root, target.folder)} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`,
    );
    return true;
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

/** Runs one of the project's tools; resolves to whether it succeeded. */
function run(tool, args) {
  const command = join(root, 'node_modules/.bin', tool);
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit' });
    child.once('error', () => {
      console.error(`${tool} is not installed. Run npm ci first.`);
      resolve(false);
    });
    child.once('exit', (code) => resolve(code === 0));
  });
}

/**
 * Names the commit and the contents of the build for src/shared/version.ts, so it comes last. Without a git folder, in a
 * container's build for one, COMMIT can say the commit.
 */
async function nameBuild(folder) {
  const commit = (await commitOfClone()) ?? process.env.COMMIT ?? '';
  const known = /^[0-9a-f]{7,64}(-dirty)?$/.test(commit) ? { commit } : {};
  await writeFile(
    join(folder, 'build.json'),
    `${JSON.stringify({ ...known, build: await hashFolder(folder) })}\n`,
  );
}

/** Undefined outside of a clone: git would look for one in the folders above, and answer about that. */
async function commitOfClone() {
  if (!existsSync(join(root, '.git'))) return undefined;
  const describe = ['describe', '--always', '--abbrev=40', '--exclude=*', '--dirty'];
  return promisify(execFile)('git', describe, { cwd: root }).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
}

/** Writes a Brotli copy of each file, at the best quality, because each is compressed once and sent often. */
async function compressAssets(folder) {
  const compress = promisify(brotliCompress);
  const names = (await readdir(folder)).filter((name) => /\.(js|css|svg)$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      await writeFile(`${path}.br`, await compress(await readFile(path)));
    }),
  );
}

/** Whether the code and styles that a browser loads before a person can approve fit the approval page's budget. */
async function fitsBudget(folder) {
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const preloads = JSON.parse(await readFile(join(folder, 'preloads.json'), 'utf8'));
  const linked = [...page.matchAll(/"\/(assets\/[^"]+)"/g)].map(([, file]) => file);
  const files = new Set([...linked, ...preloads.find(({ path }) => path === '').files]);
  const sizes = await Promise.all([...files].map((file) => stat(join(folder, `${file}.br`))));
  const bytes = sizes.reduce((sum, { size }) => sum + size, brotliCompressSync(page).length);
  console.log(`The approval page has ${bytes} bytes with Brotli, of ${ENTRY_BUDGET}.`);
  if (bytes <= ENTRY_BUDGET) return true;
  console.error('That is over its budget. Load what approving does not need when it is needed.');
  return false;
}

/** If another build finishes at the same time, the last one wins. The folder always holds one complete build. */
async function replace(folder, out) {
  const old = `${out}.old`;
  for (;;) {
    await rename(folder, old).catch(ignore('ENOENT'));
    const done = await rename(out, folder).then(() => true, ignore('ENOTEMPTY', 'EEXIST'));
    await rm(old, { recursive: true, force: true });
    if (done) return;
  }
}

function ignore(...codes) {
  return (error) => {
    if (!codes.includes(error.code)) throw error;
  };
}
