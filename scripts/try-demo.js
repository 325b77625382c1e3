// Starts the demo as a new user would, waits until it's ready, and ends it: node scripts/try-demo.js
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';

const LONGEST_MS = 10 * 60_000;

const demo = spawn('npm', ['run', '--silent', 'demo'], {
  cwd: dirname(import.meta.dirname),
  stdio: ['ignore', 'pipe', 'inherit'],
});
const timer = setTimeout(() => fail('The demo was not ready in ten minutes.'), LONGEST_MS);
demo.once('exit', (code) => fail(`The demo ended with ${code}.`));
for await (const line of createInterface({ input: demo.stdout })) {
  const { dashboard, pull } = JSON.parse(line);
  const [page, pullPage] = await Promise.all([fetch(`${dashboard}/healthz`), fetch(pull)]);
  if (page.status !== 200 || pullPage.status !== 200) fail('The demo does not answer.');
  console.log(`The demo runs with Node ${process.version} on ${process.platform}-${process.arch}.`);
  break;
}
clearTimeout(timer);
demo.removeAllListeners('exit').once('exit', (code) => process.exit(code ?? 1));
demo.kill('SIGTERM');

function fail(reason) {
  console.error(reason);
  demo.removeAllListeners('exit').kill('SIGTERM');
  process.exit(1);
}
