import { expect, test } from '@jest/globals';
import { createElement } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { claimed, failed, proved } from '../../../src/proofs/findings.ts';
import { dashboard, render, screen } from './dashboard.ts';

dashboard();
const { ClientContext } = await import('../../../web/src/lib/react/use-client.ts');
const { Results } = await import('../../../web/src/features/verify/results.tsx');

const show = (valid: boolean, ...findings: object[]) =>
  render(
    createElement(Results, {
      checked: [
        {
          name: 'r.json',
          verdicts: [{ title: 'hello #1', story: null, valid, findings: findings as never }],
        },
      ],
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

test('a receipt of a denial says so, alone and in a bundle, and nothing of an approval', () => {
  const denied = proved('denial', 'This is a denial.');
  show(true, denied);
  expect(heads(2)).toEqual(['Denied: r.json']);
  const verdicts = [[proved('log', 'Signed.')], [denied]].map((findings, at) => ({
    ...{ title: `hello #${at}`, story: null, valid: true, findings },
  }));
  const checked = [{ name: 'r.json', verdicts }];
  render(createElement(Results, { checked, checkpoints: 0, hasTexts: false, keySource: 'the key list' }));
  expect(heads(2)).toEqual(['Denied: r.json', 'Valid: r.json']);
  const counted = '2 receipts, all valid, 1 of them of a denial or a rejected deployment.';
  expect(screen.getByText(counted)).toBeTruthy();
  const names = [...document.querySelectorAll('summary')].map(({ textContent }) => textContent);
  expect(names).toEqual(['Valid: hello #0', 'Denied: hello #1']);
});

test('a receipt of a rejected deployment says so', () => {
  show(true, proved('rejection', 'This is a rejection.'));
  expect(heads(2)).toEqual(['Rejected: r.json']);
  expect(heads(4)).toEqual(['Rejection']);
});

test('a file that can’t be checked without keys isn’t called invalid', () => {
  show(false, failed('keys', 'Without the key list nothing can be verified.'));
  expect(heads(2)).toEqual(["Can't be checked without keys: r.json"]);
});

test('a receipt that nobody signed isn’t valid', () => {
  show(false, failed('server', 'No key signed it.'));
  expect(heads(2)).toEqual(['Not valid: r.json']);
});

test('a signed receipt tells who approved which commit with what and when, each once, and leads to the proof', () => {
  const approval = {
    ...{ id: '', head: 'a'.repeat(40), base: 'main', login: 'mona', avatarUrl: '', withdrawn: null },
    ...{ method: 'passkey' as const, at: '2026-07-01T12:00:00Z' },
  } as const;
  const story = {
    ...{ pull: 'hello #1 into main', opened: null, head: null, base: null },
    ...{ approvals: [approval], denials: [] },
  };
  const verdict = {
    title: 'hello #1 at aaaaaaaa, by mona',
    story,
    valid: true,
    findings: [proved('signature', 'Signed.')],
  };
  const client = { now: () => Date.parse('2026-07-01T12:02:00Z'), config: {} } as never;
  const results = createElement(Results, {
    checked: [{ name: 'r.json', verdicts: [verdict] }],
    ...{ checkpoints: 0, hasTexts: false, keySource: 'the key list' },
  });
  render(createElement(ClientContext, { value: client }, createElement(MemoryRouter, null, results)));
  const rows = screen.getByRole('list', { name: 'Timeline' }).querySelectorAll('li');
  expect([...rows].map(({ textContent }) => textContent)).toEqual([
    'Commit aaaaaaaa',
    'Mmona, passkey, 2 minutes ago',
  ]);
  expect(screen.getByText('hello #1 into main')).toBeTruthy();
  expect(screen.queryByText(verdict.title)).toBeNull();
  const proof = screen.getByRole('link').getAttribute('href') ?? '';
  expect(document.getElementById(proof.slice(1))?.textContent).toContain('What is proved');
});
