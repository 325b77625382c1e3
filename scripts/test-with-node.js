// Runs tests with another Node, which the registry has as a package: node scripts/test-with-node.js 24 [arguments of
// npm test]. The packages of node_modules stay.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { installNode } from './programs.js';

const [version, ...args] = process.argv.slice(2);
if (!/^\d+(\.\d+){0,2}$/.test(version ?? '')) {
  console.error('Name the version of Node, such as: node scripts/test-with-node.js 24');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'otp-guard-node-'));
try {
  const node = installNode(version, folder);
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  const options = { cwd: dirname(import.meta.dirname), stdio: 'inherit', env };
  spawnSync(node, ['--version'], options);
  process.exitCode = spawnSync(node, ['scripts/test.js', ...args], options).status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
