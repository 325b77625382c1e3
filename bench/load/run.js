// The morning of a large organization, ten times as fast: pull requests with GitHub's webhooks, pages and approvals,
// over the built product, its record store and the local GitHub, each in a process of its own.
//
// Each round does a few works one after another (idle), and then many that begin at their time, regardless of how long
// earlier ones take (loaded). Only ratios of the two are judged, so that a busy machine slows both. Exits with 1 if
// anything failed or was refused, if a ratio is over its bound, or if the product's memory grew from round to round.
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { at, median } from '../compare.js';
import { startOrganization } from './organization.js';
import { PAGES } from './pages.js';

const number = { type: 'string' };
const { values } = parseArgs({ options: { people: number, rounds: number } });
const PEOPLE = Number(values.people ?? 5000);
const ROUNDS = Number(values.rounds ?? 10);

/**
 * How many times as long a person may wait under load, in the median and in the 99th of a hundred. The idle times are
 * too few to have met the worst moments of a busy machine, so the second bound is far from the first.
 */
const MOST = { p50: 5, p99: 25 };
/** Loaded code and full caches are no leak. */
const WARM_UP_ROUNDS = 3;
const MOST_GROWTH = 1.1;

/** In a morning, each of four people looks at two pages, and one of them changes something that gets approved and merged. */
const PEOPLE_OF_A_GROUP = 4;
const PAGES_OF_A_GROUP = 8;
const MORNING_SECONDS = 3 * 3600;
const TIMES = 10;
const SECONDS = 20;
const GROUPS = Math.ceil((PEOPLE / PEOPLE_OF_A_GROUP / MORNING_SECONDS) * TIMES * SECONDS);
const IDLE_GROUPS = 3;

const times = { idle: new Map(), loaded: new Map() };
const failures = [];
let looks = 0;

/** What the people of so many groups do: functions that add their times to a map. */
const worksOf = (groups) =>
  Array.from({ length: groups }, () => [change, ...Array(PAGES_OF_A_GROUP).fill(look)]).flat();

async function change(found) {
  const pull = await organization.openPull();
  await timed(found, 'check waits', () => organization.checkWaits(pull));
  await timed(found, 'approval', () => organization.approve(pull));
  await organization.merge(pull);
}

function look(found) {
  const page = PAGES[looks++ % PAGES.length];
  return timed(found, `page: ${page.name}`, () => organization.visit(page));
}

async function timed(found, kind, work) {
  const start = performance.now();
  await work();
  found.set(kind, [...(found.get(kind) ?? []), performance.now() - start]);
}

const attempt = (work, found) => work(found).catch(({ message }) => failures.push(message));

/** Resolves to the milliseconds that a work takes on average. */
async function idleRound() {
  const start = performance.now();
  const works = worksOf(IDLE_GROUPS);
  for (const work of works) await attempt(work, times.idle);
  return (performance.now() - start) / works.length;
}

/** Begins works evenly, at times that don't depend on how long earlier ones take. */
async function loadedRound(apartMs) {
  const start = performance.now();
  const begun = [];
  for (const [index, work] of worksOf(GROUPS).entries()) {
    await delay(Math.max(0, start + index * apartMs - performance.now()));
    begun.push(attempt(work, times.loaded));
  }
  await Promise.all(begun);
}

const organization = await startOrganization({ people: PEOPLE });
const heaps = [];
try {
  console.log(
    `${PEOPLE} people, ${ROUNDS} rounds of ${GROUPS} pull requests, each with ${PAGES_OF_A_GROUP} pages.`,
  );
  for (let round = 1; round <= ROUNDS; round += 1) {
    const idleMs = await idleRound();
    // A slow or busy machine gets as much work in more time: one work would be done twice before the next begins.
    const apartMs = Math.max((SECONDS * 1000) / worksOf(GROUPS).length, 2 * idleMs);
    await loadedRound(apartMs);
    const { heapMB, rssMB } = await organization.memory();
    heaps.push(heapMB);
    console.log(
      `Round ${round}: a work each ${apartMs.toFixed(0)} ms (${idleMs.toFixed(0)} alone), heap ${heapMB.toFixed(1)} MB, process ${rssMB.toFixed(0)} MB, ${failures.length} failures`,
    );
  }
} finally {
  await organization.stop();
}

const rows = [...times.idle].sort().map(([kind, idle]) => {
  const loaded = times.loaded.get(kind) ?? [];
  const parts = Object.entries({ p50: median, p99: (all) => at(all, 0.99) }).map(([part, of]) => [
    [`${part} idle (ms)`, Math.round(of(idle))],
    [`${part} loaded (ms)`, Math.round(of(loaded))],
    [`${part} ratio`, Number((of(loaded) / of(idle)).toFixed(2))],
  ]);
  return { kind, idle: idle.length, loaded: loaded.length, ...Object.fromEntries(parts.flat()) };
});
console.table(rows);
for (const text of new Set(failures))
  console.error(`${failures.filter((one) => one === text).length} × ${text}`);
const slow = Object.entries(MOST).flatMap(([part, most]) =>
  rows
    .filter((row) => !(row[`${part} ratio`] <= most))
    .map((row) => `${row.kind}: ${part} ${row[`${part} ratio`]} times the idle one (at most ${most})`),
);
for (const text of slow) console.error(text);
const settled = heaps.slice(WARM_UP_ROUNDS);
const growth = settled.length > 1 ? settled.at(-1) / settled[0] : 1;
console.log(
  `Failures: ${failures.length}. Heap after round ${ROUNDS}: ${growth.toFixed(2)} times that after round ${WARM_UP_ROUNDS + 1} (at most ${MOST_GROWTH}).`,
);
if (failures.length > 0 || slow.length > 0 || growth > MOST_GROWTH) process.exitCode = 1;
