import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = dirname(dirname(import.meta.dirname));
const PROGRAM = join(root, 'dist/program/otp-guard.js');
const SCRIPT = join(root, 'test/receipts/verify_receipt.py');

/** Stores the receipts of these heads, the organization's log and the published keys. */
export async function storeProofs(world, folder, { owner, targets }) {
  const receipts = [];
  for (const target of targets) receipts.push(...(await world.must('/receipts', target, owner)).receipts);
  const { next: _next, ...log } = await world.must('/log-export', { orgID: world.facts.orgID }, owner);
  const keys = await (await fetch(`${world.origin}/.well-known/otp-guard.json`)).json();
  // As text files, so that no formatter changes them.
  for (const [name, value] of Object.entries({ receipts: { receipts }, log, keys }))
    writeFileSync(join(folder, `${name}.txt`), `${JSON.stringify(value)}\n`);
}

/** What the Python script and the built program say about what a folder has. */
export function verifyProofs(folder) {
  const file = (name) => join(folder, `${name}.txt`);
  const keys = ['--keys', file('keys')];
  const runs = {
    'verify_receipt.py': ['/usr/bin/python3', ['-B', SCRIPT, file('receipts'), file('keys')]],
    'otp-guard verify': [process.execPath, [PROGRAM, 'verify', file('receipts'), ...keys]],
    'otp-guard verify --json': [process.execPath, [PROGRAM, 'verify', file('receipts'), ...keys, '--json']],
    'otp-guard audit': [process.execPath, [PROGRAM, 'audit', file('log'), ...keys]],
  };
  return Object.entries(runs)
    .map(([name, [program, args]]) => {
      const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', cwd: folder, env: {} });
      return `== ${name}: exits with ${status}\n${stdout}${stderr}`.replaceAll(`${folder}/`, '');
    })
    .join('\n');
}
