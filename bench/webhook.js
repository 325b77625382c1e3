// The time from a webhook that a pull request was opened until its check run: against a bare Probot app, as Probot comes,
// that does nothing else, and against one answer of GitHub. And the same for a burst of pull requests in one installation.

import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../scripts/free-port.js';
import { compare, median, report } from './compare.js';
import {
  deliver,
  isCreate,
  now,
  openPull,
  quiet,
  startBareProbot,
  startGitHub,
  startInbox,
  startProduct,
} from './parts.js';

const ROUNDS = 15;
/** Processes that run for weeks have compiled their code. */
const WARM_UP = 60;
const LATENCY_MS = 100;
/** Probot's throttle sends a write each second at most. A webhook that comes alone doesn't wait for it. */
const ALONE_MS = 1_000;
const BURST = 60;
/** Probot takes a minute for a burst, and GitHub's limits of an hour end with this number of rounds. */
const BURST_ROUNDS = 3;

await measureOne();
await measureBursts();

async function measureOne() {
  const inbox = await startInbox();
  // Both apps share one installation, so together they'd exceed its limits.
  const rateLimits = { contentPerMinute: 1e9, contentPerHour: 1e9 };
  const github = await startGitHub({ publicUrl: inbox.origin, rateLimits });
  // Our own limit of writes in a minute would delay the rounds after the first 60.
  const product = await startProduct(github, { port: await freePort(), env: { UNLIMITED: '1' } });
  const probot = await startBareProbot(github, { port: await freePort() });
  const opened = async () => inbox.opened(await openPull(github));
  /** The milliseconds until GitHub got the request for a check run, or answered it. */
  const measure = async ({ origin }, webhook, moment) => {
    await quiet(github);
    await delay(ALONE_MS);
    const before = github[`${moment}s`].length;
    const [sentAt, { at }] = await Promise.all([deliver(origin, webhook), github[moment](before, isCreate)]);
    return at - sentAt;
  };
  const webhooksOf = async (count) => {
    const webhooks = [];
    while (webhooks.length < count) webhooks.push(await opened());
    return webhooks;
  };
  try {
    for (const app of [product, probot])
      for (const webhook of await webhooksOf(WARM_UP)) {
        const before = github.requests.length;
        await Promise.all([deliver(app.origin, webhook), github.request(before, isCreate)]);
      }
    await count(github, product, await opened());
    const webhooks = await webhooksOf(2 * (ROUNDS + 1));
    await compare({
      name: 'webhook to request for a check run, GitHub answers at once / a bare Probot',
      goal: 0.8,
      rounds: ROUNDS,
      a: () => measure(product, webhooks.pop(), 'request'),
      b: () => measure(probot, webhooks.pop(), 'request'),
    });
    const heads = await webhooksOf(ROUNDS + 1);
    await github.answerAfter(LATENCY_MS);
    await compare({
      name: `webhook to created check run, GitHub answers in ${LATENCY_MS} ms / one of its answers`,
      goal: 1.15,
      rounds: ROUNDS,
      a: () => measure(product, heads.pop(), 'answer'),
      b: async () => void (await github.asAdmin('GET', '')),
    });
  } finally {
    inbox.stop();
    await Promise.all([product.stop(), probot.stop()]);
    await github.stop();
  }
}

async function count(github, product, webhook) {
  await quiet(github);
  const before = github.requests.length;
  const counted = await product.countInARow(() =>
    Promise.all([deliver(product.origin, webhook), github.request(before, isCreate)]),
  );
  report({
    name: 'webhook to request for a check run: requests in a row to the record store',
    ratio: counted.store,
    spread: 0,
    goal: 2,
  });
}

async function measureBursts() {
  // Probot waits for most of its minute, so its rounds run together and next to ours.
  const probots = Array.from({ length: BURST_ROUNDS }, () => burstOf(startBareProbot));
  const ours = [];
  for (let round = 0; round < BURST_ROUNDS; round += 1) ours.push(await burstOf(startProduct));
  const theirs = await Promise.all(probots);
  const ratios = theirs.map((ms, round) => ms / ours[round]);
  report({
    name: `last check run of a burst of ${BURST}, GitHub answers in ${LATENCY_MS} ms: a bare Probot / OTP Guard`,
    ratio: median(theirs) / median(ours),
    spread: Math.max(...ratios) - Math.min(...ratios),
    goal: 15,
    atLeast: true,
    a: `${median(theirs).toFixed(0)} ms`,
    b: `${median(ours).toFixed(0)} ms`,
  });
}

/**
 * The milliseconds from the first webhook until the last check run was requested. Each burst has a GitHub of its own,
 * because GitHub's limits count for an hour.
 */
async function burstOf(startApp) {
  const inbox = await startInbox();
  const github = await startGitHub({ publicUrl: inbox.origin });
  const app = await startApp(github, { port: await freePort() });
  try {
    const webhooks = [];
    while (webhooks.length < BURST) webhooks.push(await inbox.opened(await openPull(github)));
    await github.answerAfter(LATENCY_MS);
    const before = github.requests.length;
    const beganAt = now();
    await Promise.all(webhooks.map((webhook) => deliver(app.origin, webhook)));
    const created = () => github.requests.slice(before).filter(isCreate);
    while (created().length < BURST) await new Promise((done) => setTimeout(done, 20));
    await quiet(github);
    return created()[BURST - 1].at - beganAt;
  } finally {
    inbox.stop();
    await app.stop();
    await github.stop();
  }
}
