// How long it takes from a webhook that a pull request was opened until its check run: against bare Probot apps that do
// nothing else, one as Probot comes and one with its throttle off. All get the local GitHub's own webhooks, in turn, each
// about another pull request.

import { freePort } from '../scripts/free-port.js';
import { compare } from './compare.js';
import {
  deliver,
  isCreate,
  openPull,
  quiet,
  startBareProbot,
  startGitHub,
  startInbox,
  startLeast,
  startProduct,
} from './parts.js';

const ROUNDS = 9;
/** Processes that run for weeks have compiled what they do. */
const WARM_UP = 60;

const inbox = await startInbox();
// All apps share one installation here, so together they'd go over its limits.
const rateLimits = { contentPerMinute: 1e9, contentPerHour: 1e9 };
const github = await startGitHub({ publicUrl: inbox.origin, rateLimits });
const product = await startProduct(github, { port: await freePort() });
const bare = await startBareProbot(github, { port: await freePort() });
const least = await startLeast(github, { port: await freePort() });
const asItComes = await startBareProbot(github, { port: await freePort(), env: { THROTTLE: '1' } });

/** Until the request reaches GitHub. */
const requested = (from) => github.request(from, isCreate);
/** Until GitHub has created the run. */
const created = (from) => github.answer(from, isCreate);
const CASES = [
  { name: 'webhook to request for a check run', other: bare, end: requested, latencyMs: 0, goal: 0.5 },
  { name: 'webhook to request for a check run', other: asItComes, end: requested, latencyMs: 0, goal: 0.5 },
  { name: 'webhook to request for a check run', other: bare, end: requested, latencyMs: 100, goal: 1.05 },
  { name: 'webhook to created check run', other: bare, end: created, latencyMs: 100, goal: 1.05 },
];

try {
  for (const app of [product, bare, least, asItComes]) await warmUp(app);
  // Shows how far a record store behind HTTP lets anyone get.
  await measureCase({
    name: 'the least with one durable write: webhook to request for a check run',
    app: least,
    other: bare,
    end: requested,
    latencyMs: 0,
    goal: 0.5,
  });
  for (const one of CASES) await measureCase({ ...one, app: product });
} finally {
  await Promise.all([product.stop(), bare.stop(), least.stop(), asItComes.stop(), github.stop()]);
  inbox.stop();
}

async function measureCase({ name, app, other, end, latencyMs, goal }) {
  const webhooks = await openPulls(2 * (ROUNDS + 1));
  await github.answerAfter(latencyMs);
  const answers = latencyMs === 0 ? 'GitHub answers at once' : `GitHub answers in ${latencyMs} ms`;
  await compare({
    name: `${name}, ${answers} / ${other === bare ? 'Probot without its throttle' : 'Probot'}`,
    goal,
    rounds: ROUNDS,
    a: () => measure(app.origin, webhooks.pop(), end),
    b: () => measure(other.origin, webhooks.pop(), end),
  });
  await github.answerAfter(0);
}

async function openPulls(count) {
  const webhooks = [];
  while (webhooks.length < count) webhooks.push(await inbox.opened(await openPull(github)));
  return webhooks;
}

async function warmUp({ origin }) {
  for (const webhook of await openPulls(WARM_UP)) {
    const before = github.requests.length;
    await Promise.all([deliver(origin, webhook), github.request(before, isCreate)]);
  }
}

async function measure(origin, webhook, end) {
  await quiet(github);
  const before = end === created ? github.answers.length : github.requests.length;
  const [sentAt, { at }] = await Promise.all([deliver(origin, webhook), end(before)]);
  return at - sentAt;
}
