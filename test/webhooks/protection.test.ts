import { beforeEach, describe, expect, it } from '@jest/globals';
import { createProtections } from '../../src/adapters/github/protection.ts';
import type { CheckRequirement } from '../../src/contract/organization-health.ts';
import type { Installation } from '../../src/organizations/ports.ts';
import { requirementOf } from '../../src/protection/bypass.ts';
import type { RepositoryProtection } from '../../src/protection/ports.ts';
import { codeOf } from '../support/code-of.ts';
import { githubFixture, type Json } from '../support/fixtures.ts';
import { type Answer, nockGitHub } from '../support/nock-github.ts';
import { APP, MEMBERS, REPO, REPOSITORIES, reply, REF as repo, STORY, TOKENS, testApp } from './bot.ts';

const github = nockGitHub();
const INSTALLATION: Installation = {
  id: STORY.installation,
  account: { id: STORY.ownerId, login: STORY.owner, type: 'Organization', htmlUrl: '' },
  suspended: false,
  repositorySelection: 'all',
  settingsUrl: '',
  permissions: { checks: 'write' },
};
let protections: ReturnType<typeof createProtections>;
/** The App's installations: one of them, and it may be gone. */
let installations: Installation[];

beforeEach(() => {
  installations = [INSTALLATION];
  const get = async (wanted: number) => installations.find(({ id }) => id === wanted) ?? null;
  protections = createProtections(testApp().app, { get, list: async () => installations }, APP);
  github.answers('POST', TOKENS, reply.token);
});

const RULES = `${REPO}/rules/branches/master`;
const PROTECTION = `${REPO}/branches/master/protection`;
const RULESET = `${REPO}/rulesets/42`;
const KEYS = `${REPO}/keys`;

const ok = (body: unknown): Answer => ({ status: 200, body });
const status = (code: number, headers: Record<string, string> = {}): Answer => ({
  status: code,
  body: { message: 'Resource not accessible by integration' },
  headers,
});
const none: Answer = { status: 404, body: { message: 'Branch not protected' } };
const noRules = ok([]);
/** A ruleset that requires these checks, each with its source. */
const rules = (...checks: object[]): Answer =>
  ok(
    githubFixture('branch-rules', ([rule]) =>
      Object.assign(rule.parameters, { required_status_checks: checks }),
    ),
  );
/** A branch protection that requires these checks. */
const protection = (...checks: object[]): Answer =>
  ok(
    githubFixture('branch-protection', (one: Json) =>
      Object.assign(one, { required_status_checks: { checks } }),
    ),
  );
const bare = (more: object) => ok({ enforce_admins: { enabled: true }, ...more });
const ours = (integration_id?: number) => ({
  context: 'OTP Guard',
  ...(integration_id !== undefined && { integration_id }),
});
const oursBefore = (app_id: number | null) => ({ context: 'OTP Guard', app_id });

/** As the background check of repositories reads it, if GitHub shows nothing else. */
const requirement = async (branch = 'master') => {
  github.answers('GET', RULESET, status(404));
  for (const path of [KEYS, `${REPO}/collaborators`]) github.answers('GET', path, status(403));
  return requirementOf(await protections.repository(repo, branch));
};

const asked = (byRules: Answer, byProtection: Answer) => {
  github.answers('GET', RULES, byRules);
  github.answers('GET', PROTECTION, byProtection);
  return requirement();
};

