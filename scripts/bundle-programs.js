// Bundles what tests start instead of the product's program into dist-test, as the build bundles that one: processes,
// and the product for the workers, which then load it in less than half the time.
import { rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bundle } from './bundle.js';

const root = dirname(import.meta.dirname);
const out = join(root, 'dist-test');
const done = join(out, '.built');
const names = ['product-process', 'restore-process', 'sweep-process'];
const programs = names.map((name) => `test/support/${name}.js`);
const modules = { product: 'app/product', log: 'shared/log' };

/** Does nothing if the product isn't built, or hasn't changed since the last time. */
export async function bundlePrograms() {
  const sources = [
    ...programs,
    'dist',
    'package-lock.json',
    'scripts/bundle.js',
    'scripts/bundle-programs.js',
  ];
  const times = await Promise.all(sources.map((path) => modified(join(root, path))));
  if (times.includes(0) || (await modified(done)) > Math.max(...times)) return;
  await rm(out, { recursive: true, force: true });
  const input = Object.fromEntries([
    ...names.map((name, index) => [name, join(root, programs[index])]),
    ...Object.entries(modules).map(([name, path]) => [name, join(root, `dist/${path}.js`)]),
  ]);
  await bundle({ input, out });
  await writeFile(done, '');
}

async function modified(path) {
  return stat(path).then(
    (found) => found.mtimeMs,
    () => 0,
  );
}
