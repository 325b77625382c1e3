import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { LocalGitHub } from '../../demo/local-github.ts';
import { APP_KEY } from '../support/app-key.ts';
import { startLocalGitHub } from '../support/built.ts';
import {
  type BuiltImage,
  buildImage,
  containerCommand,
  createVolume,
  execInContainer,
  firstProcess,
} from '../support/container.ts';
import { freePort, until } from '../support/product.ts';
import { Running } from '../support/running.ts';
import { setUpBrowser } from '../support/set-up-browser.ts';

const OWNER = 10001;
const BUILD_MS = 600_000;

// scripts/test.js says why, and fails in CI.
const describeImage = process.env.IMAGE_SKIPPED ? describe.skip : describe;

describeImage('the container image', () => {
  const folder = mkdtempSync(join(tmpdir(), 'otp-guard-image-'));
  const running: Running[] = [];
  let image: BuiltImage;
  let github: LocalGitHub;
  let env: Record<string, string>;

  beforeAll(async () => {
    image = await buildImage();
    const port = String(await freePort());
    const PUBLIC_URL = `http://localhost:${port}`;
    github = await startLocalGitHub({ privateKey: APP_KEY, port: 0, publicUrl: PUBLIC_URL });
    const { GITHUB_SERVER_URL, GITHUB_API_URL } = github.env;
    env = { PUBLIC_URL, PORT: port, GITHUB_SERVER_URL, GITHUB_API_URL };
  }, BUILD_MS);
  afterEach(async () => {
    for (const one of running.splice(0)) await one.clear();
  });
  afterAll(async () => {
    await github?.close();
    await image?.remove();
    rmSync(folder, { recursive: true, force: true });
  }, BUILD_MS);

  const start = (volume: string) => {
    const [program, ...args] = containerCommand(image, { volume, env });
    const started = new Running({}, { program, args, isNode: false });
    running.push(started);
    return started;
  };
  const exec = (one: Running, command: string[]) =>
    execInContainer(firstProcess(one.child.pid ?? 0), { config: image.config, env, command });
  const isHealthy = (one: Running) => {
    const [, ...command] = image.config.Healthcheck.Test;
    return exec(one, command).then(
      () => true,
      () => false,
    );
  };

  it('has the package over its base, for a user without rights, and nothing that builds it', () => {
    process.stderr.write(`The image has ${image.megabytes} MB over its base.\n`);
    const { User, Entrypoint, Cmd, Volumes } = image.config;
    expect({ User, Entrypoint, Cmd, Volumes }).toEqual({
      User: `${OWNER}:${OWNER}`,
      Entrypoint: ['otp-guard'],
      Cmd: ['start'],
      Volumes: { '/data': {} },
    });
    expect(readdirSync(join(image.rootfs, 'opt/otp-guard'))).toEqual(['bin', 'lib']);
    expect(readdirSync(image.rootfs)).not.toContain('build');
    expect(readdirSync(join(image.rootfs, 'opt/otp-guard/lib/node_modules'))).toEqual(['otp-guard']);
    expect(image.megabytes).toBeLessThan(150);
    const { services } = parse(readFileSync('compose.full.yaml', 'utf8'));
    expect(existsSync(join(image.rootfs, services.pocketbase.entrypoint[0]))).toBe(true);
  });

  it('registers its App, starts, backs up and stops, and writes to its volume only', async () => {
    const volume = createVolume(image, folder);
    writeFileSync(join(folder, 'before'), '');
    const first = start(volume);
    const address = await until('the address', () => /http:\S+\/set-up\/\S+/.exec(first.stderr)?.[0]);
    expect(await isHealthy(first)).toBe(true);
    const browser = setUpBrowser(address);
    await browser.open();
    const { manifest, state } = await browser.register();
    const body = new URLSearchParams({ manifest: JSON.stringify(manifest), state });
    const made = await fetch(`${github.origin}/_local/apps`, { method: 'POST', body, redirect: 'manual' });
    const { pathname, search } = new URL(made.headers.get('location') ?? '');
    expect((await browser.get(pathname + search)).text).toContain('The App is registered');
    expect(await first.ready()).toEqual({ ready: true, dashboard: env.PUBLIC_URL });
    expect(await isHealthy(first)).toBe(true);
    expect((await fetch(`${env.PUBLIC_URL}/readyz`)).status).toBe(200);
    expect(JSON.parse(await exec(first, ['otp-guard', 'backup', '--json']))).toMatchObject({
      backedUp: true,
    });
    await expect(exec(first, ['touch', '/opt/otp-guard/a', '/tmp/a'])).rejects.toThrow(
      'Read-only file system',
    );
    const process1 = firstProcess(first.child.pid ?? 0);
    expect(statSync(`/proc/${process1}`).uid).toBe(OWNER);
    // It ends with 1 if it isn't done within five seconds.
    process.kill(process1, 'SIGTERM');
    expect(await first.ended()).toBe(0);

    const second = start(volume);
    expect(await second.ready()).toEqual({ ready: true, dashboard: env.PUBLIC_URL });
    process.kill(firstProcess(second.child.pid ?? 0), 'SIGTERM');
    expect(await second.ended()).toBe(0);

    const find = (...args: string[]) => execFileSync('find', args, { encoding: 'utf8' });
    expect(find(image.rootfs, '-newer', join(folder, 'before'))).toBe('');
    expect(find(volume, '-not', '-uid', String(OWNER))).toBe('');
    expect([volume, join(volume, '.env')].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
  });
});
