import { describe, expect, test } from '@jest/globals';
import { collectPath, keepQuery, readPageContext } from '../../../web/src/lib/page-context.ts';

describe('readPageContext', () => {
  test('reads the known parameters; a missing one is empty', () => {
    const context = readPageContext('?owner=octo-org&pr=7&title=a%26b&other=x');
    expect(context).toMatchObject({ owner: 'octo-org', pr: '7', title: 'a&b', head: '', redirectURL: '' });
    expect(context).not.toHaveProperty('other');
  });
});

describe('keepQuery', () => {
  test.each([
    ['/', '', {}, '/'],
    ['/', '?owner=octo-org', {}, '/?owner=octo-org'],
    ['/register', '?owner=a', { redirectURL: '/x?pr=7' }, '/register?owner=a&redirectURL=%2Fx%3Fpr%3D7'],
    ['/collect-passkey', '?head=a&headURL=b', { head: 'c', headURL: null }, '/collect-passkey?head=c'],
  ])('turns %s with the query %j and the changes %j into %s', (path, search, changes, expected) => {
    expect(keepQuery(path, search, changes)).toBe(expected);
  });
});

describe('collectPath', () => {
  test('keeps the approval’s parameters and drops the others', () => {
    const context = readPageContext('?owner=octo-org&pr=7&redirectURL=%2Fcollect&info=hello');
    expect(collectPath(context)).toBe('/collect?owner=octo-org&pr=7');
  });
});
