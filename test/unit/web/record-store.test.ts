import { describe, expect, test } from '@jest/globals';
import { NO_ANSWER, sentenceOf } from '../../../web/src/lib/api-client.ts';
import { type Answer, fakeRecordStore } from './fake-record-store.ts';
import './restore-fetch.ts';

describe('the record store’s client', () => {
  const none = 'Something went wrong while processing your request.';
  test.each<[string, Answer, object]>([
    ['gives no reason', { status: 400, json: {} }, { code: null, status: 400, message: none }],
    ['has no such record', { status: 404, json: { message: 'No.' } }, { code: 'notFound', message: 'No.' }],
    ['is not reached', { problem: 'storeUnavailable' }, { code: 'storeUnavailable', status: 503 }],
    ['does not answer', 'no answer', { code: null, status: 0, message: NO_ANSWER }],
  ])('rejects like a product call if the record store %s', async (_, answer, error) => {
    const { store } = fakeRecordStore([answer]);
    const read = store.collection('webauthn').getOne('abcdefghijklmno');
    await expect(read).rejects.toMatchObject({ name: 'ApiError', ...error });
  });

  test('shows the message of any other error', () => {
    expect(sentenceOf(new Error('surprise'))).toBe('surprise');
    expect(sentenceOf('surprise')).toBe('Unknown error: surprise');
  });

  test('sends two equal requests without cancelling the first', async () => {
    const { store } = fakeRecordStore([]);
    globalThis.fetch = async (_url, init) => {
      await new Promise((soon) => setImmediate(soon));
      init?.signal?.throwIfAborted();
      return Response.json({ id: 'one' });
    };
    const request = () => store.collection('webauthn').getOne('abcdefghijklmno');
    expect(await Promise.all([request(), request()])).toEqual([{ id: 'one' }, { id: 'one' }]);
    // The client's default would cancel the first.
    store.autoCancellation(true);
    await expect(Promise.all([request(), request()])).rejects.toMatchObject({ isAbort: true });
  });
});
