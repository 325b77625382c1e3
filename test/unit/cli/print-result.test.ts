import { afterEach, expect, it, jest } from '@jest/globals';
import { printResult } from '../../../src/cli/print.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

function printed(result: object, json?: boolean): string {
  let text = '';
  jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += chunk;
    return true;
  });
  printResult(result, { json });
  return text;
}

it('writes a result as lines for people', () => {
  const result = {
    backedUp: true,
    next: null,
    records: { gh_users: 2 },
    logins: ['mona', 'x\u001b[2J'],
    faults: [],
  };
  expect(printed(result)).toBe(
    'backed up: yes\nnext: none\nrecords:\n  gh_users: 2\nlogins:\n  - mona\n  - x\ufffd[2J\nfaults: none\n',
  );
});

it('writes a result as one line of JSON for programs', () => {
  expect(printed({ swept: true, faults: [1] }, true)).toBe('{"swept":true,"faults":[1]}\n');
});
