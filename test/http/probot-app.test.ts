import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LocalGitHub } from '../../demo/local-github.ts';
import { startLocalGitHub } from '../support/built.ts';
import { webhookFixture } from '../support/fixtures.ts';

// The file that CONTRIBUTING.md names.
const APP = 'dist/app/probot-app.js';
/** What npx runs. */
const PROBOT = 'node_modules/.bin/probot';
const FIXTURES = readdirSync('fixtures/webhooks')
  .filter((name) => name.endsWith('.json'))
  .map((name) => `fixtures/webhooks/${name}`);
/**
 * All of them in the soak: each takes as long as a start. The event of the Marketplace has no installation, and GitHub
 * doesn't know that of the merge group.
 */
const REPLAYED = process.env.SOAK
  ? FIXTURES
  : FIXTURES.filter((name) => /purchased|checks_requested/.test(name));

let github: LocalGitHub;
const folder = mkdtempSync(join(tmpdir(), 'otp-guard-test-'));
beforeAll(async () => {
  github = await startLocalGitHub({ port: 0, publicUrl: 'http://localhost:9' });
});
afterAll(async () => {
  await github?.close();
  rmSync(folder, { recursive: true });
});

/** @returns The exit code, and what was written if it isn't 0. */
async function receive(event: string, payload: string): Promise<[number, string]> {
  // A running product's folder must stay as it is: this one can't be used.
  const env = { ...process.env, ...github.env, DATA_DIR: '/dev/null' };
  const child = spawn(process.execPath, [PROBOT, 'receive', '-e', event, '-p', payload, APP], { env });
  let said = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk) => (said += chunk));
  const [code] = await once(child, 'close');
  return [code, code === 0 ? '' : said];
}

describe('`probot receive` with the Probot app', () => {
  it.each(REPLAYED)('replays %s, and ends', async (path) => {
    const event = path.split('/').at(-1)?.split('.')[0] ?? '';
    expect(await receive(event, path)).toEqual([0, '']);
  });

  it('ends after an event that no handler is registered for', async () => {
    expect(await receive('push', 'fixtures/webhooks/pull_request.opened.json')).toEqual([0, '']);
  });

  it('creates the check run of a pull request at the GitHub of the settings', async () => {
    const { origin, facts } = github;
    const headers = { authorization: `Bearer ${facts.adminToken}` };
    const read = async (path: string) =>
      (await fetch(`${origin}/repos/${facts.org}/${facts.repo}${path}`, { headers })).json();
    const pull = await read('/pulls/1');
    const payload = webhookFixture('pull_request.opened', (opened) =>
      Object.assign(opened, {
        pull_request: pull,
        repository: pull.base.repo,
        installation: { id: facts.installation },
      }),
    );
    const path = join(folder, 'opened.json');
    writeFileSync(path, JSON.stringify(payload));
    expect(await receive('pull_request', path)).toEqual([0, '']);
    expect(await read(`/commits/${pull.head.sha}/check-runs`)).toMatchObject({
      check_runs: [{ name: 'OTP Guard', status: 'in_progress' }],
    });
  });
});
