// Builds the server (tsc) and the dashboard (vite) into dist, both or neither: everything goes into a folder
// beside dist first, so that a failed build leaves the old one in place and two builds cannot mix.
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';

const root = dirname(import.meta.dirname);
const dist = join(root, 'dist');
const sources = ['src', 'web', 'package-lock.json', 'tsconfig.json', 'scripts/build.js'];
const mustExist = ['main.js', 'web/index.html', '.built'];

if (process.argv.includes('--if-needed') && (await isCurrent())) process.exit(0);
process.exitCode = (await build()) ? 0 : 1;

/** Whether dist is whole and nothing it is made from changed since its build began. */
async function isCurrent() {
  const parts = await Promise.all(mustExist.map((name) => modified(join(dist, name))));
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

async function build() {
  const began = new Date();
  const out = await mkdtemp(`${dist}.`);
  try {
    const [server, dashboard] = await Promise.all([
      run('tsc', ['-p', 'src', '--outDir', out]),
      run('vite', [
        ...['build', 'web', '--config', 'web/vite.config.ts', '--outDir', join(out, 'web')],
        ...['--emptyOutDir', '--logLevel', 'warn'],
      ]),
      copyAssets(out),
    ]);
    if (!server || !dashboard) return false;
    await compressAssets(join(out, 'web/assets'));
    await writeFile(join(out, '.built'), '');
    await utimes(join(out, '.built'), began, began);
    await replaceDist(out);
    console.log(`built dist in ${((Date.now() - began) / 1000).toFixed(1)} s`);
    return true;
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

/** Runs one of the project's own tools; true when it succeeded. */
function run(tool, args) {
  const command = join(root, 'node_modules/.bin', tool);
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit' });
    child.once('error', () => {
      console.error(`${tool} is not installed: run npm ci first.`);
      resolve(false);
    });
    child.once('exit', (code) => resolve(code === 0));
  });
}

/** A Brotli copy beside each file of the dashboard, at the best quality: they are made once and sent often. */
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

/** What the server reads at run time beside its own code: every file under src that the compiler leaves alone. */
async function copyAssets(out) {
  const notAssets = ['.ts', '.tsx', '.md'];
  const isAsset = async (path) =>
    (await stat(path)).isDirectory() ||
    !(notAssets.includes(extname(path)) || path.endsWith('tsconfig.json'));
  await cp(join(root, 'src'), out, { recursive: true, filter: isAsset });
  return true;
}

/** Another build may do the same at the same time: whoever comes last wins, and dist is always one build. */
async function replaceDist(out) {
  const old = `${out}.old`;
  for (;;) {
    await rename(dist, old).catch(ignore('ENOENT'));
    const done = await rename(out, dist).then(() => true, ignore('ENOTEMPTY', 'EEXIST'));
    await rm(old, { recursive: true, force: true });
    if (done) return;
  }
}

function ignore(...codes) {
  return (error) => {
    if (!codes.includes(error.code)) throw error;
  };
}
