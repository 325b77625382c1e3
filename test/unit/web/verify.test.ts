import { expect, test } from '@jest/globals';
import { createElement } from 'react';
import { claimed, failed, proved } from '../../../src/proofs/findings.ts';
import { dashboard, render, screen } from './dashboard.ts';

dashboard();
const { Results } = await import('../../../web/src/features/verify/results.tsx');

const show = (valid: boolean, ...findings: object[]) =>
  render(
    createElement(Results, {
      checked: [{ name: 'r.json', verdicts: [{ title: 'hello #1', valid, findings: findings as never }] }],
      ...{ checkpoints: 0, hasTexts: false, keySource: 'the key list' },
    }),
  );
const heads = (level: number) =>
  screen.getAllByRole('heading', { level }).map(({ textContent }) => textContent);

test('a verdict puts each fact under a heading of its own', () => {
  show(
    true,
    proved('server', 'Signed.'),
    claimed('time', 'Approved at noon.'),
    claimed('enrolment', 'Nobody vouched for the key.'),
    claimed('enrolment', 'It came in with a sign-in.'),
  );
  expect(heads(2)).toEqual(['Valid: r.json']);
  expect(heads(3)).toEqual(['What is proved', 'What is only claimed']);
  expect(heads(4)).toEqual(['Server', 'Time', 'How the key was enrolled']);
});

test('a file that can’t be checked without keys isn’t called invalid', () => {
  show(false, failed('keys', 'Without the key list nothing can be verified.'));
  expect(heads(2)).toEqual(["Can't be checked without keys: r.json"]);
});

test('a receipt that nobody signed isn’t valid', () => {
  show(false, failed('server', 'No key signed it.'));
  expect(heads(2)).toEqual(['Not valid: r.json']);
});
