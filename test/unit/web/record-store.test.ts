import { afterEach, describe, expect, test } from '@jest/globals';
import { ClientResponseError } from 'pocketbase';
import { storeSentence } from '../../../web/src/lib/record-store.ts';
import { fakeRecordStore } from './fake-record-store.ts';

const realFetch = globalThis.fetch;

afterEach(() => {
  globalThis.fetch = realFetch;
});

describe('the record store’s client', () => {
  test('says something when the record store gives no reason', () => {
    const silent = new ClientResponseError({ status: 400, response: {} });
    expect(storeSentence(silent)).toBe('Something went wrong while processing your request.');
  });

  test('gives the message of an error that is no answer of the record store', () => {
    expect(storeSentence(new Error('surprise'))).toBe('surprise');
    expect(storeSentence('surprise')).toBe('Unknown error: surprise');
  });

  test('sends two equal questions side by side without cancelling the first', async () => {
    const { store } = fakeRecordStore([]);
    globalThis.fetch = async (_url, init) => {
      await new Promise((soon) => setImmediate(soon));
      init?.signal?.throwIfAborted();
      return Response.json({ id: 'one' });
    };
    const ask = () => store.collection('webauthn').getOne('abcdefghijklmno');
    expect(await Promise.all([ask(), ask()])).toEqual([{ id: 'one' }, { id: 'one' }]);
    // By default, the client cancels the first.
    store.autoCancellation(true);
    await expect(Promise.all([ask(), ask()])).rejects.toMatchObject({ isAbort: true });
  });
});
