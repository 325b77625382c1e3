// The built product in a process of its own, as a test needs it: its first argument holds shorter waits, as JSON,
// and a parent that forked it may send how many milliseconds its clock is ahead.
import pino from 'pino';
import { readConfig } from '../../dist/config.js';
import { endWhenAsked } from '../../dist/ending.js';
import { startProduct } from '../../dist/product.js';

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
endWhenAsked(() => product.stop());
process.stdout.write('{"ready":true}\n');
process.send?.('ready');
