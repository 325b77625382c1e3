// A burst of 60 pull requests in one installation, with a GitHub that takes 100 ms for each answer and keeps its limits:
// until the last one has its check run, against Probot with its default throttle. And an approval behind it: how many
// check runs of the burst are still requested once it has what it needs from GitHub, and how much longer it takes than alone.

import { freePort } from '../scripts/free-port.js';
import { median, report } from './compare.js';
import {
  approvalOptions,
  approve,
  deliver,
  enrol,
  isCreate,
  isUpdate,
  now,
  openPull,
  quiet,
  startBareProbot,
  startGitHub,
  startInbox,
  startProduct,
} from './parts.js';

const BURST = 60;
const LATENCY_MS = 100;
/** One takes a minute for Probot, and GitHub's limits for as many requests in an hour end with this. */
const ROUNDS = 3;

/** Each round has its own world, because the limits of GitHub count for an hour. The App runs before the burst begins. */
async function startWorld(startApp) {
  const inbox = await startInbox();
  const github = await startGitHub({ publicUrl: inbox.origin });
  const app = await startApp(github, await freePort());
  const webhooks = [];
  const pulls = [];
  for (let count = 0; count < BURST; count += 1) {
    const pull = await openPull(github);
    pulls.push(pull);
    webhooks.push(await inbox.opened(pull));
  }
  inbox.stop();
  return { github, app, webhooks, pulls };
}

/** The milliseconds from the first webhook until the last check run was requested. */
async function untilLast({ github, webhooks }, origin) {
  const before = github.requests.length;
  const beganAt = now();
  await Promise.all(webhooks.map((webhook) => deliver(origin, webhook)));
  for (;;) {
    const created = github.requests.slice(before).filter(isCreate);
    if (created.length >= webhooks.length) return created.at(-1).at - beganAt;
    await new Promise((done) => setTimeout(done, 20));
  }
}

function burstOfProduct() {
  return burstOf((github, port) => startProduct(github, { port }));
}

function burstOfProbot() {
  return burstOf((github, port) => startBareProbot(github, { port, env: { THROTTLE: '1' } }));
}

async function burstOf(startApp) {
  const world = await startWorld(startApp);
  const { github, app } = world;
  await github.answerAfter(LATENCY_MS);
  try {
    const ms = await untilLast(world, app.origin);
    await quiet(github);
    return ms;
  } finally {
    await Promise.all([app.stop(), github.stop()]);
  }
}

/** How long an approval takes, alone and behind the burst, and how many check runs are requested before its own. */
async function approvalBehindBurst() {
  const world = await startWorld((github, port) => startProduct(github, { port }));
  const { github, app: product, webhooks } = world;
  try {
    const person = await enrol(product, 'mona');
    const ready = world.pulls.splice(0, 3);
    for (const webhook of webhooks.splice(0, 3)) await deliver(product.origin, webhook);
    // The pull request that the local GitHub begins with has one, too.
    while (github.requests.filter(isCreate).length < 4) await new Promise((done) => setTimeout(done, 50));
    await github.answerAfter(LATENCY_MS);
    const given = [];
    for (const pull of ready) given.push(await approvalOptions(product, person, pull));
    const take = async (at) => {
      const before = github.requests.length;
      const beganAt = now();
      const answered = approve(product, person, ready[at], given[at]);
      const [{ at: updatedAt }] = await Promise.all([github.request(before, isUpdate), answered]);
      const isRead = ({ path }) => path.endsWith(`/pulls/${ready[at].number}`) || path.includes('/mona');
      const knownAt = github.answers.findLast((answer) => answer.at < updatedAt && isRead(answer)).at;
      const isFirst = (request) => isCreate(request) && request.at > knownAt && request.at < updatedAt;
      return { ms: updatedAt - beganAt, overtaken: github.requests.filter(isFirst).length };
    };
    await take(0);
    const { ms: alone } = await take(1);
    const burst = Promise.all(webhooks.slice(0, 50).map((webhook) => deliver(product.origin, webhook)));
    await github.request(github.requests.length, isCreate);
    const { ms: behind, overtaken } = await take(2);
    await burst;
    await quiet(github);
    return { alone, behind, overtaken };
  } finally {
    await Promise.all([product.stop(), github.stop()]);
  }
}

const probot = Array.from({ length: ROUNDS }, burstOfProbot);
const product = [];
const waits = [];
for (let round = 0; round < ROUNDS; round += 1) product.push(await burstOfProduct());
for (let round = 0; round < ROUNDS; round += 1) waits.push(await approvalBehindBurst());

const slow = await Promise.all(probot);

const ratios = slow.map((ms, round) => ms / product[round]);
report({
  name: `last check run of a burst of ${BURST}: Probot with its throttle / OTP Guard`,
  ratio: median(slow) / median(product),
  spread: Math.max(...ratios) - Math.min(...ratios),
  goal: 20,
  atLeast: true,
  a: `${median(slow).toFixed(0)} ms`,
  b: `${median(product).toFixed(0)} ms`,
});
const before = waits.map(({ overtaken }) => overtaken);
report({
  name: 'check runs of a burst that are requested before that of an approval behind it',
  ratio: median(before),
  spread: Math.max(...before) - Math.min(...before),
  goal: 1,
});
const longer = waits.map(({ alone, behind }) => (behind - alone) / LATENCY_MS);
report({
  name: `how much longer an approval behind a burst takes / an answer of GitHub`,
  ratio: median(longer),
  spread: Math.max(...longer) - Math.min(...longer),
  goal: 1,
  a: `${median(waits.map(({ behind }) => behind)).toFixed(0)} ms`,
  b: `${median(waits.map(({ alone }) => alone)).toFixed(0)} ms`,
});
