// The built product as a process of its own. With UNLIMITED it counts no calls of people and no writes to GitHub. Between
// the messages `count` and `counted`, it collects its requests, which it answers then; asked anything else, it answers
// what its memory is after a garbage collection, and the most that it ever was.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startProduct } from '../dist/app/product.js';
import { readConfig } from '../dist/settings/config.js';
import { createLog } from '../dist/shared/log.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
process.on('disconnect', () => process.exit(0));

/** Requests that wait for no answer begin while the ones before them are held back this long. */
const HELD_MS = 20;

/** While somebody counts, the requests to GitHub and to the record store, with their times on a clock that all processes share. */
let asked;
const now = () => Number(process.hrtime.bigint()) / 1e6;
const send = globalThis.fetch;
globalThis.fetch = async (url, init) => {
  if (!asked) return send(url, init);
  const one = { url: String(url), method: init?.method ?? 'GET', from: now(), to: null };
  asked.push(one);
  const answer = await send(url, init);
  await new Promise((done) => setTimeout(done, HELD_MS));
  one.to = now();
  return answer;
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
  if (message === 'count') {
    asked = [];
    process.send({});
    return;
  }
  if (message === 'counted') {
    process.send({ asked });
    asked = undefined;
    return;
  }
  collectGarbage();
  process.send({ memory: process.memoryUsage(), mostRss: process.resourceUsage().maxRSS * 1024 });
});
process.on('SIGTERM', () => void product.stop().then(() => process.exit(0)));
process.send({ ready: {} });