describe('whether a branch requires the check', () => {
  it.each<[string, Answer, Answer, CheckRequirement]>([
    ['nothing requires it', noRules, none, 'no'],
    ['a ruleset requires it from this App', ok(githubFixture('branch-rules')), none, 'thisApp'],
    ['a ruleset requires it from any source', rules(ours()), none, 'anySource'],
    ['a ruleset requires it from another App', rules(ours(1)), none, 'no'],
    ['it requires another check', rules({ context: 'build', integration_id: APP.appId }), none, 'no'],
    [
      'the ruleset is of another kind',
      ok([{ type: 'pull_request', parameters: {}, ruleset_id: 42 }]),
      none,
      'no',
    ],
    ['two rulesets require it', rules(ours(), ours(APP.appId)), none, 'thisApp'],
    ['the protection requires this App', noRules, ok(githubFixture('branch-protection')), 'thisApp'],
    ['the protection requires it from any source', noRules, protection(oursBefore(-1)), 'anySource'],
    ['protection requires it from its first App', noRules, protection(oursBefore(null)), 'anySource'],
    ['the protection requires it from another App', noRules, protection(oursBefore(1)), 'no'],
    ['the protection requires another check', noRules, protection({ context: 'build', app_id: null }), 'no'],
    [
      'the protection has only names of checks',
      noRules,
      bare({ required_status_checks: { contexts: ['OTP Guard'] } }),
      'anySource',
    ],
    ['the protection says nothing about checks', noRules, bare({}), 'no'],
    ['both do, the first from this App', rules(ours(APP.appId)), protection(oursBefore(null)), 'thisApp'],
    ['both require it, the last from this App', rules(ours()), protection(oursBefore(APP.appId)), 'thisApp'],
    ['the protection may not be read', noRules, status(403), 'unknown'],
    ['a ruleset requires this App, protection is hidden', rules(ours(APP.appId)), status(403), 'thisApp'],
    ['a ruleset requires it from any, protection is hidden', rules(ours()), status(403), 'anySource'],
    ['the branch is not shown', noRules, status(404), 'unknown'],
    ['rulesets are not shown', status(404), none, 'unknown'],
    [
      'rulesets are not shown, the protection requires this App',
      status(403),
      protection(oursBefore(29310)),
      'thisApp',
    ],
  ])('is known if %s', async (_by, byRules, byProtection, required) => {
    expect(await asked(byRules, byProtection)).toBe(required);
  });

  it.each<[string, Answer, Answer]>([
    ['protection', noRules, status(502)],
    ['protection, with a part of an answer', noRules, ok({ required_status_checks: null })],
    ['rulesets, with something else than a list', ok({}), none],
    ['protection, for a while', noRules, status(403, { 'retry-after': '60' })],
  ])('is an error if GitHub does not answer: %s', async (_what, byRules, byProtection) => {
    expect(await codeOf(asked(byRules, byProtection))).toBe('githubUnavailable');
  });

  it('stays known if GitHub says that nothing changed, which costs nothing', async () => {
    const tagged = { headers: { etag: '"1"' }, status: 200 };
    github.expects('GET', RULES, { ...tagged, body: [] });
    github.expects('GET', PROTECTION, { ...tagged, body: githubFixture('branch-protection') });
    const first = await requirement();
    github.expects('GET', RULES, status(304));
    github.expects('GET', PROTECTION, status(304));
    expect([first, await requirement()]).toEqual(['thisApp', 'thisApp']);
  });

  it('is known for branches with slashes and special characters in their names', async () => {
    const branch = 'release/1.0 #1';
    const path = encodeURIComponent(branch);
    github.expects('GET', `${REPO}/rules/branches/${path}`, rules(ours(APP.appId)));
    github.expects('GET', `${REPO}/branches/${path}/protection`, none);
    expect(await requirement(branch)).toBe('thisApp');
  });
});

