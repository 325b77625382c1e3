import { expect, test } from '@jest/globals';
import { readTarget } from '../../../web/src/features/approval/target.ts';
import { readPageContext } from '../../../web/src/lib/page-context.ts';
import { target } from './approval-fixture.ts';

const read = (without: string) => {
  const query = new URLSearchParams(target);
  query.delete(without);
  return readTarget(readPageContext(`?${query}`));
};

test('takes the target out of the address', () => {
  expect(read('nothing')).toEqual({ target });
});

test.each([
  ['installation', 'missing installation'],
  ['owner', 'missing org'],
  ['ownerID', 'missing organization id'],
  ['repo', 'missing repo'],
  ['pr', 'missing pr'],
  ['head', 'missing head'],
])('refuses an address without %s', (name, missing) => {
  expect(read(name)).toEqual({ missing });
});
