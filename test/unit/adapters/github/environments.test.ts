import { describe, expect, it } from '@jest/globals';
import { createProtections } from '../../../../src/adapters/github/protection.ts';
import type { RepositoryEnvironments } from '../../../../src/contract/organization-health.ts';
import { appAt } from './app-at.ts';

const APP_ID = 29310;
const REPO = { installation: 5, owner: 'o', name: 'hello' };
const FORBIDDEN = Response.json({ message: 'Resource not accessible by integration' }, { status: 403 });

type GitHub = {
  environments?: object[];
  total?: number;
  /** The environments that have our rule, and what GitHub says about each. */
  rules?: Record<string, object[] | Response>;
  list?: Response;
  isPrivate?: boolean;
};

const named = (name: string, can_admins_bypass?: boolean) => ({ name, can_admins_bypass });
const rule = (id = APP_ID, enabled = true) => ({ id: 1, enabled, app: { id } });

async function readAt(
  { environments = [], total, rules = {}, list, isPrivate = false }: GitHub,
  { canGate = true, known }: { canGate?: boolean; known?: RepositoryEnvironments } = {},
) {
  const asked: string[] = [];
  const app = appAt(async (url) => {
    const { pathname } = new URL(url);
    const name = /\/environments\/([^/]+)\/deployment_protection_rules$/.exec(pathname)?.[1];
    if (pathname === '/repos/o/hello') asked.push('repository');
    if (pathname.includes('/environments')) asked.push(decodeURIComponent(name ?? 'list'));
    if (name !== undefined) {
      const found = rules[decodeURIComponent(name)] ?? [];
      return found instanceof Response
        ? found.clone()
        : Response.json({ total_count: found.length, custom_deployment_protection_rules: found });
    }
    if (pathname.endsWith('/environments'))
      return list?.clone() ?? Response.json({ total_count: total ?? environments.length, environments });
    if (pathname === '/repos/o/hello') return Response.json({ private: isPrivate });
    if (pathname.endsWith('/protection'))
      return Response.json({ message: 'Branch not protected' }, { status: 404 });
    return Response.json([]);
  });
  const installations = { get: async () => null, list: async () => [] };
  const config = { appId: APP_ID, serverUrl: 'https://github.com' };
  const before = known && {
    ...{ defaultBranch: 'main', rulesets: [], branchProtection: [], deployKeys: [] },
    environments: known,
  };
  const protections = createProtections(app, installations, config);
  const found = await protections.repository(REPO, 'main', before ?? null, canGate);
  return { asked, environments: found.environments };
}

describe('the environments of a repository', () => {
  it('have our rule only if GitHub lists it, enabled and of our App, and otherwise it isn’t known', async () => {
    const { environments } = await readAt({
      environments: ['ours', 'off', 'other', 'hidden', 'odd', 'a/b'].map((name) =>
        named(name, name === 'ours'),
      ),
      rules: {
        ours: [rule(1), rule()],
        off: [rule(APP_ID, false)],
        other: [rule(1)],
        hidden: FORBIDDEN,
        odd: Response.json({}),
        'a/b': [rule()],
      },
    });
    expect(environments).toEqual({
      total: 6,
      first: [
        { name: 'ours', isGated: true, canAdminsBypass: true },
        { name: 'off', isGated: false, canAdminsBypass: false },
        { name: 'other', isGated: false, canAdminsBypass: false },
        { name: 'hidden', isGated: null, canAdminsBypass: false },
        { name: 'odd', isGated: null, canAdminsBypass: false },
        { name: 'a/b', isGated: true, canAdminsBypass: false },
      ],
      isPrivate: false,
    });
  });

  it('aren’t known if GitHub doesn’t show them, or doesn’t say whether administrators may bypass', async () => {
    const hidden = { total: null, first: [], isPrivate: false };
    expect((await readAt({ list: FORBIDDEN })).environments).toEqual(hidden);
    expect(
      (await readAt({ list: Response.json({ message: 'Not Found' }, { status: 404 }) })).environments,
    ).toEqual(hidden);
    await expect(readAt({ list: Response.json({ total_count: 3 }) })).rejects.toMatchObject({
      code: 'githubUnavailable',
    });
    const { environments } = await readAt({ environments: [named('release')] });
    expect(environments?.first).toEqual([{ name: 'release', isGated: false, canAdminsBypass: null }]);
  });

  it('cost no request if the account didn’t grant what deployments take', async () => {
    const { asked, environments } = await readAt({ environments: [named('release')] }, { canGate: false });
    expect([asked, environments]).toEqual([[], undefined]);
  });

  it('are asked about twenty at most, first those that had the rule', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `pr-${at}`);
    const known = {
      ...{ total: 1, isPrivate: false },
      first: [{ name: 'pr-29', isGated: true, canAdminsBypass: null }],
    };
    const all = names.map((name) => named(name));
    const { asked, environments } = await readAt({ environments: all, total: 120 }, { known });
    expect(asked).toHaveLength(21);
    expect(asked[1]).toBe('pr-29');
    const unread = environments?.first.filter(({ isGated }) => isGated === null);
    expect([environments?.total, environments?.first.length, unread?.length]).toEqual([120, 30, 10]);
  });

  it.each([
    [true, [rule()], true],
    [false, [rule()], false],
    [true, [], false],
  ])('of a private repository (%s) are known as such if one has the rule', async (...row) => {
    const [isPrivate, release, isKnown] = row;
    const found = await readAt({ environments: [named('release')], rules: { release }, isPrivate });
    expect(found.environments?.isPrivate).toBe(isKnown);
    expect(found.asked).toEqual(['list', 'release', ...(release.length > 0 ? ['repository'] : [])]);
  });
});
