import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown, runnerImport } from 'vite';

const fromHere = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Replaces Vite's wrapper around `import()`, which would preload what the chunk imports. Ours loads the style sheet that
 * all chunks share if the chunk has styles, and reloads the page if a deploy replaced the chunk.
 */
const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  apply: 'build',
  load: (id) =>
    id.includes('vite/preload-helper')
      ? `import { loadChunk } from ${JSON.stringify(fromHere('src/lib/load-chunk.ts'))};
         export const __vitePreload = (load, styles) => loadChunk(load, styles?.length > 0);`
      : null,
};

const isChunk = (file: OutputFile) => file.type === 'chunk';
type OutputFile = Rolldown.OutputBundle[string];

/** The one style sheet of everything that isn't part of the entry: its name is the same in every chunk. */
const REST = 'rest.css';

/**
 * Puts the entry's styles into the page, which saves a request before the first paint, and those of all other chunks into
 * one file. The server lets the page's policy allow exactly these styles. A meta tag has the file's name, because a name
 * in the entry would change the entry with every style.
 */
const splitStyles: Plugin = {
  name: 'split-styles',
  apply: 'build',
  generateBundle: {
    order: 'pre',
    handler(_, bundle) {
      const take = (file: string) => {
        const asset = bundle[file];
        delete bundle[file];
        return asset?.type === 'asset' ? String(asset.source) : '';
      };
      const lazy = Object.values(bundle)
        .filter(isChunk)
        .filter((chunk) => !chunk.isEntry && chunk.name !== 'index');
      // What several pages share comes first, so that a page can change it.
      lazy.sort(
        (a, b) => Number(b.name === 'shared') - Number(a.name === 'shared') || a.name.localeCompare(b.name),
      );
      const source = lazy.flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])].map(take)).join('');
      this.emitFile({ type: 'asset', name: REST, source });
      for (const { viteMetadata } of lazy)
        if (viteMetadata?.importedCss.size) viteMetadata.importedCss = new Set([REST]);
    },
  },
};

/** The last step: the page with the entry's styles, and with the script that begins while the entry is loading. */
const finishPage: Plugin = {
  name: 'finish-page',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') throw new Error('There is no page.');
      const files = Object.values(bundle);
      const early = files.filter(isChunk).find(({ name }) => name === 'early')?.fileName;
      const rest = files.find(({ fileName }) => /\/rest-[^/]+\.css$/.test(fileName))?.fileName;
      const styles = /<link rel="stylesheet"[^>]* href="\/([^"]+)">/;
      const [, file = ''] = styles.exec(String(page.source)) ?? [];
      const sheet = bundle[file];
      if (!early || !rest || sheet?.type !== 'asset') throw new Error('The page lacks a part.');
      delete bundle[file];
      page.source = String(page.source)
        .replace(styles, '')
        .replace('%STYLES%', basename(rest, '.css'))
        .replace(
          '<!-- %EARLY% -->',
          () =>
            `<style>${String(sheet.source).trim()}</style>\n` +
            `    <script type="module" async crossorigin src="/${early}"></script>`,
        );
    },
  },
};

/** The modules that the pages below a path begin with, besides the entry. The first path that matches counts. */
const DESK = 'src/features/organization/desk/desk.tsx';
const FIRST_MODULES: [path: string, modules: string[]][] = [
  ['/', ['src/routes/home-pages.tsx']],
  ['/collect-totp', ['src/features/approval/code-page.tsx']],
  ['/org/policy', ['src/features/organization/policy/policy-page.tsx', DESK]],
  ['/org/image', ['src/features/security-image/pages.ts', DESK]],
  ['/org', ['src/routes/organization-pages.ts', DESK]],
];

/** The paths of the approval page. The server sends it with the places of what comes, which are painted at once. */
const SHELL_PATHS = ['/collect', '/collect-passkey'];

type Preloads = { path: string; files: string[]; shell?: string };

