import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Puts our own function around every `import()`, in place of Vite's, which loads the code only after its styles. */
const ownImports: Plugin = {
  name: 'own-imports',
  enforce: 'pre',
  apply: 'build',
  load: (id) =>
    id.includes('vite/preload-helper')
      ? `import { loadChunk } from ${JSON.stringify(fromHere('src/lib/load-chunk.ts'))};
         export const __vitePreload = (load, styles) => loadChunk(load, styles);`
      : null,
};

/** What the first script loads: React, and the code and styles of every page. */
const START = 'src/app/start.tsx';
const DESK = 'src/features/organization/desk/desk.tsx';

/** The modules that the pages below a path begin with. The first path that matches counts; the last one always does. */
const FIRST_MODULES: [path: string, modules: string[]][] = [
  ['/', [START, 'src/routes/home-pages.tsx']],
  ['/collect-totp', [START, 'src/features/approval/code-page.tsx']],
  ['/org/policy', [START, 'src/features/organization/policy/policy-page.tsx', DESK]],
  ['/org/image', [START, 'src/features/security-image/image-pages.tsx', DESK]],
  ['/org', [START, 'src/routes/organization-pages.ts', DESK]],
  ['', [START]],
];

/**
 * Writes `preloads.json`: the chunks of each path in `FIRST_MODULES` with all that they import, and their styles. The
 * server links them in the page, so that a browser loads them together with the first script instead of one after the
 * other, and paints nothing without its styles.
 */
const listPreloads: Plugin = {
  name: 'list-preloads',
  apply: 'build',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
    const withImports = (file: string): string[] => {
      const chunk = chunks.find(({ fileName }) => fileName === file);
      if (!chunk || chunk.isEntry) return [];
      const styles = chunk.viteMetadata?.importedCss ?? [];
      return [file, ...chunk.imports.flatMap(withImports), ...styles];
    };
    const filesOf = (module: string) => {
      const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(fromHere(module)));
      if (!chunk) throw new Error(`${module} is in no chunk.`);
      return withImports(chunk.fileName);
    };
    const preloads = FIRST_MODULES.map(([path, modules]) => ({
      path,
      files: [...new Set(modules.flatMap(filesOf))],
    }));
    this.emitFile({ type: 'asset', fileName: 'preloads.json', source: JSON.stringify(preloads) });
  },
};

/** What the approval page loads beside its form, and other pages too. */
const BESIDE = /\/web\/src\/components\/(timeline|changed-files|change-icons|notice-icons)\.tsx?$/;
const SHARED = /\/web\/src\/(components|lib\/(?!zod))/;

export default defineConfig({
  root: fromHere('.'),
  plugins: [react(), ownImports, listPreloads],
  // Short names, because the approval page has a budget.
  css: { modules: { generateScopedName: '[hash:base64:5]' } },
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
    // The server's links preload what a page begins with, so the entry doesn't have to list which chunk needs which.
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
        // The entry has all names of chunks, and nothing compresses hashes.
        chunkFileNames: 'assets/[name]-[hash:6].js',
        assetFileNames: 'assets/[name]-[hash:6][extname]',
        codeSplitting: {
          groups: [
            { name: 'record-store', test: /\/node_modules\/pocketbase\//, priority: 1 },
            { name: 'index', tags: ['$initial'] },
            { name: 'start', test: /\/web\/src\/app\/start\.tsx$/ },
            // After the one above, which has React.
            { name: 'queries', test: /\/node_modules\/@tanstack\// },
            // The styles that the approval page doesn't need are one file, because a page has up to five chunks.
            { name: 'styles', test: /\.module\.css$/ },
            // What stands next to the approval, without all that only other pages share.
            { name: 'pull', test: BESIDE },
            { name: 'shared', test: SHARED, minShareCount: 2 },
          ],
        },
      },
    },
    target: 'es2022',
  },
});
