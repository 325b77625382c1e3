import { describe, expect, test } from '@jest/globals';
import { safeImage, safePath, safeUrl } from '../../../web/src/lib/safe-url.ts';

const places = { origin: 'https://guard.example.org', github: 'https://github.com' };
const demo = { origin: 'http://localhost:3000', github: 'http://localhost:4001' };

const REFUSED = [
  '',
  ' ',
  'collect',
  './collect',
  '?a=b',
  '#main',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  'javascript://github.com/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD4=',
  'vbscript:msgbox(1)',
  'blob:https://github.com/1',
  'file:///etc/passwd',
  'filesystem:https://github.com/x',
  'about:blank',
  'ftp://github.com/x',
  'ws://github.com/x',
  'http://github.com/octo-org/hello',
  'https://evil.example/',
  'https://github.com.evil.example/',
  'https://evil.example/https://github.com/',
  'https://evilgithub.com/',
  'https://gist.github.com/x',
  'https://github.com:8443/',
  'https://github.com./octo-org',
  'https://github.com@evil.example/',
  'https://user@github.com/',
  'https://user:secret@github.com/',
  'https://@github.com/',
  'https://evil.example\\@github.com/',
  'https://github.com\\@evil.example/',
  'https:github.com/octo-org',
  'https:/github.com/octo-org',
  'https:///github.com/octo-org',
  'https:\\\\github.com\\octo-org',
  'https://ｇithub.com/',
  'https://github。com/',
  'https://gіthub.com/',
  'https://[::1]/',
  'https://',
  'https://github.com//evil.example',
  'https://github.com/%2f%2fevil.example',
  '//evil.example',
  '//github.com/octo-org',
  '///evil.example',
  '////evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  '/\u0000/evil.example',
  '/\u007f/evil.example',
  '/\u0085/evil.example',
  '/\u2028/evil.example',
  '/\u200b/evil.example',
  '/\u202egro.live',
  '/\ufeff/evil.example',
  '/ /evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '/%2F/evil.example',
  '/%2f%2fevil.example',
  '/%5cevil.example',
  '/%5C%5Cevil.example',
  '/%252f%252fevil.example',
  '/%255cevil.example',
  '/%09/evil.example',
  '/%0d%0aLocation:https://evil.example',
  '/%00',
  '%2Fcollect',
  '%252Fcollect',
  'https%3A%2F%2Fgithub.com%2F',
  'https://guard.example.org/collect',
  'https://guard.example.org.evil.example/collect',
  `/${'a'.repeat(9000)}`,
];

describe('safeUrl', () => {
  test.each(REFUSED)('refuses %j', (value) => {
    expect(safeUrl(value, places)).toBeNull();
  });

  test.each([null, undefined])('refuses %j', (value) => {
    expect(safeUrl(value, places)).toBeNull();
  });

  test.each([
    ['/', '/'],
    ['/collect', '/collect'],
    ['/collect?pr=7&head=abc#main', '/collect?pr=7&head=abc#main'],
    ['/collect?url=https%3A%2F%2Fevil.example%2F', '/collect?url=https%3A%2F%2Fevil.example%2F'],
    [
      '/register?redirectURL=%2Fcollect%3Furl%3Dhttps%253A',
      '/register?redirectURL=%2Fcollect%3Furl%3Dhttps%253A',
    ],
    ['/authenticators/../collect', '/collect'],
    ['https://github.com/octo-org/hello/pull/7', 'https://github.com/octo-org/hello/pull/7'],
    ['https://GitHub.com/octo-org', 'https://github.com/octo-org'],
    ['https://github.com', 'https://github.com/'],
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
  ])('refuses %j where GitHub is local', (value) => {
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
    // A fixed linear congruential generator: the same 40,000 addresses at every run.
    let seed = 20250101;
    const next = (limit: number) => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return Math.floor((seed / 2 ** 32) * limit);
    };
    for (let round = 0; round < 40_000; round++) {
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
