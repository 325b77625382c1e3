// The built product as a process for tests. The first argument holds shorter waits, as JSON. A parent that forked it
// can move its clock ahead by sending a number of milliseconds.
import pino from 'pino';
import { startProduct } from '../../dist/app/product.js';
import { shutDownOnSignal } from '../../dist/app/shutdown.js';
import { readConfig } from '../../dist/settings/config.js';

const waits = JSON.parse(process.argv[2] ?? '{}');
const config = readConfig(process.env);
let aheadMs = 0;
process.on('message', (ms) => {
  aheadMs = ms;
  process.send('moved');
});
process.on('disconnect', () => process.exit(0));

const product = await startProduct(config, {
  log: pino({ level: config.logLevel }, pino.destination(2)),
  clock: { now: () => new Date(Date.now() + aheadMs) },
  waits,
});
shutDownOnSignal(() => product.stop(), { isOneOfMany: config.store.kind === 'external' });
process.stdout.write('{"ready":true}\n');
process.send?.('ready');
