import { describe, expect, it } from '@jest/globals';
import { memberQueries } from '../../../src/adapters/pocketbase/collections.ts';
import { createAllowList, type Permission } from '../../../src/http/record-api/allow-list.ts';

const permit = createAllowList(memberQueries);
const ID = 'a1b2c3d4e5f6g7h';
const READABLE = ['webauthn', 'totps', 'gh_activities', 'gh_commits', 'organizations', 'org_members'];

/** The whole list, as documented. */
const ALLOWED: [method: string, path: string, permission: Permission][] = [
  ['GET', '/api/health', 'forward'],
  ['GET', '/api/collections/gh_users/auth-methods', 'forward'],
  ['POST', '/api/collections/gh_users/auth-with-oauth2', 'sign-in'],
  ['POST', '/api/collections/gh_users/auth-refresh', 'my-user-record'],
  ['GET', `/api/collections/gh_users/records/${ID}`, 'my-user-record'],
  ...READABLE.flatMap((name): [string, string, Permission][] => [
    ['GET', `/api/collections/${name}/records`, 'member'],
    ['GET', `/api/collections/${name}/records/${ID}`, 'member'],
  ]),
  ['GET', '/api/realtime', 'forward'],
  ['POST', '/api/realtime', 'member'],
];

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'get'];
const hex = (letter: string) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`;
const lastOf = (path: string) => path.split('/').at(-1) ?? '';

/** Spellings that some servers take for the same path. */
const SPELLINGS: [name: string, spell: (path: string) => string][] = [
  ['a slash at the end', (path) => `${path}/`],
  ['a double slash', (path) => path.replace('/api/', '/api//')],
  ['a dot', (path) => path.replace('/api/', '/api/./')],
  ['a way round', (path) => path.replace('/api/', '/api/x/../')],
  ['an escape', (path) => path.replace(lastOf(path), hex(lastOf(path)[0] ?? '') + lastOf(path).slice(1))],
  ['an encoded slash', (path) => path.replace(/\/([^/]+)$/, '%2f$1')],
  [
    'one capital',
    (path) =>
      path.replace(/([a-z])([^/]*)$/, (_all, letter: string, rest: string) => letter.toUpperCase() + rest),
  ],
  ['backslashes', (path) => path.replaceAll('/', '\\')],
  ['a parameter', (path) => `${path};x=1`],
  ['a NUL', (path) => `${path}%00`],
  ['a line break', (path) => `${path}\n`],
  ['a fragment', (path) => `${path}#x`],
  ['a host before it', (path) => `http://localhost${path}`],
  ['a letter of another script', (path) => path.replace('a', 'а')],
];

describe('the allow-list of the record store', () => {
  it('permits its routes, with what they read of the query', () => {
    for (const [method, path, permission] of ALLOWED) {
      expect(permit(method, path)).toEqual({ permission, target: path });
      expect(permit(method, `${path}?x=1&page=%32`)).toEqual({ permission, target: `${path}?page=2` });
    }
  });

  it('permits each path only with its own methods', () => {
    for (const [, path] of ALLOWED) {
      const through = METHODS.filter((method) => permit(method, path) !== null);
      const listed = ALLOWED.filter((one) => one[1] === path).map(([method]) => method);
      expect([path, through.sort()]).toEqual([path, listed.sort()]);
    }
  });

  it.each(SPELLINGS)('refuses a path with %s', (_name, spell) => {
    for (const [method, path] of ALLOWED) {
      const spelt = spell(path);
      expect(spelt).not.toBe(path);
      expect([spelt, permit(method, spelt)]).toEqual([spelt, null]);
    }
  });

  it.each(
    [
      ['', '/', '/_/', '/api/settings', '/api/backups', '/api/batch', '/api/collections'],
      ['/api/collections/webauthn', '/api/collections/_superusers/records'],
      ['/api/collections/_superusers/auth-with-password', '/api/collections/approvals/records'],
      ['/api/collections/challenges/records', '/api/collections/gh_users/records'],
      ['/api/collections/gh_users/auth-with-password', `/api/collections/gh_users/impersonate/${ID}`],
      [`/api/collections/gh_users/records/${ID}/external-auths`],
      [`/api/collections/webauthn/records/${ID}x`, `/api/collections/webauthn/records/${ID.slice(1)}`],
      [`/api/collections/pbc_webauthn/records/${ID}`, '/api/healthy', '/api/realtime/x'],
    ].flat(),
  )('refuses %p by every method', (path) => {
    for (const method of METHODS) expect(permit(method, path)).toBeNull();
  });
});

describe('the query of a permitted request', () => {
  const LIST = '/api/collections/webauthn/records';
  const target = (query: string) => permit('GET', `${LIST}?${query}`)?.target;

  it.each([
    ['perPage=50', 'perPage=50'],
    ['perPage=51', 'perPage=50'],
    ['perPage=0', 'perPage=50'],
    ['perPage=-1', 'perPage=50'],
    ['perPage=1e3', 'perPage=50'],
    ['perPage=', 'perPage=50'],
    ['perPage=20&perPage=500', 'perPage=20'],
    ['perPage=x&page=2', 'perPage=50&page=2'],
    ['p%65rPage=500', 'perPage=50'],
  ])('requests at most fifty records: %s becomes %s', (query, sent) => {
    expect(target(query)).toBe(`${LIST}?${sent}`);
  });

  it('is at most four thousand and ninety-six characters long', () => {
    expect(target('x'.repeat(4096))).toBeDefined();
    expect(target('x'.repeat(4097))).toBeUndefined();
  });

  it('can’t turn into another path', () => {
    for (const query of ['/../../settings', '?/api/settings', '#/api/settings', '\\..\\', '%0d%0aHost: x'])
      expect(target(query)).toMatch(/^\/api\/collections\/webauthn\/records(\?[\w%=&+.*-]*)?$/);
  });
});
