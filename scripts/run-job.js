// Runs the commands of a workflow's job here, as an ordinary user in a new Debian, as a runner would:
// node scripts/run-job.js .github/workflows/ci.yml check 24. It clones the last commit, sees nothing else of this
// machine but its network and where its packages come from, and needs root and debootstrap.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { fail, installNode } from './programs.js';

/** What GitHub's runners have of what our jobs use. Debian stands in for their Ubuntu. */
const ON_A_RUNNER = ['ca-certificates', 'chromium', 'git', 'procps', 'python3', 'sudo', 'systemd'];
const SUITE = 'bookworm';
const AUTHORITIES = '/etc/ssl/authorities-of-this-machine.pem';

const RUN = `set -e
root=$1; shift
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
for file in hosts resolv.conf; do touch "$root/etc/$file"; mount --bind "/etc/$file" "$root/etc/$file"; done
exec chroot "$root" "$@"`;

const [workflow, job, node = '24'] = process.argv.slice(2);
const steps = workflow && parse(readFileSync(workflow, 'utf8')).jobs[job]?.steps;
if (!steps)
  fail('Name a workflow and one of its jobs: node scripts/run-job.js .github/workflows/ci.yml check 24');
if (process.getuid?.() !== 0) fail('Only root can make a system of its own. Run this as root.');

const folder = mkdtempSync(join(tmpdir(), 'otp-guard-job-'));
const root = join(folder, 'root');
try {
  makeSystem();
  for (const { run: command } of steps) if (command) runStep(command);
  console.log(`Every command of ${job} ended with 0, under Node ${node}.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function makeSystem() {
  // In a namespace of its own, so that what it mounts goes with it.
  run('unshare', ['--mount', 'debootstrap', '--variant=minbase', SUITE, root]);
  const install = ['apt-get', 'install', '--quiet=2', '--yes', '--no-install-recommends', ...ON_A_RUNNER];
  runInside(['env', 'DEBIAN_FRONTEND=noninteractive', ...install]);
  copyNode();
  run('chroot', [root, 'useradd', '--create-home', '--shell=/bin/bash', 'runner']);
  writeFileSync(join(root, 'etc/sudoers.d/runner'), 'runner ALL=(ALL) NOPASSWD: ALL\n', { mode: 0o440 });
  const authorities = process.env.NODE_EXTRA_CA_CERTS;
  if (authorities) cpSync(authorities, join(root, AUTHORITIES));
  run('git', [
    'clone',
    '--quiet',
    '--no-local',
    dirname(import.meta.dirname),
    join(root, 'home/runner/work'),
  ]);
  run('chroot', [root, 'chown', '--recursive', 'runner:', '/home/runner/work']);
}

function copyNode() {
  const local = join(root, 'usr/local');
  cpSync(installNode(node, folder), join(local, 'bin/node'));
  const npm = join(output('npm', ['root', '--global']), 'npm');
  mkdirSync(join(local, 'lib/node_modules'), { recursive: true });
  cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true, dereference: true });
  for (const program of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${program}-cli.js`, join(local, 'bin', program));
}

/** As GitHub runs a step: by Bash, which ends at the first command that fails. */
function runStep(command) {
  console.log(`\n$ ${command.trim()}`);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    HOME: '/home/runner',
    LANG: 'C.UTF-8',
    CI: 'true',
    GITHUB_WORKSPACE: '/home/runner/work',
    GITHUB_REF_NAME: `v${version}`,
    npm_config_registry: output('npm', ['config', 'get', 'registry']),
    ...(process.env.NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS: AUTHORITIES }),
  };
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const bash = ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', command];
  const asRunner = ['setpriv', '--reuid=runner', '--regid=runner', '--init-groups'];
  runInside([...asRunner, 'env', '--ignore-environment', '--chdir=/home/runner/work', ...settings, ...bash]);
}

function runInside(command) {
  run('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', RUN, 'run', root, ...command]);
}

function run(command, args) {
  const { status, signal } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ended with ${status ?? signal}.`);
}

function output(command, args) {
  return spawnSync(command, args, { encoding: 'utf8' }).stdout.trim();
}
