// A burst of 2,000 signed webhooks that arrive at once, as after an outage of GitHub's, while a person approves: how long
// the answers take, how long the approval takes, and the product's memory.
import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../scripts/free-port.js';
import { at } from './compare.js';
import {
  addressOf,
  approvalOptions,
  approve,
  enrol,
  openPull,
  quiet,
  startGitHub,
  startProduct,
} from './parts.js';

const WEBHOOKS = 2_000;
/** Every second webhook is about the head of one of these, which has a check; the others are about an earlier commit. */
const PULLS = 20;
const METRICS_TOKEN = 'metrics of the burst';
/** GitHub takes a webhook for failed that isn't answered by then. */
const MOST_MS = 10_000;
const MOST_MB = 300;
/** Of the heap that is in use, after the burst and before it. */
const MOST_GROWTH = 1.25;
/** Node gives memory back once it has less to do. */
const SETTLE_MS = 60_000;

const FIXTURE = JSON.parse(
  readFileSync(new URL('../fixtures/webhooks/pull_request.synchronize.json', import.meta.url), 'utf8'),
);

/** @returns What is over its bound, a sentence each. */
export async function measureBurst() {
  const port = await freePort();
  const plenty = { requestsPerHour: 100_000, contentPerMinute: 1e9, contentPerHour: 1e9 };
  const github = await startGitHub({ publicUrl: `http://localhost:${port}`, rateLimits: plenty });
  const product = await startProduct(github, { port, env: { METRICS_TOKEN, UNLIMITED: '1' } });
  try {
    const person = await enrol(product, 'octocat');
    const pulls = [];
    while (pulls.length < PULLS) pulls.push(await openPull(github));
    for (const pull of pulls) await addressOf(github, pull);
    await quiet(github);
    const alone = await timed(() => approveOne(product, person, pulls.pop()));
    const [before, workedBefore] = [await memoryOf(product), await worked(product)];
    const earlier = await commitsBefore(github, pulls[0], WEBHOOKS / 2);
    const webhooks = Array.from({ length: WEBHOOKS }, (_, index) =>
      webhookOf(github, pulls[index % pulls.length], earlier[(index - 1) / 2]),
    );
    const start = performance.now();
    const answering = sendAll(port, webhooks);
    const approval = await timed(() => approveOne(product, person, pulls.pop()));
    const answers = await answering;
    while ((await worked(product)) < workedBefore + WEBHOOKS) await delay(500);
    const workedMs = performance.now() - start;
    await delay(SETTLE_MS);
    const after = await memoryOf(product);
    const growth = after.heapMB / before.heapMB;
    const refused = answers.filter(({ status }) => status !== 202).length;
    const times = answers.map(({ ms }) => ms);
    console.table([
      {
        webhooks: WEBHOOKS,
        refused,
        'p50 (ms)': Math.round(at(times, 0.5)),
        'last (ms)': Math.round(Math.max(...times)),
        'approval alone (ms)': Math.round(alone),
        'approval (ms)': Math.round(approval),
        'worked (s)': Math.round(workedMs / 1000),
        'before (MB)': Math.round(before.rssMB),
        'most (MB)': Math.round(after.mostMB),
        'after (MB)': Math.round(after.rssMB),
        'heap before (MB)': Math.round(before.heapMB),
        'heap after (MB)': Math.round(after.heapMB),
      },
    ]);
    return [
      refused > 0 && `${refused} webhooks weren't answered with 202`,
      Math.max(...times) > MOST_MS && `the last webhook was answered after more than ${MOST_MS} ms`,
      after.mostMB > MOST_MB && `the product needed more than ${MOST_MB} MB`,
      growth > MOST_GROWTH && `the heap in use is ${growth.toFixed(2)} times what it was before the burst`,
    ].filter(Boolean);
  } finally {
    await product.stop();
    await github.stop();
  }
}

async function approveOne(product, person, pull) {
  const options = await approvalOptions(product, person, pull);
  await approve(product, person, pull, options);
}

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** How many webhooks the product has worked on. */
async function worked({ origin }) {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const metrics = await (await fetch(`${origin}/metrics`, { headers })).text();
  const counts = metrics.matchAll(/^otp_guard_webhooks_total\{.*outcome="(?:done|failed)"\} (\d+)/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

async function memoryOf({ child }) {
  child.send('memory');
  const { memory, mostRss } = await new Promise((resolve) => child.once('message', resolve));
  return { rssMB: memory.rss / 2 ** 20, mostMB: mostRss / 2 ** 20, heapMB: memory.heapUsed / 2 ** 20 };
}

/** Commits that GitHub knows, and of which no webhook told the product. */
async function commitsBefore(github, { head }, count) {
  const { commit } = await github.asAdmin('GET', `/commits/${head.sha}`);
  const commits = [];
  while (commits.length < count) {
    const message = `Change ${commits.length}`;
    const body = { message, tree: commit.tree.sha, parents: [head.sha] };
    commits.push((await github.asAdmin('POST', '/git/commits', body)).sha);
  }
  return commits;
}

/** The bytes of a request. */
function webhookOf({ env, facts }, pull, head = pull.head.sha) {
  const payload = structuredClone(FIXTURE);
  const { number } = pull;
  Object.assign(payload, { number, after: head, installation: { id: facts.installation } });
  Object.assign(payload.pull_request, { number });
  payload.pull_request.head.sha = head;
  for (const repository of [payload.repository, payload.pull_request.base.repo]) {
    Object.assign(repository, { id: pull.base.repo.id, name: facts.repo });
    Object.assign(repository.owner, { id: facts.orgID, login: facts.org });
  }
  const body = JSON.stringify(payload);
  const headers = {
    host: 'localhost',
    connection: 'close',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-github-event': 'pull_request',
    'x-github-delivery': randomUUID(),
    'x-hub-signature-256': `sha256=${createHmac('sha256', env.WEBHOOK_SECRET).update(body).digest('hex')}`,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST /api/github/webhooks HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/** Sends each over a connection of its own, as GitHub does. A client of HTTP would take as long as what is measured. */
function sendAll(port, webhooks) {
  const start = performance.now();
  const send = (bytes) =>
    new Promise((resolve) => {
      const answer = (status) => resolve({ status, ms: performance.now() - start });
      connect(port, 'localhost', function () {
        this.write(bytes);
      })
        .once('data', (data) => answer(Number(data.toString('latin1').split(' ')[1])))
        .once('error', () => answer(0))
        .once('close', () => answer(0));
    });
  return Promise.all(webhooks.map(send));
}

if (process.argv[1] === import.meta.filename) {
  for (const text of await measureBurst()) {
    console.error(text);
    process.exitCode = 1;
  }
}
