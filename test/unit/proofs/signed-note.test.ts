import { describe, expect, it } from '@jest/globals';
import { canonical } from '../../../src/proofs/bytes.ts';
import { checkpointText, findCheckpoints, parseCheckpoint } from '../../../src/proofs/checkpoint.ts';
import {
  isSignedBy,
  noteKeyId,
  parseNote,
  type SignedNote,
  verifyEd25519,
  writeNote,
} from '../../../src/proofs/signed-note.ts';
import { readCheckpoint } from '../../../src/proofs/trusted-log.ts';
import { TestLog } from '../../support/test-log.ts';

/** The example of C2SP signed-note, "Verifier keys". */
const NAME = 'example.com/foo';
const KEY = new Uint8Array(Buffer.from('AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k', 'base64').subarray(1));
const SIGNATURE =
  'Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=';
const NOTE = `This is an example message.\n\n— ${NAME} ${SIGNATURE}\n`;
const isSigned = (note: string) => {
  const parsed = parseNote(note);
  return parsed !== null && isSignedBy(parsed, NAME, [KEY]);
};

describe('a signed note', () => {
  it('verifies as in C2SP’s example', () => {
    expect(Buffer.from(noteKeyId(NAME, KEY)).toString('hex')).toBe('530d903a');
    expect(isSigned(NOTE)).toBe(true);
    expect(isSigned(NOTE.replace('\n—', `\n— other.example AAAAAAAA\n—`))).toBe(true);
  });

  it.each([
    ['another text', NOTE.replace('message', 'massage')],
    ['no newline at its end', NOTE.slice(0, -1)],
    ['no empty line', NOTE.replace('\n\n', '\n')],
    ['a carriage return', NOTE.replace('.\n', '.\r\n')],
    ['no signature', NOTE.slice(0, NOTE.indexOf('—'))],
    ['a hyphen for the dash', NOTE.replace('—', '-')],
    ['another name', NOTE.replace('foo Uw', 'bar Uw')],
    ['a plus sign in the name', NOTE.replace('foo Uw', 'f+o Uw')],
    ['another key id', NOTE.replace('Uw2Q', 'Uw2R')],
    ['bits after its end', NOTE.replace('yaQM=', 'yaQN=')],
    ['only an id', NOTE.replace(SIGNATURE, 'Uw2QOg==')],
    [
      'another signature of the same key that fails',
      `${NOTE}— ${NAME} ${SIGNATURE.replace('Okn8', 'Okn9')}\n`,
    ],
  ])('with %s isn’t one', (_what, note) => {
    expect(isSigned(note)).toBe(false);
  });

  it.each([
    ['more than it may have', `${'x'.repeat(70_000)}${NOTE}`],
    ['a control character', NOTE.replace(' is', '\tis')],
    ['a line behind its signatures that is none', `${NOTE}— ${NAME} nothing else\n`],
  ])('with %s isn’t read', (_what, note) => {
    expect([parseNote(NOTE) === null, parseNote(note)]).toEqual([false, null]);
  });

  it('isn’t signed by a key with which anybody can sign anything', () => {
    // The neutral element as the key and in the signature fits every text (RFC 8032, section 8.9, on small orders).
    const neutral = Uint8Array.of(1, ...new Uint8Array(31));
    const signature = Uint8Array.of(...neutral, ...new Uint8Array(32));
    expect(verifyEd25519(signature, new TextEncoder().encode('anything'), neutral)).toBe(false);
  });
});

describe('a checkpoint', () => {
  const log = new TestLog();
  log.add('vouch');

  it('has C2SP’s three lines, and is found again in a check run’s summary', () => {
    const note = log.checkpoint();
    const [origin, size, root] = note.split('\n');
    expect([origin, size, Buffer.from(root ?? '', 'base64').length]).toEqual([
      'guard.example.org/log/9',
      '1',
      32,
    ]);
    const summary = `**Approved**\r\n\r\nLog: 1 entries.\r\n\r\n\`\`\`\r\n${note}\`\`\`\r\n\n\`\`\`text\nother\n\`\`\`\n`;
    expect(findCheckpoints(summary)).toEqual([note]);
  });

  it('has no fourth line', () => {
    const text = checkpointText({ origin: 'a/log/1', size: 5, root: new Uint8Array(32) });
    const parsed = ['', 'more\n'].map((more) => parseCheckpoint(`${text}${more}\n— a AAAAAAAA\n`));
    expect(parsed.map((one) => one === null)).toEqual([false, true]);
  });

  it('is trusted only if it’s signed under the name of its own log', () => {
    const [text] = log.checkpoint().split('\n\n');
    const name = 'guard.example.org/log/10';
    const { publicKey, sign } = log.key;
    const signature = sign(new TextEncoder().encode(`${text}\n`));
    const renamed = writeNote(`${text}\n`, { name, publicKey, signature });
    const trusted = [log.checkpoint(), renamed].map((note) => readCheckpoint(note, [log.key]));
    expect(trusted.map((one) => one?.org)).toEqual([9, undefined]);
  });

  it.each(['01', '-1', '1e3', '', '1 '])('has no size %j', (size) => {
    const text = checkpointText({ origin: 'a/log/1', size: 5, root: new Uint8Array(32) });
    const note: SignedNote | null = parseNote(`${text.replace('5', size)}\n— a AAAAAAAA\n`);
    expect(note).not.toBeNull();
    expect(parseCheckpoint(`${text.replace('\n5\n', `\n${size}\n`)}\n— a AAAAAAAA\n`)).toBeNull();
  });
});

it('RFC 8785’s own example has its canonical form', () => {
  const value: unknown = JSON.parse(
    '{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001], ' +
      '"string": "\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/", "literals": [null, true, false]}',
  );
  expect(canonical(value)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});
