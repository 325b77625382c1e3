// How long an approval takes until its check is green, and its options, with a GitHub that takes 100 ms for each
// answer: against two of its answers one after the other, and one. And how many requests come one after the other,
// which is the same on every machine.

import { freePort } from '../scripts/free-port.js';
import { compare, report } from './compare.js';
import {
  approvalOptions,
  approve,
  enrol,
  isUpdate,
  openPull,
  sign,
  startGitHub,
  startProduct,
} from './parts.js';

/** The product compares the head's run in the background when somebody opens the page. */
const pause = () => new Promise((done) => setTimeout(done, 400));

const LATENCY_MS = 100;
const ROUNDS = 15;
/** A process that runs for weeks has compiled its code. */
const WARM_UP = 60;

const port = await freePort();
// More than GitHub lets an App write in a minute, and a person approve in an hour.
const rateLimits = { contentPerMinute: 1e9, contentPerHour: 1e9, requestsPerHour: 1e9 };
const github = await startGitHub({ publicUrl: `http://localhost:${port}`, rateLimits });
const pulls = [];
const product = await startProduct(github, { port, env: { UNLIMITED: '1' } });
try {
  const person = await enrol(product, 'mona');
  for (let count = 0; count < WARM_UP; count += 1) {
    const pull = await openPull(github);
    await approve(product, person, pull, await approvalOptions(product, person, pull));
    await github.asAdmin('PATCH', `/pulls/${pull.number}`, { state: 'closed' });
  }
  for (let count = 0; count < ROUNDS + 1; count += 1) pulls.push(await openPull(github));
  await pause();
  await counts(person);
  await github.answerAfter(LATENCY_MS);
  await options(person);
  await approvals(person);
} finally {
  await product.stop();
  await github.stop();
}

async function counts(person) {
  const pull = await openPull(github);
  const work = {
    options: () => approvalOptions(product, person, pull),
    approval: (given) => approve(product, person, pull, given),
  };
  // The page that was opened before has had its run compared in the background.
  const given = await work.options();
  await pause();
  for (const [name, goals] of Object.entries({
    options: { github: 1, store: 5 },
    approval: { github: 2, store: 12 },
  })) {
    const counted = await product.countInARow(() => work[name](given));
    await pause();
    for (const [to, goal] of Object.entries(goals))
      report({
        name: `${name}: requests in a row to ${to === 'github' ? 'GitHub' : 'the record store'}`,
        ratio: counted[to],
        spread: 0,
        goal,
      });
  }
}

async function options(person) {
  let next = 0;
  await compare({
    name: `options for an approval, GitHub answers in ${LATENCY_MS} ms / one of its answers`,
    goal: 1.3,
    rounds: ROUNDS,
    async a() {
      await pause();
      const start = performance.now();
      await approvalOptions(product, person, pulls[next++]);
      return performance.now() - start;
    },
    b: () => answersOfGitHub(1),
  });
}

async function approvals(person) {
  let next = 0;
  await compare({
    name: `approval to completed check, GitHub answers in ${LATENCY_MS} ms / two of its answers`,
    goal: 1.3,
    rounds: ROUNDS,
    async a() {
      const pull = pulls[next++];
      const given = await approvalOptions(product, person, pull);
      const authResponse = sign(person, given);
      await pause();
      const before = github.requests.length;
      const start = performance.now();
      const answer = await approve(product, person, pull, { authResponse });
      const ms = performance.now() - start;
      const isCompleted = answer.reported && github.requests.slice(before).some(isUpdate);
      if (!isCompleted) throw new Error('the check is not complete');
      return ms;
    },
    b: () => answersOfGitHub(2),
  });
}

/** The milliseconds of the same five reads at once, and with `count` 2 of one more request after them. */
async function answersOfGitHub(count) {
  const reads = [
    '/pulls/1',
    '/pulls?state=open&per_page=100',
    '/collaborators/mona/permission',
    '/branches',
    '',
  ];
  const start = performance.now();
  await Promise.all(reads.map((path) => github.asAdmin('GET', path)));
  if (count > 1) await github.asAdmin('GET', '/git/ref/heads/main');
  return performance.now() - start;
}
