import { describe, expect, test } from '@jest/globals';
import {
  confirmCode,
  EmailRefused,
  readConfirmation,
  requestCode,
} from '../../../web/src/features/email/confirmation.ts';
import { NO_ANSWER } from '../../../web/src/lib/api-client.ts';

const session = { userId: 'user00000000001', token: 'token' };
const confirmation = { email: 'mona@example.org', ts: 1_795_217_206_000, sig: 'signature' };

/** A server that answers every call so; `sent` is what it got. */
function serverWith(answer: unknown) {
  const sent: unknown[] = [];
  const post = async <Answer>(path: string, body: unknown) => {
    sent.push([path, body]);
    if (answer instanceof Error) throw answer;
    return answer as Answer;
  };
  return { api: { post }, sent };
}

describe('requestCode', () => {
  test.each([
    ['', session, 'E-mail address required'],
    ['mona@example.org', { ...session, token: '' }, 'missing model or missing auth token'],
  ])('sends nothing for %j with %j', async (address, who, sentence) => {
    const { api, sent } = serverWith({});
    await expect(requestCode({ api, session: who }, address)).rejects.toEqual(new EmailRefused(sentence));
    expect(sent).toEqual([]);
  });
});

describe('confirmCode', () => {
  test.each([
    ['The code is wrong.', 'The code is wrong.'],
    ['', NO_ANSWER],
    [{ ok: true }, NO_ANSWER],
  ])('takes %j for no confirmation', async (answer, sentence) => {
    await expect(confirmCode({ api: serverWith(answer).api, session }, confirmation, '1')).rejects.toThrow(
      sentence,
    );
  });
});

describe('readConfirmation', () => {
  test.each([null, 'text', [], { ...confirmation, ts: '1' }])('takes %j for nothing', (kept) => {
    expect(readConfirmation(kept)).toBeNull();
  });
});
