import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** `import()` and nothing around it: a chunk needs only the entry and the one style sheet, which are there already. */
const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  apply: 'build',
  load: (id) =>
    id.includes('vite/preload-helper') ? 'export const __vitePreload = (load) => load();' : null,
};

/** The classes of all style modules by file and name, numbered in one order on every machine. */
const classes = new Map<string, string>();

/** Short, because the one style sheet is loaded with the approval page; and no two sheets share a class. */
function className(name: string, file: string): string {
  const key = `${relative(here('src'), file)} ${name}`;
  if (!classes.has(key)) classes.set(key, `c${classes.size.toString(36)}`);
  return classes.get(key) ?? name;
}

for (const path of readdirSync(here('src'), { recursive: true, encoding: 'utf8' }).sort()) {
  if (!path.endsWith('.module.css')) continue;
  const file = join(here('src'), path);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/\.([a-z][\w-]*)/gi)) className(name, file);
}

export default defineConfig({
  root: here('.'),
  plugins: [react(), plainImports],
  css: { modules: { generateScopedName: className } },
  resolve: {
    // The package leads bundlers to its development build, which warns in the console and is larger.
    alias: [
      {
        find: /^react-router$/,
        replacement: here('../node_modules/react-router/dist/production/index.mjs'),
      },
      {
        find: /^react-router\/dom$/,
        replacement: here('../node_modules/react-router/dist/production/dom-export.mjs'),
      },
    ],
  },
  build: {
    outDir: here('../dist/web'),
    emptyOutDir: true,
    assetsDir: 'assets',
    // Nothing as a data: URI: the policy allows those for images only.
    assetsInlineLimit: 0,
    // One small style sheet: the approval page keeps to five requests, and no page flashes unstyled.
    cssCodeSplit: false,
    // Should the entry ever be split, its parts are fetched side by side. The polyfill is for browsers long gone.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The package does not say so itself: without this, registration would be loaded with the approval page.
      treeshake: { moduleSideEffects: [{ test: /@simplewebauthn\/browser/, sideEffects: false }] },
      // What the entry needs is one file. Left alone, the bundler splits it by which lazy pages share what.
      output: { codeSplitting: { groups: [{ name: 'index', tags: ['$initial'] }] } },
    },
    target: 'es2022',
  },
});
