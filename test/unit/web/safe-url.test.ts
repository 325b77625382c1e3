import { describe, expect, test } from '@jest/globals';
import { safeImage, safePath, safeUrl } from '../../../web/src/lib/safe-url.ts';

const places = { origin: 'https://guard.example.org', github: 'https://github.com' };
const demo = { origin: 'http://localhost:3000', github: 'http://localhost:4001' };

/** One of each way to lead a browser elsewhere. */
const REFUSED = [
  // No address at all, or one relative to the page.
  '',
  'collect',
  '?a=b',
  // Schemes that run something or lead out.
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
  // Slashes that a browser reads in its own way.
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
  // Characters that a browser drops or that a person does not see.
  '/\t/evil.example',
  '/\u0000/evil.example',
  '/\u2028/evil.example',
  '/\u202egro.live',
  '/ /evil.example',
  '/%0d%0aLocation:https://evil.example',
  '/%00',
  // The dashboard's own origin is never written out.
  'https://guard.example.org/collect',
  `/${'a'.repeat(9000)}`,
];

describe('safeUrl', () => {
  test.each(REFUSED)('refuses %j', (value) => {
    expect(safeUrl(value, places)).toBeNull();
  });

  test('refuses a parameter that is not there', () => {
    expect(safeUrl(null, places)).toBeNull();
    expect(safeUrl(undefined, places)).toBeNull();
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
  ])('lets %j through as %j', (value, expected) => {
    expect(safeUrl(value, places)).toBe(expected);
  });

  test('lets the exact origin of a local GitHub through, by http too', () => {
    expect(safeUrl('http://localhost:4001/octo-org', demo)).toBe('http://localhost:4001/octo-org');
    expect(safeUrl('https://localhost:4001/octo-org', demo)).toBe('https://localhost:4001/octo-org');
  });

  test.each([
    'http://localhost:4002/',
    'http://localhost/',
    'http://127.0.0.1:4001/',
    'http://localhost:3000/',
  ])('refuses %j when GitHub is a local one', (value) => {
    expect(safeUrl(value, demo)).toBeNull();
  });

  test('never lets an address through that a browser would take elsewhere, whatever it is made of', () => {
    const parts = [
      '/',
      '//',
      '\\',
      '.',
      '..',
      '@',
      ':',
      '%2f',
      '%5c',
      '%25',
      '\t',
      '\n',
      'https:',
      'http:',
      'github.com',
    ];
    parts.push('evil.example', 'javascript:', 'a', '?', '#', 'ｇ', '\u0000', ' ', 'guard.example.org', '%2e');
    // A fixed linear congruential generator: the same 500 addresses at every run.
    let seed = 20250101;
    const next = (limit: number) => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return Math.floor((seed / 2 ** 32) * limit);
    };
    for (let round = 0; round < 500; round++) {
      const value = Array.from({ length: 1 + next(7) }, () => parts[next(parts.length)]).join('');
      const safe = safeUrl(value, places);
      if (safe === null) continue;
      const landing = new URL(safe, `${places.origin}/register?x=y`);
      expect([places.origin, places.github]).toContain(landing.origin);
      expect(landing.username + landing.password).toBe('');
      expect(safe.startsWith('//')).toBe(false);
      expect(safeUrl(safe, places)).toBe(safe);
    }
  });
});

describe('safePath', () => {
  test('lets a path of the dashboard through and nothing else', () => {
    expect(safePath('/collect?pr=7', places)).toBe('/collect?pr=7');
    expect(safePath('https://github.com/octo-org', places)).toBeNull();
    expect(safePath('//evil.example', places)).toBeNull();
  });
});

describe('safeImage', () => {
  test.each([
    ['https://avatars.githubusercontent.com/u/1?v=4', 'https://avatars.githubusercontent.com/u/1?v=4'],
    ['http://localhost:4001/avatars/u/mona', 'http://localhost:4001/avatars/u/mona'],
  ])('lets %j through', (value, expected) => {
    expect(safeImage(value, demo)).toBe(expected);
  });

  test.each([
    '',
    'http://evil.example/a.png',
    'javascript:alert(1)',
    'data:image/svg+xml,x',
    'https://u:p@a.example/',
  ])('refuses %j', (value) => {
    expect(safeImage(value, demo)).toBeNull();
  });
});
