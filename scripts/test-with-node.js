// Runs tests with another Node, which the registry has as a package: node scripts/test-with-node.js 24 [arguments of
// npm test]. The packages of node_modules stay.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const [version, ...args] = process.argv.slice(2);
if (!/^\d+(\.\d+){0,2}$/.test(version ?? '')) {
  console.error('Name the version of Node, such as: node scripts/test-with-node.js 24');
  process.exit(2);
}
const name = `node-${process.platform}-${process.arch}`;
const folder = mkdtempSync(join(tmpdir(), 'otp-guard-node-'));
const run = (command, list, env = process.env) => {
  const { status } = spawnSync(command, list, { cwd: dirname(import.meta.dirname), stdio: 'inherit', env });
  return status ?? 1;
};
try {
  const install = [
    'install',
    '--silent',
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    `--prefix=${folder}`,
  ];
  process.exitCode = run('npm', [...install, `${name}@${version}`]);
  if (process.exitCode === 0) {
    const bin = join(folder, 'node_modules', name, 'bin');
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
    run(join(bin, 'node'), ['--version']);
    process.exitCode = run(join(bin, 'node'), ['scripts/test.js', ...args], env);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
