import { expect, test } from '@jest/globals';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { useClient } from '../../../web/src/lib/use-client.ts';

function Page() {
  useClient();
  return null;
}

test('a page without a client fails with a sentence of ours', () => {
  expect(() => renderToStaticMarkup(createElement(Page))).toThrow('Missing context for auth');
});
