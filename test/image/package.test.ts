import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { APP_KEY } from '../support/app-key.ts';
import { startLocalGitHub } from '../support/built.ts';
import { freePort } from '../support/product.ts';
import { Running } from '../support/running.ts';
import { TestLog } from '../support/test-log.ts';
import { addApproval } from '../support/test-receipt.ts';

type Manifest = { version: string };
type Locked = { version: string; dev?: boolean; devOptional?: boolean; os?: string[] };
type Lock = { packages: Record<string, Locked> };

/** A package that nothing but development needs, also as the optional peer of one that runs. */
const isForDevelopment = ({ dev, devOptional }: Locked) => Boolean(dev || devOptional);

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8'));
const { version } = readJson<Manifest>(resolve('package.json'));
const folder = mkdtempSync(join(tmpdir(), 'otp-guard-package-test-'));
const installed = join(folder, 'prefix/lib/node_modules/otp-guard');
const program = join(folder, 'prefix/bin/otp-guard');
const run = (command: string, args: string[]) =>
  execFileSync(command, args, { encoding: 'utf8', cwd: folder });
let tarball: string;

beforeAll(() => {
  const name = run(process.execPath, [resolve('scripts/package.js'), '--to', folder]).trim();
  tarball = join(folder, name);
  // The record store's binary is in the cache since npm ci, unless that ran on another machine.
  const install = ['install', '--global', '--omit=dev', '--ignore-scripts', '--prefer-offline'];
  run('npm', [...install, '--prefix', join(folder, 'prefix'), tarball]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the package', () => {
  it('has built files and the packages that they need, and nothing else', () => {
    const files = run('tar', ['-tzf', tarball])
      .split('\n')
      .filter((name) => name && !name.endsWith('/'));
    const own = files.filter((name) => !name.startsWith('package/node_modules/'));
    const top = own.filter((name) => !name.startsWith('package/dist/')).sort();
    expect(top.map((name) => name.slice('package/'.length))).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'app.yml',
      'package.json',
    ]);
    const built =
      /^package\/dist\/(build\.json|program\/[a-z0-9-]+\.js|web\/[\w./-]+\.(js|css|svg|png|ico|html|json|txt|br|woff2))$/;
    expect(own.filter((name) => name.startsWith('package/dist/') && !built.test(name))).toEqual([]);
    const program = join(installed, 'dist/program');
    const ofBuild = (name: string) => readFileSync(join(program, name), 'utf8').includes(resolve('.'));
    expect(readdirSync(program).filter(ofBuild)).toEqual([]);
    expect(files.filter((name) => /\.map$|\.d\.[cm]?ts$|\.tgz$/.test(name))).toEqual([]);
    expect(readJson(join(installed, 'package.json'))).not.toHaveProperty('scripts');
  });

  it('installs every package in the version that the tests saw, and none for development', () => {
    const { packages } = readJson<Lock>(resolve('package-lock.json'));
    const wanted = Object.entries(packages).filter(
      ([path, one]) => path && !isForDevelopment(one) && !one.os,
    );
    for (const [path, one] of wanted)
      expect([path, readJson<Manifest>(join(installed, path, 'package.json')).version]).toEqual([
        path,
        one.version,
      ]);
    for (const [path, one] of Object.entries(packages))
      if (isForDevelopment(one)) expect([path, existsSync(join(installed, path))]).toEqual([path, false]);
  });

  it('starts with the .env and the data of the working directory, and verifies a receipt', async () => {
    expect(run(program, ['--version']).split(/\s/)[0]).toBe(version);
    const log = new TestLog();
    const receipt = addApproval(log)();
    writeFileSync(join(folder, 'keys.json'), JSON.stringify({ ...log.keyList, app: 4242 }));
    writeFileSync(join(folder, 'receipt.json'), JSON.stringify(log.envelope(receipt)));
    expect(run(program, ['verify', 'receipt.json', '--keys', 'keys.json'])).toContain('proved   signature');

    const port = await freePort();
    const publicUrl = `http://localhost:${port}`;
    const github = await startLocalGitHub({ privateKey: APP_KEY, port: 0, publicUrl });
    const lines = Object.entries({ ...github.env, PORT: port, HOST: 'localhost' });
    const dotEnv = lines.map(([name, value]) => `${name}="${value}"\n`).join('');
    const product = new Running({}, { program, dotEnv });
    try {
      expect(await product.ready()).toEqual({ ready: true, dashboard: publicUrl });
      expect(await (await fetch(publicUrl)).text()).toContain('<title>OTP Guard</title>');
      expect(readdirSync(product.folder).sort()).toEqual(['.env', 'data']);
      product.child.kill('SIGTERM');
      expect(await product.ended()).toBe(0);
    } finally {
      await product.clear();
      await github.close();
    }
  });
});
