// The approval page is what people wait for, so its size has a budget: web/entry-sizes.json has it, and the size of each
// part when it was last looked at. `node scripts/build.js --write-entry-sizes` writes the present ones.
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const committed = join(dirname(import.meta.dirname), 'web/entry-sizes.json');

/** Prints what grew since the committed list. Resolves to whether the page fits its budget. */
export async function checkEntryBudget(webDir) {
  const { budget, parts: before } = JSON.parse(await readFile(committed, 'utf8'));
  const parts = await sizesOf(webDir);
  const total = sum(parts);
  if (process.argv.includes('--write-entry-sizes'))
    await writeFile(committed, `${JSON.stringify({ budget, parts }, null, 2)}\n`);
  for (const [name, bytes] of Object.entries(parts)) {
    const more = bytes - (before[name] ?? 0);
    if (more > 0) console.log(`The approval page's ${name} grew by ${more} bytes to ${bytes}.`);
  }
  if (total <= budget) return true;
  console.error(
    `The approval page has ${total} bytes with Brotli, more than its budget of ${budget} (web/entry-sizes.json). ` +
      'Load what approving does not need when it is needed.',
  );
  return false;
}

/** What a browser loads before a person can approve, by its name without the hash, in bytes with Brotli. */
async function sizesOf(webDir) {
  const page = await readFile(join(webDir, 'index.html'), 'utf8');
  const paths = JSON.parse(await readFile(join(webDir, 'preloads.json'), 'utf8'));
  const { files, shell } = paths.find(({ path }) => path === '/collect');
  const linked = [...page.matchAll(/ (?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file]) => file);
  const parts = { page: brotliCompressSync(page + shell).length };
  for (const file of [...linked, ...files]) {
    const name = file.replace(/^assets\/(.+)-[\w-]{8}(\.\w+)$/, '$1$2');
    parts[name] = brotliCompressSync(await readFile(join(webDir, file))).length;
  }
  return parts;
}

const sum = (parts) => Object.values(parts).reduce((total, bytes) => total + bytes, 0);
