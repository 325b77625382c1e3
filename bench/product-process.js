// The built product as a process of its own. With UNLIMITED it counts no calls of people and no writes to GitHub. Asked
// anything, it answers what its memory is after a garbage collection, and the most that it ever was.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pino from 'pino';
import { startProduct } from '../dist/app/product.js';
import { readConfig } from '../dist/settings/config.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
process.on('disconnect', () => process.exit(0));
const many = { perMinute: 1e9, perHour: 1e9 };
const unlimited = {
  callLimits: { take: async () => 0, block: async () => undefined, blockedFor: async () => 0 },
  waits: { writes: { most: { takeAway: many, approval: many, completion: many, other: many } } },
};
const product = await startProduct(readConfig(process.env), {
  log: pino({ level: 'warn' }, pino.destination(2)),
  ...(process.env.UNLIMITED && unlimited),
});
await product.firstRound;
process.on('message', () => {
  collectGarbage();
  process.send({ memory: process.memoryUsage(), mostRss: process.resourceUsage().maxRSS * 1024 });
});
process.on('SIGTERM', () => void product.stop().then(() => process.exit(0)));
process.send({ ready: {} });