describe('what protects a repository', () => {
  const writable = { id: 7, title: 'deploy', read_only: false };
  const read = (answers: {
    rules?: Answer;
    ruleset?: Answer;
    protection?: Answer;
    keys?: Answer;
    defaultBranch?: string;
  }) => {
    github.answers('GET', RULES, answers.rules ?? ok(githubFixture('branch-rules')));
    github.answers('GET', RULESET, answers.ruleset ?? ok(githubFixture('ruleset')));
    github.answers('GET', PROTECTION, answers.protection ?? none);
    github.answers('GET', KEYS, answers.keys ?? ok(githubFixture('deploy-keys')));
    github.answers('GET', REPO, ok({ default_branch: answers.defaultBranch ?? 'master' }));
    github.answers('GET', `${REPO}/collaborators`, ok(githubFixture('org-members')));
    return (known?: RepositoryProtection) => protections.repository(repo, 'master', known);
  };
  const rule = {
    state: 'active',
    source: 'repositoryRuleset',
    id: 42,
    name: 'Approvals',
    isOurs: true,
    needsPull: true,
    updated: '2020-08-23T16:29:47Z',
    url: 'https://github.com/Octocoders/Hello-World/settings/rules/42',
  };

  it('has each rule that requires the check, and the keys that can write', async () => {
    const keys = ok([...githubFixture('deploy-keys'), writable]);
    const found = await read({ protection: ok(githubFixture('branch-protection')), keys })();
    const people = { total: 2, logins: expect.any(Array) };
    const bypass = [{ type: 'administrators', id: null, name: 'administrators', mode: 'always', people }];
    expect(found).toEqual({
      defaultBranch: 'master',
      rulesets: [{ ...rule, bypass }],
      branchProtection: [
        {
          ...{ ...rule, source: 'branchProtection', id: null, updated: null, bypass },
          name: 'the branch protection of master',
          url: 'https://github.com/Octocoders/Hello-World/settings/branches',
        },
      ],
      deployKeys: [{ id: 7, title: 'deploy' }],
    });
    expect(github.requests('GET', `${REPO}/collaborators`)[0]?.query.get('permission')).toBe('admin');
  });

  it.each<[string, object, object]>([
    [
      'owners',
      { actor_type: 'OrganizationAdmin', actor_id: 1 },
      { type: 'owners', id: null, name: 'owners' },
    ],
    ['deploy keys', { actor_type: 'DeployKey', actor_id: null }, { type: 'deployKeys', name: 'deploy keys' }],
    [
      'writers',
      { actor_type: 'RepositoryRole', actor_id: 4 },
      { type: 'role', name: 'people who can write' },
    ],
    [
      'a custom role',
      { actor_type: 'RepositoryRole', actor_id: 99 },
      { type: 'role', name: 'the custom role 99' },
    ],
    [
      'a team',
      { actor_type: 'Team', actor_id: 3, bypass_mode: 'pull_request' },
      { type: 'team', mode: 'pullRequest' },
    ],
    [
      'an App',
      { actor_type: 'Integration', actor_id: 9, bypass_mode: 'exempt' },
      { type: 'app', mode: 'exempt' },
    ],
    [
      'a kind that is new',
      { actor_type: 'EnterpriseOwner' },
      { type: 'other', name: 'the actor EnterpriseOwner' },
    ],
  ])('names an actor of a bypass list: %s', async (_what, actor, expected) => {
    const ruleset = ok(githubFixture('ruleset', (one) => Object.assign(one, { bypass_actors: [actor] })));
    const { rulesets } = await read({ ruleset })();
    expect(rulesets?.[0]?.bypass).toEqual([expect.objectContaining(expected)]);
  });

  it('knows no list that GitHub leaves out', async () => {
    const ruleset = ok(githubFixture('ruleset', (one) => delete one.bypass_actors));
    expect((await read({ ruleset })()).rulesets?.[0]?.bypass).toBeNull();
  });

  it('has an empty list if nobody is in it', async () => {
    const ruleset = ok(githubFixture('ruleset', (one) => Object.assign(one, { bypass_actors: [] })));
    const protection = ok(
      githubFixture('branch-protection', (one) => Object.assign(one.enforce_admins, { enabled: true })),
    );
    const { rulesets, branchProtection } = await read({ ruleset, protection })();
    expect([rulesets?.[0]?.bypass, branchProtection?.[0]?.bypass]).toEqual([[], []]);
  });

  const [CHECK_ONLY, PULL_ONLY] = [1, 0].map((other) =>
    ok(githubFixture('branch-rules', (all) => void all.splice(other, 1))),
  );
  const protectedBy = (change: object) =>
    ok(githubFixture('branch-protection', (one) => Object.assign(one, change)));
  const allowances = (people: object) => ({
    required_pull_request_reviews: { bypass_pull_request_allowances: people },
  });

  it.each<[string, Answer | undefined, Answer, unknown]>([
    ['by the ruleset', undefined, none, [['active', true]]],
    ['by no ruleset', CHECK_ONLY, none, [['active', false]]],
    ['by a ruleset without the check', PULL_ONLY, none, [['withoutCheck', true]]],
    ['by branch protection', noRules, protectedBy({}), [['active', true]]],
    [
      'by branch protection without the check',
      noRules,
      protectedBy({ required_status_checks: undefined }),
      [['withoutCheck', true]],
    ],
    [
      'by no branch protection',
      noRules,
      protectedBy({ required_pull_request_reviews: undefined }),
      [['active', false]],
    ],
    [
      'by branch protection that lets a team push',
      noRules,
      protectedBy(allowances({ users: [], teams: [{ slug: 'release' }] })),
      [['active', false]],
    ],
    [
      'by branch protection that lets nobody push',
      noRules,
      protectedBy(allowances({ users: [], teams: [], apps: [] })),
      [['active', true]],
    ],
  ])('knows that a pull request is required %s', async (_by, byRules, protection, expected) => {
    const found = await read({ ...(byRules && { rules: byRules }), protection })();
    const all = [...(found.rulesets ?? []), ...(found.branchProtection ?? [])];
    expect(all.map(({ state, needsPull }) => [state, needsPull])).toEqual(expected);
  });

  const known = (): RepositoryProtection => ({
    defaultBranch: 'master',
    rulesets: [{ ...rule, bypass: [] } as never],
    branchProtection: [{ ...rule, source: 'branchProtection', id: null, bypass: [] } as never],
    deployKeys: [],
  });
  const changed = (change: object) => ok(githubFixture('ruleset', (one) => Object.assign(one, change)));
  it.each<[string, Answer]>([
    ['notEnforced', changed({ enforcement: 'disabled' })],
    ['notEnforced', changed({ enforcement: 'evaluate' })],
    ['withoutCheck', changed({ rules: [] })],
    ['elsewhere', changed({ conditions: { ref_name: { include: ['refs/heads/dev'], exclude: [] } } })],
    ['removed', status(404)],
    ['withoutCheck', status(403)],
  ])('says %s of a rule that the branch does not have any more, for a reason', async (state, ruleset) => {
    const { rulesets } = await read({ rules: noRules, ruleset })(known());
    expect(rulesets).toEqual([{ ...rule, bypass: [], needsPull: false, state }]);
  });

  it('does not know the rules of a default branch that has another name now', async () => {
    const renamed = { rules: noRules, ruleset: ok(githubFixture('ruleset')), defaultBranch: 'trunk' };
    expect((await read(renamed)(known())).rulesets).toBeNull();
  });

  it.each<[string, string, Answer]>([
    ['removed', 'master', none],
    ['withoutCheck', 'master', bare({})],
    ['elsewhere', 'main', none],
  ])('says %s of branch protection that was of %s', async (state, defaultBranch, protection) => {
    const { branchProtection } = await read({ protection })({ ...known(), defaultBranch });
    expect(branchProtection).toMatchObject([{ source: 'branchProtection', state }]);
  });

  it('does not know a list of which a page is missing', async () => {
    const next = { link: `<https://api.github.com${KEYS}?page=2>; rel="next"` };
    const keys: Answer = ({ query }) =>
      query.get('page') === '1'
        ? { status: 200, body: [writable], headers: next }
        : { status: 404, body: {} };
    expect((await read({ keys })()).deployKeys).toBeNull();
  });
});

