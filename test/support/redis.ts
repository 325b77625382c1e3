import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from './product.ts';
import { until } from './until.ts';

export type TestRedis = { url: string; stop(): Promise<void> };

/** Starts a real Redis that keeps nothing on disk. */
export async function startRedis(): Promise<TestRedis> {
  const port = await freePort();
  const child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '']);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const exited = once(child, 'exit');
  await until('Redis to start', async () => output.includes('Ready to accept connections'));
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      child.kill();
      await exited;
    },
  };
}
