import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
const biome = join(root, 'node_modules/.bin/biome');

/** [the file that imports, what it imports] */
type Edge = readonly [file: string, source: string];

const forbidden: Edge[] = [
  ['src/contract/a.ts', '../app-error.ts'],
  ['src/contract/a.ts', '../approvals/ports.ts'],
  ['src/contract/a.ts', 'node:crypto'],
  ['src/contract/a.ts', 'express'],
  ...['approvals', 'authenticators', 'accounts', 'activity'].flatMap((room): Edge[] => [
    [`src/${room}/a.ts`, '../github/members.ts'],
    [`src/${room}/a.ts`, '../store/records.ts'],
    [`src/${room}/a.ts`, '../http/routes.ts'],
    [`src/${room}/a.ts`, '../mail/smtp.ts'],
    [`src/${room}/a.ts`, 'nodemailer/lib/smtp-connection'],
    [`src/${room}/a.ts`, '../bot/sweeper.ts'],
    [`src/${room}/a.ts`, '../demo/main.ts'],
    [`src/${room}/a.ts`, '../config.ts'],
    [`src/${room}/a.ts`, '../product.ts'],
    [`src/${room}/a.ts`, '@octokit/core'],
    [`src/${room}/a.ts`, 'probot'],
    [`src/${room}/a.ts`, 'pocketbase'],
    [`src/${room}/a.ts`, 'express'],
    [`src/${room}/inner/a.ts`, '../../github/members.ts'],
  ]),
  ['src/github/a.ts', '../store/records.ts'],
  ['src/github/a.ts', '../http/routes.ts'],
  ['src/github/a.ts', '../mail/smtp.ts'],
  ['src/github/a.ts', '../bot/sweeper.ts'],
  ['src/github/a.ts', '../demo/main.ts'],
  ['src/github/a.ts', '../main.ts'],
  ['src/github/a.ts', 'pocketbase'],
  ['src/github/inner/a.ts', '../../store/records.ts'],
  ['src/store/a.ts', '../github/members.ts'],
  ['src/store/a.ts', '../http/routes.ts'],
  ['src/store/a.ts', '../mail/smtp.ts'],
  ['src/store/a.ts', '../bot/sweeper.ts'],
  ['src/store/a.ts', '../demo/main.ts'],
  ['src/store/a.ts', '../product.ts'],
  ['src/store/a.ts', '@octokit/core'],
  ['src/store/inner/a.ts', '../../github/members.ts'],
  ['src/mail/a.ts', '../github/members.ts'],
  ['src/mail/a.ts', '../store/records.ts'],
  ['src/mail/a.ts', '../http/routes.ts'],
  ['src/mail/a.ts', '../bot/sweeper.ts'],
  ['src/mail/a.ts', '../demo/main.ts'],
  ['src/mail/a.ts', '../config.ts'],
  ['src/mail/a.ts', '../main.ts'],
  ['src/mail/a.ts', '@octokit/core'],
  ['src/mail/a.ts', 'probot'],
  ['src/mail/a.ts', 'pocketbase'],
  ['src/mail/a.ts', 'express'],
  ['src/mail/inner/a.ts', '../../store/records.ts'],
  ['src/bot/a.ts', '../github/members.ts'],
  ['src/bot/a.ts', '../store/records.ts'],
  ['src/bot/a.ts', '../http/routes.ts'],
  ['src/bot/a.ts', '../mail/smtp.ts'],
  ['src/bot/a.ts', '../demo/main.ts'],
  ['src/bot/a.ts', '../main.ts'],
  ['src/bot/a.ts', 'pocketbase'],
  ['src/http/a.ts', '../github/members.ts'],
  ['src/http/a.ts', '../store/records.ts'],
  ['src/http/a.ts', '../bot/sweeper.ts'],
  ['src/http/a.ts', '../mail/smtp.ts'],
  ['src/http/a.ts', '../demo/main.ts'],
  ['src/http/a.ts', '../product.ts'],
  ['src/http/a.ts', 'pocketbase'],
  ['src/config.ts', './store/records.ts'],
  ['src/log.ts', './mail/smtp.ts'],
  ['src/app-error.ts', './main.ts'],
  ['web/src/lib/a.ts', '../../../src/approvals/policy.ts'],
  ['web/src/lib/a.ts', '../../../src/app-error.ts'],
  ['web/src/lib/a.ts', '../features/sign-in/form.tsx'],
  ['web/src/components/a.tsx', '../features/sign-in/form.tsx'],
  ['web/src/features/approval/a.tsx', '../sign-in/form.tsx'],
  ['web/src/features/approval/a.tsx', '../../features/sign-in/form.tsx'],
  ['web/src/features/approval/a.tsx', '../../../../src/http/routes.ts'],
  ['web/src/features/approval/a.tsx', '../../routes/collect.tsx'],
  ['web/src/features/approval/api/a.ts', '../../sign-in/form.tsx'],
  ['web/src/features/approval/api/a.ts', '../../../features/sign-in/form.tsx'],
];

