// The morning of a large organization, ten times as fast: pull requests with GitHub's webhooks, pages and approvals,
// over the built product, its record store and the local GitHub, each in a process of its own.
//
// Work begins at its time, no matter how long earlier work takes, so a slow server doesn't slow the load down. Exits
// with 1 if anything failed, if a check didn't turn green, or if the product's memory grew from round to round.
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { median, at as part } from '../compare.js';
import { startOrganization } from './organization.js';
import { PAGES } from './pages.js';

const number = { type: 'string' };
const { values } = parseArgs({ options: { people: number, times: number, rounds: number, seconds: number } });
const PEOPLE = Number(values.people ?? 5000);
const TIMES = Number(values.times ?? 10);
const ROUNDS = Number(values.rounds ?? 10);
const SECONDS = Number(values.seconds ?? 20);

/** Between eight and eleven, every fourth person opens or pushes to a pull request that gets approved and merged. All look twice. */
const MORNING_SECONDS = 3 * 3600;
const PULLS_PER_SECOND = (PEOPLE / 4 / MORNING_SECONDS) * TIMES;
const PAGES_PER_SECOND = ((PEOPLE * 2) / MORNING_SECONDS) * TIMES;
/** Loaded code and full caches are no leak. */
const WARM_UP_ROUNDS = 3;
const MOST_GROWTH = 1.1;

const times = new Map();
const failures = [];

/** Answers what the work does, or nothing if it failed. */
async function measured(kind, work) {
  const start = performance.now();
  try {
    const answer = await work();
    times.set(kind, [...(times.get(kind) ?? []), performance.now() - start]);
    return answer;
  } catch (error) {
    failures.push(`${kind}: ${error.message}`);
  }
}

/** Begins `count` works, evenly over the seconds of a round. */
async function spread(count, begin) {
  const startedAt = performance.now();
  for (let index = 0; index < count; index += 1) {
    await delay(Math.max(0, startedAt + (index * SECONDS * 1000) / count - performance.now()));
    begin(index);
  }
}

async function round(organization) {
  const works = [];
  await Promise.all([
    spread(Math.round(PULLS_PER_SECOND * SECONDS), () => works.push(changeAndApprove(organization))),
    spread(Math.round(PAGES_PER_SECOND * SECONDS), (index) => {
      const page = PAGES[index % PAGES.length];
      works.push(measured(`page: ${page.name}`, () => organization.visit(page)));
    }),
  ]);
  await Promise.all(works);
}

async function changeAndApprove(organization) {
  const pull = await measured('GitHub: opens a pull request', () => organization.openPull());
  if (!pull) return;
  await measured('check waits', () => organization.checkWaits(pull));
  const isGreen = await measured('approval: page, options, signature, green check', () =>
    organization.approve(pull),
  );
  if (isGreen) await measured('GitHub: merges a pull request', () => organization.merge(pull));
}

const organization = await startOrganization({ people: PEOPLE });
const memory = [];
try {
  console.log(
    `${PEOPLE} people, ${TIMES} times their morning: ${PULLS_PER_SECOND.toFixed(2)} pull requests and approvals and ` +
      `${PAGES_PER_SECOND.toFixed(1)} pages a second, ${ROUNDS} rounds of ${SECONDS} s.`,
  );
  for (let count = 1; count <= ROUNDS; count += 1) {
    await round(organization);
    const { heapMB, rssMB, storeMB } = await organization.memory();
    memory.push(heapMB);
    console.log(
      `Round ${count}: heap ${heapMB.toFixed(1)} MB, process ${rssMB.toFixed(0)} MB, record store ${storeMB.toFixed(0)} MB, ` +
        `${failures.length} failures`,
    );
  }
} finally {
  await organization.stop();
}

console.table(
  [...times]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([kind, list]) => ({
      kind,
      count: list.length,
      'p50 (ms)': Math.round(median(list)),
      'p99 (ms)': Math.round(part(list, 0.99)),
    })),
);
for (const [text, count] of counted(failures)) console.error(`${count} × ${text}`);
const settled = memory.slice(WARM_UP_ROUNDS);
const growth = settled.length > 1 ? settled.at(-1) / settled[0] : 1;
console.log(
  `Failures: ${failures.length}. Heap after round ${ROUNDS}: ${growth.toFixed(2)} times that after round ${WARM_UP_ROUNDS + 1} (at most ${MOST_GROWTH}).`,
);
if (failures.length > 0 || growth > MOST_GROWTH) process.exitCode = 1;

function counted(texts) {
  const counts = new Map();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
