import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const UNIT = 'packaging/otp-guard.service';

function analyze(...args: string[]) {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
}

it('the systemd unit is valid, exposes at most 2.0, and leaves more time to stop than the program takes', () => {
  // Exits with 1 above the threshold, in tenths.
  const security = analyze('security', '--no-pager', '--offline=true', '--threshold=20', UNIT);
  expect([security.said, security.status]).toEqual([expect.stringMatching(/exposure level .* OK/), 0]);
  const unit = readFileSync(UNIT, 'utf8');
  const folder = mkdtempSync(join(tmpdir(), 'otp-guard-'));
  try {
    // It looks for the program, which isn't installed here. It names what it finds by the file.
    const copy = join(folder, 'otp-guard.service');
    writeFileSync(copy, unit.replace('ExecStart=otp-guard ', `ExecStart=${process.execPath} `));
    const { said } = analyze('verify', '--man=no', copy);
    expect(said.split('\n').filter((line) => line.includes('otp-guard'))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
  const [, patience = ''] =
    /LONGER_PATIENCE_MS = ([\d_]+)/.exec(readFileSync('src/app/shutdown.ts', 'utf8')) ?? [];
  const [, stop = ''] = /^TimeoutStopSec=(\d+)s$/m.exec(unit) ?? [];
  expect(Number(stop) * 1000).toBeGreaterThan(Number(patience.replace('_', '')));
});

it('the unit and the image pass the same options to Node, and Node takes them', () => {
  const [, options] = /^Environment="NODE_OPTIONS=(.+)"$/m.exec(readFileSync(UNIT, 'utf8')) ?? [];
  const [, ofImage] = /^ENV NODE_OPTIONS="(.+)"$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
  expect(ofImage).toBe(options);
  const script = 'console.log(require("node:v8").getHeapStatistics().heap_size_limit / 2 ** 20)';
  const env = { ...process.env, NODE_OPTIONS: options };
  const { stdout } = spawnSync(process.execPath, ['-e', script], { env, encoding: 'utf8' });
  expect(Number(stdout)).toBeLessThan(1200);
});
