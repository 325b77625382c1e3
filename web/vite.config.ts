import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Replaces Vite's wrapper around `import()`: a chunk needs only the entry and the style sheet, which are loaded. Ours
 * reloads the page if a deploy replaced the chunk.
 */
const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  apply: 'build',
  load: (id) =>
    id.includes('vite/preload-helper')
      ? `import { loadChunk } from ${JSON.stringify(fromHere('src/lib/load-chunk.ts'))};
         export const __vitePreload = (load) => loadChunk(load);`
      : null,
};

/** The modules that the pages below a path begin with, besides the entry. The first path that matches counts. */
const DESK = 'src/features/organization/desk/desk.tsx';
const FIRST_MODULES: [path: string, modules: string[]][] = [
  ['/', ['src/routes/home-pages.tsx']],
  ['/org/policy', ['src/features/organization/policy/policy-page.tsx', DESK]],
  ['/org/image', ['src/features/security-image/pages.ts', DESK]],
  ['/org', ['src/routes/organization-pages.ts', DESK]],
];

/**
 * Writes `preloads.json`: the chunks of each path in `FIRST_MODULES` with all that they import. The server puts them into
 * the page's head, so that a browser loads them together with the entry instead of one after the other.
 */
const listPreloads: Plugin = {
  name: 'list-preloads',
  apply: 'build',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
    const withImports = (file: string): string[] => {
      const chunk = chunks.find(({ fileName }) => fileName === file);
      return !chunk || chunk.isEntry ? [] : [file, ...chunk.imports.flatMap(withImports)];
    };
    const filesOf = (module: string) => {
      const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === fromHere(module));
      if (!chunk) throw new Error(`${module} has no chunk of its own.`);
      return withImports(chunk.fileName);
    };
    const preloads = FIRST_MODULES.map(([path, modules]) => ({
      path,
      files: [...new Set(modules.flatMap(filesOf))],
    }));
    this.emitFile({ type: 'asset', fileName: 'preloads.json', source: JSON.stringify(preloads) });
  },
};

/** Every class of every style module, numbered in the same order on every machine. */
const classes = new Map<string, string>();

/** A short name that no two modules share: the approval page loads the whole style sheet. */
function className(name: string, file: string): string {
  const key = `${relative(fromHere('src'), file)} ${name}`;
  if (!classes.has(key)) classes.set(key, `c${classes.size.toString(36)}`);
  return classes.get(key) ?? name;
}

for (const path of readdirSync(fromHere('src'), { recursive: true, encoding: 'utf8' }).sort()) {
  if (!path.endsWith('.module.css')) continue;
  const file = join(fromHere('src'), path);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/\.([a-z][\w-]*)/gi)) className(name, file);
}

export default defineConfig({
  root: fromHere('.'),
  plugins: [react(), plainImports, listPreloads],
  css: { modules: { generateScopedName: className } },
  resolve: {
    // By default the package resolves to its development build, which is larger and warns in the console.
    alias: [
      {
        find: /^react-router$/,
        replacement: fromHere('../node_modules/react-router/dist/production/index.mjs'),
      },
      {
        find: /^react-router\/dom$/,
        replacement: fromHere('../node_modules/react-router/dist/production/dom-export.mjs'),
      },
    ],
  },
  // The verifier's worker; its library has parts that it loads when it needs them.
  worker: { format: 'es' },
  build: {
    outDir: fromHere('../dist/web'),
    emptyOutDir: true,
    assetsDir: 'assets',
    // No data: URIs: the content security policy allows them only for images.
    assetsInlineLimit: 0,
    // One style sheet keeps the approval page at five requests, and no page flashes unstyled.
    cssCodeSplit: false,
    // `plainImports` preloads nothing, so the entry doesn't have to list which chunk needs which.
    modulePreload: false,
    rolldownOptions: {
      treeshake: {
        // The package doesn't declare this itself. Without it, the entry would include the registration code.
        moduleSideEffects: [{ test: /@simplewebauthn\/browser/, sideEffects: false }],
        // Libraries' warnings are for developers. Their texts would be part of the approval page.
        manualPureFunctions: ['console.warn'],
      },
      // Keeps the entry in one file. Otherwise the bundler splits it along what lazy pages share.
      // What several lazy pages share is one file too, or a page's code would wait for twenty.
      output: {
        codeSplitting: {
          groups: [
            { name: 'index', tags: ['$initial'] },
            { name: 'shared', test: /\/web\/src\/(components|lib\/(?!zod))/, minShareCount: 2 },
          ],
        },
      },
    },
    target: 'es2022',
  },
});
