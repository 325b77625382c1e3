// How many approvals, each with its options, one process and one record store sustain for a minute without an error,
// by different people with real ES256 signatures, on a GitHub that answers at once. Limits of calls and writes are off.
// Against what one client writes to a record store of its own, one record after the other.
import pino from 'pino';
import PocketBase from 'pocketbase';
import { startEmbeddedStore } from '../dist/pocketbase/process/start-embedded-store.js';
import { freePort } from '../scripts/free-port.js';
import { report } from './compare.js';
import { approvalOptions, approve, enrol, newFolder, openPull, startGitHub, startProduct } from './parts.js';

const PEOPLE = 40;
const REPOSITORIES = 20;
const PULLS_EACH = 5;
const AT_ONCE = 6;
const ROUNDS = 6;
/** Of the approvals in each round, and of the writes after it. Together they take a minute. */
const ROUND_MS = { approvals: 10_000, writes: 1_000 };

const port = await freePort();
const many = { requestsPerHour: 1e9, contentPerMinute: 1e9, contentPerHour: 1e9 };
const options = {
  publicUrl: `http://localhost:${port}`,
  crowd: { members: PEOPLE, repositories: REPOSITORIES },
};
const github = await startGitHub({ ...options, rateLimits: many });
const product = await startProduct(github, { port, env: { UNLIMITED: '1' } });
const log = pino({ level: 'silent' });
const store = await startEmbeddedStore({ dataDir: newFolder(), publicUrl: 'http://localhost:1', log });
const records = new PocketBase(store.url);
records.autoCancellation(false);
await records.collection('_superusers').authWithPassword(store.email, store.password);
await records.collections.create({ name: 'things', type: 'base', fields: [{ name: 'name', type: 'text' }] });
try {
  const pulls = [];
  const names = Array.from(
    { length: REPOSITORIES },
    (_, at) => `repository-${String(at + 1).padStart(4, '0')}`,
  );
  for (const name of names)
    for (let count = 0; count < PULLS_EACH; count += 1) pulls.push(await openPull(github, name));
  const members = await listMembers();
  const people = [];
  for (const login of members) people.push(await enrol(product, login));
  // One after the other, so that nobody approves what they approved before.
  const waiting = people.flatMap((person) => pulls.map((pull) => ({ person, pull })));
  const found = [];
  for (let round = 0; round < ROUNDS; round += 1)
    found.push({ approvals: await approvalsPerSecond(waiting), writes: await writesPerSecond() });
  const ratios = found.map(({ approvals, writes }) => approvals / writes).sort((one, other) => one - other);
  const worst = Math.min(...found.map(({ approvals }) => approvals));
  report({
    name: `approvals per second, sustained / writes of one client to a record store`,
    ratio: ratios[Math.floor((ratios.length - 1) / 2)],
    spread: ratios.at(-1) - ratios[0],
    goal: 0.05,
    atLeast: true,
    a: `${worst.toFixed(1)} per s in the slowest ${ROUND_MS.approvals / 1000} s`,
    b: `${(found.reduce((sum, { writes }) => sum + writes, 0) / ROUNDS).toFixed(0)} per s`,
  });
} finally {
  await product.stop();
  await store.stop();
  await github.stop();
}

async function listMembers() {
  const answer = await fetch(`${github.origin}/orgs/${github.facts.org}/members?per_page=100`, {
    headers: { authorization: `Bearer ${github.facts.adminToken}` },
  });
  return (await answer.json()).map(({ login }) => login).slice(0, PEOPLE);
}

/** Throws with the first error. */
async function approvalsPerSecond(waiting) {
  const end = performance.now() + ROUND_MS.approvals;
  let done = 0;
  const work = async () => {
    while (performance.now() < end) {
      const next = waiting.shift();
      if (!next) throw new Error('there are too few pull requests for so many approvals');
      const { person, pull } = next;
      await approve(product, person, pull, await approvalOptions(product, person, pull));
      done += 1;
    }
  };
  const beganAt = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return (done * 1000) / (performance.now() - beganAt);
}

async function writesPerSecond() {
  const beganAt = performance.now();
  let done = 0;
  while (performance.now() < beganAt + ROUND_MS.writes) {
    await records.collection('things').create({ name: `thing ${done}` });
    done += 1;
  }
  return (done * 1000) / (performance.now() - beganAt);
}
