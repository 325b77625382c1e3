import { describe, expect, test } from '@jest/globals';
import { ClientResponseError } from 'pocketbase';
import { storeSentence } from '../../../web/src/lib/store-errors.ts';
import { fakeRecordStore } from './fake-record-store.ts';
import './restore-fetch.ts';

describe('the record store’s client', () => {
  test('has a sentence for a record store that gives no reason', () => {
    const silent = new ClientResponseError({ status: 400, response: {} });
    expect(storeSentence(silent)).toBe('Something went wrong while processing your request.');
  });

  test('shows the message of any other error', () => {
    expect(storeSentence(new Error('surprise'))).toBe('surprise');
    expect(storeSentence('surprise')).toBe('Unknown error: surprise');
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
