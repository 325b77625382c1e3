// The built product in a process of its own, with a clock that its parent can move:
// the parent sends how many milliseconds it is ahead.
import pino from 'pino';
import { readConfig } from '../../dist/config.js';
import { startProduct } from '../../dist/product.js';

let aheadMs = 0;
process.on('message', (ms) => {
  aheadMs = ms;
  process.send('moved');
});
process.on('disconnect', () => process.exit(0));

const product = await startProduct(readConfig(process.env), {
  log: pino({ level: 'error' }, pino.destination(2)),
  clock: { now: () => new Date(Date.now() + aheadMs) },
});
process.on('SIGTERM', () => product.stop().then(() => process.exit(0)));
process.send('ready');
