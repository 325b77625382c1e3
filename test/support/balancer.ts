import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './until.ts';

export type Balancer = { stop(): Promise<void> };

/** Starts HAProxy with packaging/haproxy.cfg, of which only the addresses differ. */
export async function startBalancer(input: {
  folder: string;
  port: number;
  servers: number[];
}): Promise<Balancer> {
  const { folder, port, servers } = input;
  const documented = readFileSync('packaging/haproxy.cfg', 'utf8');
  const config = documented
    .replace(/bind .*/, `bind 127.0.0.1:${port}`)
    .replaceAll(
      /10\.0\.0\.1([1-3]):3000/g,
      (_, number: string) => `127.0.0.1:${servers[Number(number) - 1]}`,
    );
  const path = join(folder, 'haproxy.cfg');
  writeFileSync(path, config);
  const child = spawn('haproxy', ['-db', '-f', path], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const exited = once(child, 'exit');
  await until('the balancer', async () => {
    if (child.exitCode !== null) throw new Error(`HAProxy ended: ${output}`);
    return (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null))?.ok;
  });
  return {
    async stop() {
      child.kill();
      await exited;
    },
  };
}
