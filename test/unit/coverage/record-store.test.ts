import { afterEach, describe, expect, test } from '@jest/globals';
import { ClientResponseError } from 'pocketbase';
import { storeSentence } from '../../../web/src/lib/record-store.ts';
import { fakeRecordStore } from '../web/fake-record-store.ts';

const realFetch = globalThis.fetch;

afterEach(() => {
  globalThis.fetch = realFetch;
});

describe('the record store’s client', () => {
  test('says something where the record store says nothing', () => {
    const silent = new ClientResponseError({ status: 400, response: {} });
    expect(storeSentence(silent)).toBe('Something went wrong while processing your request.');
  });

  test('says what is no answer of the record store’s in its own words', () => {
    expect(storeSentence(new Error('surprise'))).toBe('surprise');
    expect(storeSentence('surprise')).toBe('Unknown error: surprise');
  });

  test('lets two questions that are the same go side by side', async () => {
    const { store } = fakeRecordStore([]);
    globalThis.fetch = async (_url, init) => {
      await new Promise((soon) => setImmediate(soon));
      init?.signal?.throwIfAborted();
      return Response.json({ id: 'one' });
    };
    const ask = () => store.collection('webauthn').getOne('abcdefghijklmno');
    expect(await Promise.all([ask(), ask()])).toEqual([{ id: 'one' }, { id: 'one' }]);
    // As the client comes, it would end the first.
    store.autoCancellation(true);
    await expect(Promise.all([ask(), ask()])).rejects.toMatchObject({ isAbort: true });
  });

  test('connects again for ever, after pauses that grow to two seconds', () => {
    const { store } = fakeRecordStore([]);
    expect(store.realtime).toMatchObject({
      maxConnectTimeout: 15_000,
      predefinedReconnectIntervals: [200, 300, 500, 1000, 1200, 1500, 2000],
      maxReconnectAttempts: Number.POSITIVE_INFINITY,
    });
  });
});
