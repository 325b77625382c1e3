import { describe, expect, test } from '@jest/globals';
import { safeImage, safePath, safeUrl } from '../../../web/src/lib/safe-url.ts';

const origins = { origin: 'https://guard.example.org', github: 'https://github.com' };
const demo = { origin: 'http://localhost:3000', github: 'http://localhost:4001' };

/** One example of each way to lead a browser elsewhere. */
const REFUSED = [
  // Empty, or relative to the page.
  '',
  'collect',
  '?a=b',
  // Schemes that run code or leave GitHub's https.
  'javascript:alert(1)',
  ' JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'javascript://github.com/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'blob:https://github.com/1',
  'http://github.com/octo-org/hello',
  // Other hosts that look like GitHub.
  'https://evil.example/',
  'https://github.com.evil.example/',
  'https://evilgithub.com/',
  'https://gist.github.com/x',
  'https://github.com:8443/',
  'https://github.com./octo-org',
  'https://gіthub.com/',
  'https://ｇithub.com/',
  // User information.
  'https://github.com@evil.example/',
  'https://user:secret@github.com/',
  'https://github.com\\@evil.example/',
  // Slashes that browsers interpret differently.
  'https:github.com/octo-org',
  'https:///github.com/octo-org',
  'https://github.com//evil.example',
  'https://github.com/%2f%2fevil.example',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2fevil.example',
  '/%5cevil.example',
  '/%252f%252fevil.example',
  // Characters that a browser drops or a person can't see.
  '/\t/evil.example',
  '/\u0000/evil.example',
  '/\u2028/evil.example',
  '/\u202egro.live',
  '/ /evil.example',
  '/%0d%0aLocation:https://evil.example',
  '/%00',
  // Addresses of the dashboard are always paths.
  'https://guard.example.org/collect',
  `/${'a'.repeat(9000)}`,
];

describe('safeUrl', () => {
  test.each(REFUSED)('refuses %j', (value) => expect(safeUrl(value, origins)).toBeNull());

  test('refuses a missing parameter', () => {
    expect(safeUrl(null, origins)).toBeNull();
    expect(safeUrl(undefined, origins)).toBeNull();
  });

  test.each([
    ['/', '/'],
    ['/collect', '/collect'],
    ['/collect?pr=7&head=abc#main', '/collect?pr=7&head=abc#main'],
    ['/collect?url=https%3A%2F%2Fevil.example%2F', '/collect?url=https%3A%2F%2Fevil.example%2F'],
    ['/authenticators/../collect', '/collect'],
    ['https://GitHub.com/octo-org', 'https://github.com/octo-org'],
    [
      'https://github.com/o/r/pull/7/changes/abc?w=1#diff',
      'https://github.com/o/r/pull/7/changes/abc?w=1#diff',
    ],
  ])('allows %j as %j', (value, expected) => {
    expect(safeUrl(value, origins)).toBe(expected);
  });

  test('allows the exact origin of a local GitHub, over http too', () => {
    expect(safeUrl('http://localhost:4001/octo-org', demo)).toBe('http://localhost:4001/octo-org');
    expect(safeUrl('https://localhost:4001/octo-org', demo)).toBe('https://localhost:4001/octo-org');
  });

  test.each([
    'http://localhost:4002/',
    'http://localhost/',
    'http://127.0.0.1:4001/',
    'http://localhost:3000/',
  ])('refuses %j if GitHub is local', (value) => {
    expect(safeUrl(value, demo)).toBeNull();
  });
});

describe('safePath', () => {
  test('allows only paths of the dashboard', () => {
    expect(safePath('/collect?pr=7', origins)).toBe('/collect?pr=7');
    expect(safePath('https://github.com/octo-org', origins)).toBeNull();
    expect(safePath('//evil.example', origins)).toBeNull();
  });
});

describe('safeImage', () => {
  test.each([
    ['https://avatars.githubusercontent.com/u/1?v=4', 'https://avatars.githubusercontent.com/u/1?v=4'],
    ['http://localhost:4001/avatars/u/mona', 'http://localhost:4001/avatars/u/mona'],
  ])('allows %j', (value, expected) => {
    expect(safeImage(value, demo)).toBe(expected);
  });

  test.each(
    [
      ['', 'http://evil.example/a.png', 'javascript:alert(1)', 'data:image/svg+xml,x'],
      ['https://u:p@a.example/'],
    ].flat(),
  )('refuses %j', (value) => {
    expect(safeImage(value, demo)).toBeNull();
  });
});
