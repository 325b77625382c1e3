import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const FOLDER = 'test/second-github';

/** Installs the simulator of GitHub in its own folder, and starts it on a free port. */
export async function startSecondGitHub() {
  const installed = spawnSync('npm', ['ci', '--ignore-scripts'], { cwd: FOLDER, encoding: 'utf8' });
  if (installed.status !== 0) throw new Error(`npm ci failed in ${FOLDER}: ${installed.stderr}`);
  const child = spawn(process.execPath, ['start.js'], { cwd: FOLDER, stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string];
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill();
    await ended;
  };
  return { apiUrl: `http://localhost:${port}`, stop };
}
