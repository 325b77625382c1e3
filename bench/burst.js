// A burst of 2,000 signed webhooks that arrive at once, as after an outage of GitHub's, while a person approves: how long
// the answers take, how long the approval takes, and the product's memory.
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
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
/** Pull requests that have a check already; every second webhook is about one of them, the others are about new heads. */
const PULLS = 20;
/** GitHub takes a webhook for failed that isn't answered by then. */
const MOST_MS = 10_000;
const MOST_MB = 300;

const FIXTURE = JSON.parse(
  readFileSync(new URL('../fixtures/webhooks/pull_request.synchronize.json', import.meta.url), 'utf8'),
);

/** @returns What is over its bound, a sentence each. */
export async function measureBurst() {
  const port = await freePort();
  const plenty = { requestsPerHour: 100_000, contentPerMinute: 1e9, contentPerHour: 1e9 };
  const github = await startGitHub({ publicUrl: `http://localhost:${port}`, rateLimits: plenty });
  const product = await startProduct(github, { port });
  try {
    const person = await enrol(product, 'octocat');
    const pulls = [];
    while (pulls.length < PULLS) pulls.push(await openPull(github));
    for (const pull of pulls) await addressOf(github, pull);
    await quiet(github);
    const alone = await timed(() => approveOne(product, person, pulls.pop()));
    const before = await memoryOf(product);
    const webhooks = Array.from({ length: WEBHOOKS }, (_, index) => webhookOf(github, pulls, index));
    const answering = sendAll(product.origin, webhooks);
    const approval = await timed(() => approveOne(product, person, pulls.pop()));
    const answers = await answering;
    await quiet(github);
    const after = await memoryOf(product);
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
        'before (MB)': Math.round(before.rssMB),
        'most (MB)': Math.round(after.mostMB),
        'after (MB)': Math.round(after.rssMB),
      },
    ]);
    return [
      refused > 0 && `${refused} webhooks weren't answered with 202`,
      Math.max(...times) > MOST_MS && `the last webhook was answered after more than ${MOST_MS} ms`,
      after.mostMB > MOST_MB && `the product needed more than ${MOST_MB} MB`,
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

async function memoryOf({ child }) {
  child.send('memory');
  const { memory, mostRss } = await new Promise((resolve) => child.once('message', resolve));
  return { rssMB: memory.rss / 2 ** 20, mostMB: mostRss / 2 ** 20 };
}

function webhookOf({ env, facts }, pulls, index) {
  const payload = structuredClone(FIXTURE);
  const pull = pulls[index % pulls.length];
  const isNew = index % 2 === 0;
  const head = isNew ? randomBytes(20).toString('hex') : pull.head.sha;
  const number = isNew ? 10_000 + index : pull.number;
  Object.assign(payload, { number, after: head, installation: { id: facts.installation } });
  Object.assign(payload.pull_request, { number });
  payload.pull_request.head.sha = head;
  for (const repository of [payload.repository, payload.pull_request.base.repo]) {
    Object.assign(repository, { id: pull.base.repo.id, name: facts.repo });
    Object.assign(repository.owner, { id: facts.orgID, login: facts.org });
  }
  const body = JSON.stringify(payload);
  const signature = createHmac('sha256', env.WEBHOOK_SECRET).update(body).digest('hex');
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-github-event': 'pull_request',
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': `sha256=${signature}`,
    },
  };
}

/** Sends each over a connection of its own, as GitHub does. */
function sendAll(origin, webhooks) {
  const agent = new Agent({ keepAlive: false });
  const start = performance.now();
  const send = ({ body, headers }) =>
    new Promise((resolve) => {
      const sent = request(`${origin}/api/github/webhooks`, { method: 'POST', headers, agent }, (answer) => {
        answer
          .resume()
          .once('end', () => resolve({ status: answer.statusCode, ms: performance.now() - start }));
      });
      sent.once('error', () => resolve({ status: 0, ms: performance.now() - start })).end(body);
    });
  return Promise.all(webhooks.map(send));
}