describe('what the App may do in an account', () => {
  const org = {
    ...{ orgId: STORY.ownerId, name: STORY.owner, installationId: STORY.installation },
    accountType: 'Organization' as const,
  };
  const read = (members: Answer, repositories?: Answer) => {
    if (repositories) installations = [{ ...INSTALLATION, repositorySelection: 'selected' }];
    github.answers('GET', MEMBERS, members);
    if (repositories) github.answers('GET', REPOSITORIES, repositories);
    return protections.account(org);
  };
  const known = {
    permissions: { checks: 'write' },
    repositorySelection: 'all',
    isSuspended: false,
    isRemoved: false,
  };

  it('has its owners and the repositories that were selected, archived ones too', async () => {
    const owners = expect.arrayContaining([{ id: expect.any(Number), login: 'Codertocat' }]);
    const all = { ...known, owners, repositories: null };
    expect(await read(ok(githubFixture('org-members')))).toEqual(all);
    const list = githubFixture(
      'installation-repositories',
      (one: Json) => (one.repositories[0].archived = true),
    );
    expect(await read(ok(githubFixture('org-members')), ok(list))).toEqual({
      ...{ ...all, repositorySelection: 'selected' },
      repositories: [{ id: list.repositories[0].id, name: list.repositories[0].name }],
    });
    expect(github.requests('GET', MEMBERS)[0]?.query.get('role')).toBe('admin');
  });

  it.each<[string, Answer]>([
    ['no permission', status(403)],
    ['not shown', status(404)],
    ['nobody', ok([])],
  ])('does not know the owners if the answer is: %s', async (_what, answer) => {
    const unknown = { repositorySelection: 'selected', owners: null, repositories: null };
    expect(await read(answer, status(403))).toEqual({ ...known, ...unknown });
  });

  it('is removed only if GitHub does not list it either', async () => {
    installations = [];
    expect(await protections.account(org)).toMatchObject({
      isRemoved: true,
      isSuspended: false,
      owners: null,
    });
    const get = async () => null;
    const contradicting = createProtections(testApp().app, { get, list: async () => [INSTALLATION] }, APP);
    expect(await codeOf(contradicting.account(org))).toBe('githubUnavailable');
  });

  it('is removed whatever is left of the budget, which the answer doesn’t count against', async () => {
    const app = { ...testApp().app, budget: { lowUntil: () => new Date(Date.now() + 60_000) } };
    const get = async () => installations[0] ?? null;
    const low = createProtections(app, { get, list: async () => installations }, APP);
    expect(await codeOf(low.account(org))).toBe('githubBudgetLow');
    installations = [];
    expect(await low.account(org)).toMatchObject({ isRemoved: true });
  });

  it('is suspended without another request', async () => {
    installations = [{ ...INSTALLATION, suspended: true }];
    expect(await protections.account(org)).toMatchObject({
      isSuspended: true,
      isRemoved: false,
      owners: null,
    });
    expect(github.sent).toEqual([]);
  });
});
