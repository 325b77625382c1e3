import { describe, expect, test } from '@jest/globals';
import { NO_ANSWER } from '../../../web/src/lib/api-client.ts';
import {
  confirmCode,
  EmailRefused,
  readConfirmation,
  requestCode,
} from '../../../web/src/lib/email-confirmation.ts';

const session = { userId: 'user00000000001', token: 'token' };
const confirmation = { email: 'mona@example.org', ts: 1_795_217_206_000, sig: 'signature' };

/** A server with one answer to every call; `sent` is what it received. */
function serverWith(answer: unknown) {
  const sent: unknown[] = [];
  const post = async <Answer>(path: string, body: unknown) => {
    sent.push([path, body]);
    if (answer instanceof Error) throw answer;
    return answer as Answer;
  };
  return { api: { post }, sent };
}

describe('the request for an e-mail code', () => {
  test.each([
    ['', session, 'E-mail address required'],
    [
      'mona@example.org',
      { ...session, token: '' },
      'Your sign-in has ended. It lasts eight hours, or until you log out.',
    ],
  ])('for the address %j with the session %j is refused before it is sent', async (address, by, sentence) => {
    const { api, sent } = serverWith({});
    await expect(requestCode({ api, session: by }, address)).rejects.toEqual(new EmailRefused(sentence));
    expect(sent).toEqual([]);
  });
});

describe('the confirmation of an e-mail address', () => {
  test.each([
    ['The code is wrong.', 'The code is wrong.'],
    ['', NO_ANSWER],
    [{ ok: true }, NO_ANSWER],
  ])('fails on the answer %j', async (answer, sentence) => {
    await expect(confirmCode({ api: serverWith(answer).api, session }, confirmation, '1')).rejects.toThrow(
      sentence,
    );
  });
});

describe('a confirmation stored in the tab', () => {
  test.each([null, 'text', [], { ...confirmation, ts: '1' }])('is ignored if it is %j', (stored) => {
    expect(readConfirmation(stored)).toBeNull();
  });
});
