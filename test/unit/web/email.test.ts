import { describe, expect, test } from '@jest/globals';
import {
  confirmCode,
  EmailRefused,
  readConfirmation,
  requestCode,
} from '../../../web/src/features/email/confirmation.ts';
import { ApiError, NO_ANSWER } from '../../../web/src/lib/api-client.ts';

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
  test('sends the address, and keeps what the confirmation needs', async () => {
    const { api, sent } = serverWith({ ts: confirmation.ts, sig: confirmation.sig, more: 1 });
    expect(await requestCode({ api, session }, ' mona@example.org ')).toEqual(confirmation);
    expect(sent).toEqual([['/github-precheck-email', { email: 'mona@example.org' }]]);
  });

  test.each([
    ['', session, 'E-mail address required'],
    ['  ', session, 'E-mail address required'],
    ['mona@example.org', { ...session, userId: '' }, 'missing model or missing auth token'],
    ['mona@example.org', { ...session, token: '' }, 'missing model or missing auth token'],
  ])('sends nothing for %j with %j', async (address, who, sentence) => {
    const { api, sent } = serverWith({});
    await expect(requestCode({ api, session: who }, address)).rejects.toEqual(new EmailRefused(sentence));
    expect(sent).toEqual([]);
  });

  test('leaves a refusal in the server’s words', async () => {
    const refusal = new ApiError(429, 'Wait a minute.', 60);
    await expect(requestCode({ api: serverWith(refusal).api, session }, 'a@b.c')).rejects.toBe(refusal);
  });
});

describe('confirmCode', () => {
  test('sends the code with what it belongs to', async () => {
    const { api, sent } = serverWith('ok');
    await confirmCode({ api, session }, confirmation, '123456');
    expect(sent).toEqual([['/github-confirm-email', { ...confirmation, code: '123456' }]]);
  });

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
  test('reads what was kept', () => {
    expect(readConfirmation(JSON.parse(JSON.stringify(confirmation)))).toEqual(confirmation);
  });

  test.each([null, 7, 'text', [], {}, { ...confirmation, ts: '1' }, { ...confirmation, sig: undefined }])(
    'takes %j for nothing',
    (kept) => {
      expect(readConfirmation(kept)).toBeNull();
    },
  );
});
