import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readTrailers } from '../../../src/policies/trailers.ts';

const MONA = { token: 'co-authored-by', name: 'Mona', email: 'mona@example.org' };
const LINE = 'Co-authored-by: Mona <mona@example.org>';

it.each<[string, string, object[]]>([
  ['one', `Fix it\n\n${LINE}\n`, [MONA]],
  ['none in the title', LINE, []],
  ['none in the middle of the message', `Fix it\n\n${LINE}\n\nThat was all.\n`, []],
  ['any capitals', `Fix it\n\n${LINE.toUpperCase()}`, [{ ...MONA, name: 'MONA', email: 'MONA@EXAMPLE.ORG' }]],
  ['a folded line', 'Fix it\n\nCo-authored-by: Mona\n <mona@example.org>', [MONA]],
  ['doubled ones', `Fix it\n\n${LINE}\n${LINE}`, [MONA, MONA]],
  ['lines that end as on Windows', `Fix it\r\n\r\n${LINE}\r\n`, [MONA]],
  [
    'a name with a comma',
    `Fix it\n\nCo-authored-by: Octo, Mona <mona@example.org>`,
    [{ ...MONA, name: 'Octo, Mona' }],
  ],
  [
    'two people in one',
    `Fix it\n\n${LINE}, Dana <dana@example.org>`,
    [MONA, { ...MONA, name: 'Dana', email: 'dana@example.org' }],
  ],
  [
    'no address',
    'Fix it\n\nAssisted-by: Claude:model',
    [{ token: 'assisted-by', name: 'Claude:model', email: null }],
  ],
  [
    'an empty address',
    'Fix it\n\nAssisted-by: Mona <>',
    [{ token: 'assisted-by', name: 'Mona', email: null }],
  ],
])('reads %s', (_what, message, trailers) => {
  expect(readTrailers(message)).toEqual({ trailers, isComplete: true });
});

it('reads a hundred of 10,000, or of as many addresses in one, in no time, and says that they aren’t all', () => {
  const began = process.cpuUsage();
  for (const many of [
    `${LINE}\n`.repeat(10_000),
    `${LINE}${', M <m@x>'.repeat(10_000)}`,
    `${LINE}\n${' a\n'.repeat(50_000)}`,
  ]) {
    const { trailers, isComplete } = readTrailers(`Fix it\n\n${many}`);
    expect([trailers.length <= 100, isComplete]).toEqual([true, trailers.length === 1]);
  }
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(1_000);
});

const line = fc.constantFrom(
  ...[
    LINE,
    'Signed-off-by: M <m@x.org>',
    'signed-off-by: m',
    'Fixes : #7',
    '(cherry picked from commit 12)',
    'Words.',
  ],
  ...[
    '',
    '',
    ' ',
    ' folded',
    '\tfolded',
    '# comment',
    'Conflicts:',
    'A b: c',
    '-x: y',
    ':',
    'Empty:',
    'See https://x.org',
    'a\r',
  ],
);

it('reads what git reads', () => {
  const messages = fc.sample(
    fc.array(line, { maxLength: 14 }).map((lines) => `Fix it\n${lines.join('\n')}\n`),
    process.env.SOAK ? 5_000 : 600,
  );
  const folder = mkdtempSync(join(tmpdir(), 'trailers-'));
  try {
    writeFileSync(join(folder, 'end'), 'x\n\nEnd-of-message: x\n');
    const names = messages.flatMap((message, at) => {
      writeFileSync(join(folder, `${at}`), message);
      return [`${at}`, 'end'];
    });
    const options = { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 } as const;
    const read = execFileSync('git', ['interpret-trailers', '--parse', '--no-divider', ...names], options);
    const ofGit = read.split('End-of-message: x\n').slice(0, -1);
    // Git keeps what comes after an address.
    const words = (text: string) =>
      text
        .replace(/>.*/, '')
        .replace(/[\s<]+/g, ' ')
        .trim()
        .toLowerCase();
    const ofOurs = messages.map((message) =>
      readTrailers(message).trailers.map(({ token, name, email }) =>
        words(`${token}: ${name} ${email ?? ''}`),
      ),
    );
    const wanted = ofGit.map((text) => text.split('\n').filter(Boolean).map(words));
    for (const [at, message] of messages.entries())
      expect([message, ofOurs[at]]).toEqual([message, wanted[at]]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