/** Style modules without styles: the class names that the build gives them. */
const classNames: Plugin = {
  name: 'class-names',
  enforce: 'pre',
  resolveId: (source, importer = '') =>
    source.endsWith('.module.css') ? `\0${join(dirname(importer), source)}.js` : null,
  load(id) {
    const file = id.slice(1, -'.js'.length);
    return file.endsWith('.module.css') ? `export default ${JSON.stringify(classNamesOf(file))}` : null;
  },
};

/** Renders the shell with the dashboard's own components, so that both look the same. */
async function renderShell(): Promise<string> {
  const { module } = await runnerImport<typeof import('./src/app/approval-shell.tsx')>(
    fromHere('src/app/approval-shell.tsx'),
    {
      configFile: false,
      root: fromHere('.'),
      plugins: [classNames],
      // The other kind of JSX exists only in React's development build.
      oxc: { jsx: { runtime: 'automatic', development: false } },
    },
  );
  return module.approvalShell();
}

/**
 * Writes `preloads.json`: the chunks of each path in `FIRST_MODULES` with all that they import, and the shell of each in
 * `SHELL_PATHS`. The server puts them into the page, so that a browser loads the chunks together with the entry instead
 * of one after the other.
 */
const listPreloads: Plugin = {
  name: 'list-preloads',
  apply: 'build',
  async generateBundle(_, bundle) {
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
    const styles = Object.keys(bundle).filter((file) => /\/rest-[^/]+\.css$/.test(file));
    const preloads: Preloads[] = FIRST_MODULES.map(([path, modules]) => ({
      path,
      files: [...styles, ...new Set(modules.flatMap(filesOf))],
    }));
    const shell = await renderShell();
    for (const path of SHELL_PATHS) preloads.push({ path, files: [], shell });
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

/** The names of the classes in a style module. */
function classNamesOf(file: string): Record<string, string> {
  const names = readFileSync(file, 'utf8').matchAll(/\.([a-z][\w-]*)/gi);
  return Object.fromEntries([...names].map(([, name = '']) => [name, className(name, file)]));
}

for (const path of readdirSync(fromHere('src'), { recursive: true, encoding: 'utf8' }).sort())
  if (path.endsWith('.module.css')) classNamesOf(join(fromHere('src'), path));

/** What runs while the rest of the approval page is loading, with all that it imports. */
const EARLY =
  /\/web\/src\/(main-early|lib\/(auth-store|early|image-line|in-time|local-store|organizations|page-context|post-init|refresh-request|user)|features\/approval\/(approval-target|early-approval|fill-shell|like-of|params-call))\.ts$/;

const SHARED = /\/web\/src\/(components|lib\/(?!zod))/;

/** The forms in which people prove who they are or whom they vouch for, on pages that most people open once. */
const PROOFS =
  /\/web\/src\/(components\/(code-field|code-form|comparison|copy-link|cross-icon|email-field|mailed-code|qr-code|qr-path|step-up|timeline)|lib\/(check-policy-statement|check-vouch-statement|email-confirmation|enrolment|locked-until|one-time-code|registration-errors|step-up|use-step-up|use-vouch|vouch))\.tsx?$/;

export default defineConfig({
  root: fromHere('.'),
  plugins: [react(), plainImports, splitStyles, listPreloads, finishPage],
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
    // `plainImports` preloads nothing, so the entry doesn't have to list which chunk needs which.
    modulePreload: false,
    rolldownOptions: {
      input: { index: fromHere('index.html'), early: fromHere('src/main-early.ts') },
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
            { name: 'early', test: EARLY, priority: 1 },
            { name: 'record-store', test: /\/node_modules\/pocketbase\//, priority: 1 },
            { name: 'index', tags: ['$initial'] },
            { name: 'shared', test: (id) => SHARED.test(id) && !PROOFS.test(id), minShareCount: 2 },
            // The approval page doesn't load these.
            { name: 'proofs', test: PROOFS, minShareCount: 2 },
          ],
        },
      },
    },
    target: 'es2022',
  },
});
