import { expect, it } from '@jest/globals';
import { nameOfRun } from '../../../src/cli/acceptance/try-reads.ts';

const LONG = 2 ** 31;

it.each<[string, number, number | null, string, object]>([
  ['a long id that only the path has', LONG, null, `/o/r/runs/${LONG}`, { seen: 'named by its path' }],
  ['a path of another run', LONG, null, `/o/r/runs/${LONG + 1}`, { seen: 'the path is another one' }],
  ['a number', LONG, 7, `/o/r/runs/${LONG}`, { seen: 'its databaseId is a number' }],
  ['a short id', LONG - 1, LONG - 1, `/o/r/runs/${LONG - 1}`, { notTried: expect.any(String) }],
])('otp-guard acceptance sees how a query names a run: %s', (_what, id, databaseId, resourcePath, seen) => {
  expect(nameOfRun(id, { databaseId, resourcePath, status: 'COMPLETED', conclusion: 'CANCELLED' })).toEqual(
    seen,
  );
});

it('otp-guard acceptance sees that a query shows no run', () => {
  expect(nameOfRun(LONG, undefined)).toEqual({ seen: 'not shown' });
});
