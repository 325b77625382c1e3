// How every benchmark compares and reports: two works in turn, in one run, as a ratio with its spread.
import { appendFileSync } from 'node:fs';

/** The ratio of each tenth of the rounds shows how far to trust that of all. */
const PARTS = 10;

/**
 * Measures `a` and `b` in turn and reports how many times as long `a` takes. Each answers the milliseconds that count,
 * or nothing, and then the whole call counts. `goal` is the highest ratio wanted, with `atLeast` the lowest.
 */
export async function compare({ name, goal, atLeast, rounds = 5, a, b }) {
  // The first of each loads code and reads the database from the disk.
  await a();
  await b();
  const times = { a: [], b: [] };
  for (let round = 0; round < rounds; round += 1) {
    // In turn the first, too: what one leaves to do, the other doesn't always pay for.
    const order = round % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
    for (const which of order) times[which].push(await timed(which === 'a' ? a : b));
  }
  const ratio = (from, to) => median(times.a.slice(from, to)) / median(times.b.slice(from, to));
  const parts = Math.min(PARTS, rounds);
  const ratios = Array.from({ length: parts }, (_, part) =>
    ratio(Math.round((part * rounds) / parts), Math.round(((part + 1) * rounds) / parts)),
  );
  report({
    name,
    ratio: ratio(),
    spread: at(ratios, 0.9) - at(ratios, 0.1),
    goal,
    ...(atLeast && { atLeast }),
    a: `${median(times.a).toFixed(1)} ms`,
    b: `${median(times.b).toFixed(1)} ms`,
  });
}

/**
 * Hands a figure to `npm run bench`, which prints all of them at its end. `spread` is how far the ratio varies
 * within the run, from the 10th to the 90th of a hundred.
 */
export function report(result) {
  const rounded = { ...result, ratio: round(result.ratio), spread: round(result.spread) };
  const { name, ratio, goal, atLeast } = rounded;
  console.log(`${name}: ${ratio} (goal: ${atLeast ? 'at least' : 'at most'} ${goal})`);
  const { BENCH_RESULTS: file } = process.env;
  if (file) appendFileSync(file, `${JSON.stringify(rounded)}\n`);
}

export function median(numbers) {
  return at(numbers, 0.5);
}

/** The value below which `part` of the numbers are. */
export function at(numbers, part) {
  return numbers.toSorted((one, other) => one - other)[Math.floor((numbers.length - 1) * part)];
}

const round = (value) => Number(value.toFixed(3));

async function timed(work) {
  const start = performance.now();
  return (await work()) ?? performance.now() - start;
}
