import { expect, test } from '@jest/globals';
import { loadChunk } from '../../../web/src/lib/load-chunk.ts';
import { fakeLocal } from './fake-local.ts';

const gone = new TypeError('Failed to fetch dynamically imported module');

/** Loads a chunk that is gone, while the server has `page`; null if it doesn't answer. Resolves to what happened. */
function loadGone(page: string | null, { entry = 'index-old.js', tab = fakeLocal() } = {}): Promise<unknown> {
  const fetch = async () => {
    if (page === null) throw new TypeError('fetch failed');
    return new Response(page);
  };
  return new Promise((resolve) => {
    const deps = { fetch, tab, entry, reload: () => resolve('reloaded') };
    loadChunk(() => Promise.reject(gone), deps).then(resolve, resolve);
  });
}

test('a chunk that is gone after a deploy reloads the page', async () => {
  expect(await loadGone('<script src="/assets/index-new.js">')).toBe('reloaded');
});

test('a chunk that is gone although there was no deploy, or without an answer, is reported', async () => {
  expect(await loadGone('<script src="/assets/index-old.js">')).toBe(gone);
  expect(await loadGone(null)).toBe(gone);
});

test('two servers with different builds can’t reload the page for ever', async () => {
  const tab = fakeLocal();
  expect(await loadGone('index-new.js', { tab })).toBe('reloaded');
  expect(await loadGone('index-old.js', { tab, entry: 'index-new.js' })).toBe('reloaded');
  expect(await loadGone('index-new.js', { tab })).toBe(gone);
});
