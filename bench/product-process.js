// The built product as a process of its own. With UNLIMITED it counts no calls of people and no writes to GitHub. Asked
// for `asked`, it answers its requests since the last time; asked anything else, what its memory is after a garbage
// collection, and the most that it ever was.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startProduct } from '../dist/app/product.js';
import { readConfig } from '../dist/settings/config.js';
import { createLog } from '../dist/shared/log.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
process.on('disconnect', () => process.exit(0));

/**
 * The requests to GitHub and to the record store, with their times on a clock that all processes share. Kept once
 * somebody asks, because thousands of them would count as the product's memory.
 */
let asked;
const now = () => Number(process.hrtime.bigint()) / 1e6;
const send = globalThis.fetch;
globalThis.fetch = async (url, init) => {
  const one = { url: String(url), method: init?.method ?? 'GET', from: now(), to: null };
  asked?.push(one);
  return send(url, init).finally(() => {
    one.to = now();
  });
};
const many = { perMinute: 1e9, perHour: 1e9 };
const unlimited = {
  callLimits: { take: async () => 0, block: async () => undefined, blockedFor: async () => 0 },
  waits: { writes: { most: { takeAway: many, approval: many, completion: many, other: many } } },
};
const product = await startProduct(readConfig(process.env), {
  log: await createLog({ logLevel: 'warn' }),
  ...(process.env.UNLIMITED && unlimited),
});
await product.firstRound;
process.on('message', (message) => {
  if (message === 'asked') {
    process.send({ asked: asked ?? [] });
    asked = [];
    return;
  }
  collectGarbage();
  process.send({ memory: process.memoryUsage(), mostRss: process.resourceUsage().maxRSS * 1024 });
});
process.on('SIGTERM', () => void product.stop().then(() => process.exit(0)));
process.send({ ready: {} });
