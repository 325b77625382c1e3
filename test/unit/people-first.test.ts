import { expect, test } from '@jest/globals';
import { createPeopleFirst } from '../../src/people-first.ts';

const NEVER_MS = 600_000;

/** What ended, in its order. */
function journal() {
  const lines: string[] = [];
  return { lines, note: (line: string) => () => void lines.push(line) };
}

test('other work goes on at once while nobody waits, and after the last person otherwise', async () => {
  const people = createPeopleFirst(NEVER_MS);
  const { lines, note } = journal();
  await people.turn();
  const ends: (() => void)[] = [];
  const approvals = [1, 2].map((person) =>
    people.first(() => new Promise<void>((end) => ends.push(end))).then(note(`person ${person}`)),
  );
  const others = [people.turn().then(note('webhook')), people.turn().then(note('webhook'))];
  ends[0]?.();
  await approvals[0];
  await new Promise(setImmediate);
  expect(lines).toEqual(['person 1']);
  ends[1]?.();
  await Promise.all([...approvals, ...others]);
  expect(lines.filter((line) => line === 'webhook')).toHaveLength(2);
});

test('a refusal reaches its person, and lets other work go on', async () => {
  const people = createPeopleFirst(NEVER_MS);
  await expect(people.first(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  await people.turn();
});

test('other work does not wait for people for ever', async () => {
  const people = createPeopleFirst(1);
  let end = () => {};
  let hasEnded = false;
  const approval = people.first(() => new Promise<void>((resolve) => (end = resolve)));
  await people.turn().then(() => expect(hasEnded).toBe(false));
  hasEnded = true;
  end();
  await approval;
});
