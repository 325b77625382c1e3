import { type ChildProcess, spawn } from 'node:child_process';
import { freePort } from './product.ts';
import { end } from './running.ts';
import { until } from './until.ts';

export type TestRedis = Awaited<ReturnType<typeof startRedis>>;

/** Starts a real Redis that keeps nothing on disk. */
export async function startRedis() {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const redis = {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      if (child) await end(child, 'SIGTERM');
    },
    /** Starts it again, empty, at the same address. */
    async start() {
      const started = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '']);
      child = started;
      let output = '';
      started.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
      await until('Redis to start', async () => output.includes('Ready to accept connections'));
    },
  };
  await redis.start();
  return redis;
}