const allowed: Edge[] = [
  ['src/contract/b.ts', 'zod'],
  ['src/contract/b.ts', './fields.ts'],
  ['src/approvals/b.ts', './ports.ts'],
  ['src/approvals/b.ts', '../authenticators/ports.ts'],
  ['src/approvals/b.ts', '../contract/approvals.ts'],
  ['src/approvals/b.ts', '../app-error.ts'],
  ['src/approvals/b.ts', '../clock.ts'],
  ['src/approvals/b.ts', 'node:crypto'],
  ['src/approvals/b.ts', '@simplewebauthn/server'],
  ['src/approvals/b.ts', 'canonicalize'],
  ['src/authenticators/b.ts', 'otpauth'],
  ['src/approvals/inner/b.ts', '../ports.ts'],
  ['src/approvals/inner/b.ts', '../../contract/approvals.ts'],
  ['src/github/b.ts', '../approvals/ports.ts'],
  ['src/github/b.ts', '@octokit/core'],
  ['src/store/b.ts', '../accounts/ports.ts'],
  ['src/store/b.ts', 'pocketbase'],
  ['src/mail/b.ts', '../accounts/ports.ts'],
  ['src/mail/b.ts', '../contract/image.ts'],
  ['src/mail/b.ts', './render.ts'],
  ['src/mail/b.ts', 'nodemailer/lib/smtp-connection'],
  ['src/mail/b.ts', 'react-dom/server'],
  ['src/mail/b.ts', 'node:module'],
  ['src/bot/b.ts', '../approvals/evaluate.ts'],
  ['src/bot/b.ts', 'probot'],
  ['src/http/b.ts', '../approvals/approve.ts'],
  ['src/http/b.ts', 'express'],
  ['src/clock.ts', './app-error.ts'],
  ['src/main.ts', './store/records.ts'],
  ['src/product.ts', './github/members.ts'],
  ['src/product.ts', './mail/smtp.ts'],
  ['src/demo/main.ts', '../product.ts'],
  ['web/src/lib/b.ts', '../../../src/contract/approvals.ts'],
  ['web/src/routes/b.tsx', '../features/approval/page.tsx'],
  ['web/src/features/approval/b.tsx', './form.tsx'],
  ['web/src/features/approval/b.tsx', './api/approve.ts'],
  ['web/src/features/approval/b.tsx', '../../components/button.tsx'],
  ['web/src/features/approval/b.tsx', '../../lib/api-client.ts'],
  ['web/src/features/approval/b.tsx', '../../../../src/contract/approvals.ts'],
  ['web/src/features/approval/b.tsx', 'react'],
  ['web/src/features/approval/api/b.ts', '../form.tsx'],
  ['web/src/features/approval/api/b.ts', '../../../lib/api-client.ts'],
  ['web/src/features/approval/api/b.ts', '../../../../../src/contract/approvals.ts'],
];

/** The same edge in each form that a module has for it. */
const forms = (source: string) => [
  `import { x } from '${source}';\nexport const y = x;\n`,
  `import type { X } from '${source}';\nexport type Y = X;\n`,
  `export { z } from '${source}';\n`,
  `export const load = () => import('${source}');\n`,
];

/** Each edge has a file to itself, beside the one it stands for; a file in the root of src keeps its name. */
const edges = [...forbidden, ...allowed].map(([file, source], index) => {
  const keepsName = /^src\/([^/]+|demo\/main)\.ts$/.test(file);
  return { source, file: keepsName ? file : file.replace(/[ab](\.tsx?)$/, `edge-${index}$1`) };
});

type Report = { diagnostics: { category: string; location: { path: string | { file: string } } }[] };

let tree: string;
let found: Map<string, string[]>;

async function write(file: string, text: string) {
  await mkdir(dirname(join(tree, file)), { recursive: true });
  await writeFile(join(tree, file), text);
}

/** Lints the whole generated tree once: file → the rules it breaks, one entry a finding. */
async function lintTree() {
  const report = await new Promise<Report>((resolve, reject) => {
    const args = ['lint', '--reporter=json', '--max-diagnostics=none', '--vcs-enabled=false', '.'];
    execFile(biome, args, { cwd: tree, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      if (!stdout.trim()) return reject(error ?? new Error(stderr));
      resolve(JSON.parse(stdout));
    });
  });
  const rules = new Map<string, string[]>();
  for (const { category, location } of report.diagnostics) {
    const file = typeof location.path === 'string' ? location.path : location.path.file;
    rules.set(file, [...(rules.get(file) ?? []), category]);
  }
  return rules;
}

beforeAll(async () => {
  tree = await realpath(await mkdtemp(join(tmpdir(), 'import-rule-')));
  await cp(join(root, 'biome.json'), join(tree, 'biome.json'));
  for (const { file, source } of edges) await write(file, forms(source).join(''));
  await write('src/approvals/one.ts', "import { two } from './two.ts';\nexport const one = () => two;\n");
  await write('src/approvals/two.ts', "import { one } from './one.ts';\nexport const two = () => one;\n");
  await write('src/http/env.ts', 'export const port = process.env.PORT;\n');
  await write(
    'src/config.ts',
    `${forms('./store/records.ts').join('')}export const port = process.env.PORT;\n`,
  );
  found = await lintTree();
});

afterAll(() => rm(tree, { recursive: true, force: true }));

const count = (file: string, rule: string) => (found.get(file) ?? []).filter((name) => name === rule).length;

describe('the import rule', () => {
  test.each(forbidden.map((edge, index) => [...edge, index] as const))(
    'refuses that %s imports %s',
    (_file, source, index) => {
      expect(count(edges[index]?.file ?? '', 'lint/style/noRestrictedImports')).toBe(forms(source).length);
    },
  );

  test.each(allowed.map((edge, index) => [...edge, index + forbidden.length] as const))(
    'lets %s import %s',
    (_file, _source, index) => {
      expect(found.get(edges[index]?.file ?? '') ?? []).not.toContain('lint/style/noRestrictedImports');
    },
  );

  test('refuses a circle', () => {
    expect(count('src/approvals/one.ts', 'lint/suspicious/noImportCycles')).toBe(1);
    expect(count('src/approvals/two.ts', 'lint/suspicious/noImportCycles')).toBe(1);
  });

  test('lets only the configuration read the environment', () => {
    expect(count('src/http/env.ts', 'lint/style/noProcessEnv')).toBe(1);
    expect(count('src/config.ts', 'lint/style/noProcessEnv')).toBe(0);
  });
});
