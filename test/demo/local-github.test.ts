import { expect, it } from '@jest/globals';
import { startLocalGitHub } from '../../demo/local-github.ts';

it('the local GitHub fails with an error that names the port if it is taken', async () => {
  const github = await startLocalGitHub({ port: 0, publicUrl: 'http://localhost:1' });
  const port = Number(new URL(github.origin).port);
  const second = startLocalGitHub({ port, publicUrl: 'http://localhost:1' });
  await expect(second).rejects.toThrow(`Port ${port}`);
  await github.close();
});
