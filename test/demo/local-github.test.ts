import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type LocalGitHub, startLocalGitHub } from '../../demo/local-github.ts';

const started: LocalGitHub[] = [];
afterEach(async () => await Promise.all(started.splice(0).map((github) => github.close())));

async function start(port = 0) {
  const github = await startLocalGitHub({ port, publicUrl: 'http://localhost:1' });
  started.push(github);
  return github;
}

describe('the local GitHub', () => {
  it('answers on localhost and on 127.0.0.1', async () => {
    const { origin, facts } = await start();
    for (const base of [origin, origin.replace('localhost', '127.0.0.1')]) {
      const answer = await fetch(`${base}/repos/${facts.org}/${facts.repo}`);
      expect(await answer.json()).toMatchObject({ full_name: 'octo-org/hello' });
    }
  });

  it('fails with an error that names the port if it is taken', async () => {
    const { origin } = await start();
    const port = Number(new URL(origin).port);
    await expect(startLocalGitHub({ port, publicUrl: 'http://localhost:1' })).rejects.toThrow(`Port ${port}`);
  });

  it('fails with an error that names the port if it is taken on one address only', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', () => resolve()));
    const { port } = other.address() as { port: number };
    const refused = startLocalGitHub({ port, publicUrl: 'http://localhost:1' });
    await expect(refused).rejects.toThrow(`Port ${port}`);
    await new Promise((resolve) => other.close(resolve));
  });

  it('frees its port when it is closed, even if its webhooks cannot be delivered', async () => {
    const first = await startLocalGitHub({ port: 0, publicUrl: 'http://localhost:1' });
    await first.close();
    const again = await start(Number(new URL(first.origin).port));
    expect(again.origin).toBe(first.origin);
  });
});
