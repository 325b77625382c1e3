// Bundles each built program that tests start as a process into one file with all its packages, in dist-test. It then
// starts in a quarter of the time, and a run of all tests starts about a hundred.
import { readFileSync } from 'node:fs';
import { rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = dirname(import.meta.dirname);
const out = join(root, 'dist-test');
const done = join(out, '.built');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const programs = [
  ...Object.values(scripts).flatMap((script) => / (dist\/\S+\.js)/.exec(script)?.[1] ?? []),
  ...['append-process', 'product-process', 'sweep-process'].map((name) => `test/support/${name}.js`),
];

/** Does nothing if the product isn't built, or hasn't changed since the last time. */
export async function bundlePrograms() {
  const sources = [...programs, 'dist', 'package-lock.json', 'scripts/bundle-programs.js'];
  const times = await Promise.all(sources.map((path) => modified(join(root, path))));
  if (times.includes(0) || (await modified(done)) > Math.max(...times)) return;
  await rm(out, { recursive: true, force: true });
  // Not at the top, because only few runs need it.
  const { build } = await import('rolldown');
  await build({
    cwd: root,
    input: Object.fromEntries(programs.map((path) => [path.slice(0, -'.js'.length), join(root, path)])),
    platform: 'node',
    logLevel: 'silent',
    plugins: [{ name: 'keep-places', transform: keepPlaces }],
    output: {
      dir: out,
      // Bottleneck hides its `require` from bundlers in an `eval`. Modules may declare one of their own.
      banner: `globalThis.require ??= process.getBuiltinModule('node:module').createRequire('${pathToFileURL(`${root}/`)}');`,
    },
  });
  await writeFile(done, '');
}

/** A module finds the files beside it as before. */
function keepPlaces(code, id) {
  return code
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
    .replaceAll(/\b__dirname\b/g, JSON.stringify(dirname(id)))
    .replaceAll(/\b__filename\b/g, JSON.stringify(id));
}

async function modified(path) {
  return stat(path).then(
    (found) => found.mtimeMs,
    () => 0,
  );
}
