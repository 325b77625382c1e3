import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from './product.ts';
import { until } from './until.ts';

export type TestRedis = Awaited<ReturnType<typeof startRedis>>;

/** Starts a real Redis that keeps nothing on disk. */
export async function startRedis() {
  const port = await freePort();
  let end = async () => undefined as unknown;
  const redis = {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      await end();
    },
    /** Starts it again, empty, at the same address. */
    async start() {
      const child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '']);
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
      const exited = once(child, 'exit');
      end = async () => {
        child.kill();
        await exited;
      };
      await until('Redis to start', async () => output.includes('Ready to accept connections'));
    },
  };
  await redis.start();
  return redis;
}
