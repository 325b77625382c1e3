import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { checkGitHubAnswer } from '../support/github-openapi.ts';
import { world } from './one-world.ts';
import type { Json } from './world.ts';

// What protects a branch, and who may go around it: each answer is checked against GitHub's description.

type Example = { action: string };
const EXAMPLES: { name: string; examples: Example[] }[] = createRequire(import.meta.url)(
  '@octokit/webhooks-examples',
);

const HELLO = '/repos/octo-org/hello';
const RULESET = `${HELLO}/rulesets/1`;
const PROTECTION = `${HELLO}/branches/main/protection`;
const OWNER = { actor_id: 1, actor_type: 'OrganizationAdmin', bypass_mode: 'always' };
const CHECKS = {
  strict_required_status_checks_policy: true,
  required_status_checks: [{ context: 'OTP Guard' }],
};
const PROTECTED = {
  required_status_checks: { strict: false, checks: [{ context: 'OTP Guard', app_id: -1 }] },
  enforce_admins: false,
  required_pull_request_reviews: null,
  restrictions: null,
};

const asOctocat = (method: string, path: string, body?: unknown) =>
  world.call(method, path, { token: world.github.facts.adminToken, ...(body !== undefined && { body }) });
const asApp = async (method: string, path: string, body?: unknown) =>
  world.call(method, path, {
    token: await world.installationToken(),
    ...(body !== undefined && { body }),
  });
const asMona = async (method: string, path: string, body?: unknown) =>
  world.call(method, path, { token: await world.signIn('mona'), ...(body !== undefined && { body }) });

/** Grants the App these permissions and events on top of what it has from the start. */
async function grant(permissions: object, events: string[]): Promise<void> {
  const path = `/app/installations/${world.github.facts.installation}`;
  const { json } = await world.call('GET', path, { token: world.appToken() });
  await asOctocat('PUT', path.replace('/app', '/_local'), {
    permissions: { ...json.permissions, ...permissions },
    events: [...new Set([...json.events, ...events])],
  });
}

const webhook = (event: string, action: string, isWanted: (payload: Json) => boolean = () => true) =>
  world.webhook(
    ({ event: name, payload }) => name === event && payload.action === action && isWanted(payload),
  );

/** What the payload's `member` lacks of that in GitHub's own example, or has as another type. */
function missingFrom(event: string, payload: Json, member: string): string[] {
  const known = EXAMPLES.find(({ name }) => name === event)?.examples ?? [];
  const example: Json = known.find(({ action }) => action === payload.action);
  const compare = (expected: Json, found: Json, path: string): string[] => {
    if (expected === null || found === null) return [];
    if (typeof expected !== typeof found) return [path];
    if (typeof expected !== 'object' || Array.isArray(expected)) return [];
    return Object.keys(expected).flatMap((key) => compare(expected[key], found[key], `${path}.${key}`));
  };
  return example ? compare(example[member], payload[member], member) : [`no example of ${event}`];
}

describe('a ruleset at the local GitHub', () => {
  it('shows who may bypass it only to who may edit it', async () => {
    expect((await asOctocat('GET', RULESET)).json.bypass_actors).toEqual([]);
    const seen = async () => [
      (await world.call('GET', RULESET)).json,
      (await asMona('GET', RULESET)).json,
      (await asApp('GET', RULESET)).json,
    ];
    for (const json of await seen()) {
      expect(json).toMatchObject({ id: 1, enforcement: 'active', current_user_can_bypass: 'never' });
      expect(json).not.toHaveProperty('bypass_actors');
    }
    await grant({ administration: 'read' }, []);
    expect((await asApp('GET', RULESET)).json).not.toHaveProperty('bypass_actors');
    await grant({ administration: 'write' }, []);
    expect((await asApp('GET', RULESET)).json.bypass_actors).toEqual([]);
    await grant({ administration: 'none' }, []);
  });

  it('is changed by administrators only', async () => {
    const body = { enforcement: 'disabled' };
    expect((await world.call('PUT', RULESET, { body })).status).toBe(401);
    expect((await asApp('PUT', RULESET, body)).status).toBe(403);
    expect((await asMona('PUT', RULESET, body)).status).toBe(403);
    await grant({ administration: 'write' }, []);
    expect((await asMona('PUT', RULESET, body)).status).toBe(404);
    await grant({ administration: 'none' }, []);
    expect((await asOctocat('GET', RULESET)).json.enforcement).toBe('active');
  });

  it('leaves the rules of its branch if it is disabled or only evaluated, and stays in the list', async () => {
    const rules = async () => (await asApp('GET', `${HELLO}/rules/branches/main`)).json;
    const [rule] = await rules();
    expect(rule).toMatchObject({ ruleset_id: 1, ruleset_source: 'octo-org/hello' });
    const before = (await asOctocat('GET', RULESET)).json;
    for (const enforcement of ['disabled', 'evaluate']) {
      const { status, json } = await asOctocat('PUT', RULESET, { enforcement });
      expect([status, json.enforcement, json.rules]).toEqual([200, enforcement, before.rules]);
      expect(Date.parse(json.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
      expect(await rules()).toEqual([]);
      expect((await asApp('GET', `${HELLO}/rulesets`)).json).toMatchObject([{ id: 1, enforcement }]);
    }
    await asOctocat('PUT', RULESET, { enforcement: 'active' });
    expect(await rules()).toEqual([rule]);
  });

  it('refuses values that GitHub refuses', async () => {
    const statusOf = async (body: object) => (await asOctocat('PUT', RULESET, body)).status;
    const actor = (values: object) => ({ bypass_actors: [{ ...OWNER, ...values }] });
    expect(await statusOf({ enforcement: 'off' })).toBe(422);
    expect(await statusOf(actor({ actor_type: 'User' }))).toBe(422);
    expect(await statusOf(actor({ actor_type: 'Team', actor_id: 99 }))).toBe(422);
    expect(await statusOf(actor({ actor_type: 'DeployKey', bypass_mode: 'pull_request' }))).toBe(422);
    expect(await statusOf({ rules: [{ type: 'required_status_checks' }] })).toBe(422);
    expect((await asOctocat('PUT', `${HELLO}/rulesets/99`, {})).status).toBe(404);
    expect((await asOctocat('POST', `${HELLO}/rulesets`, { name: 'x' })).status).toBe(422);
  });

  it('sends an event with what changed, and only to an App with the permission', async () => {
    await asOctocat('PUT', RULESET, { name: 'Unheard' });
    await grant({ administration: 'read' }, ['repository_ruleset']);
    await asOctocat('PUT', RULESET, {
      name: 'Protect main',
      enforcement: 'disabled',
      bypass_actors: [OWNER],
    });
    const { payload } = await webhook('repository_ruleset', 'edited');
    expect(payload).toMatchObject({
      changes: { name: { from: 'Unheard' }, enforcement: { from: 'active' } },
      repository_ruleset: { id: 1, enforcement: 'disabled', source: 'octo-org/hello' },
      repository: { full_name: 'octo-org/hello' },
      organization: { login: 'octo-org' },
      installation: { id: world.github.facts.installation },
      sender: { login: 'octocat' },
    });
    const body = JSON.stringify(payload.repository_ruleset);
    expect(checkGitHubAnswer({ method: 'GET', url: RULESET, status: 200, body })).toEqual([]);
    await asOctocat('PUT', RULESET, { enforcement: 'active', bypass_actors: [] });
    await grant({ administration: 'none' }, []);
  });

  it('of an organization binds the repositories that its conditions name, and is for owners', async () => {
    const path = '/orgs/octo-org/rulesets';
    const body = {
      name: 'Everywhere',
      enforcement: 'active',
      bypass_actors: [OWNER],
      conditions: {
        ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] },
        repository_name: { include: ['he*'], exclude: [] },
      },
      rules: [{ type: 'required_status_checks', parameters: CHECKS }],
    };
    expect((await asApp('GET', path)).status).toBe(403);
    expect((await asOctocat('POST', path, { ...body, conditions: {} })).status).toBe(422);
    const { status, json } = await asOctocat('POST', path, body);
    expect([status, json.source_type, json.source]).toEqual([201, 'Organization', 'octo-org']);
    const ids = async (query = '') =>
      (await asApp('GET', `${HELLO}/rulesets${query}`)).json.map(({ id }: { id: number }) => id);
    expect([await ids(), await ids('?includes_parents=false')]).toEqual([[1, json.id], [1]]);
    const rules = (await asApp('GET', `${HELLO}/rules/branches/main`)).json;
    expect(rules.map((rule: Json) => rule.ruleset_source_type)).toEqual(['Repository', 'Organization']);
    const shown = await asOctocat('GET', `${HELLO}/rulesets/${json.id}`);
    expect(shown.json).toMatchObject({ current_user_can_bypass: 'always', bypass_actors: [OWNER] });
    expect((await asApp('GET', `${HELLO}/rulesets/${json.id}`)).json).not.toHaveProperty('bypass_actors');
    const elsewhere = { ...body.conditions, repository_name: { include: ['~ALL'], exclude: ['hello'] } };
    await asOctocat('PUT', `${path}/${json.id}`, { conditions: elsewhere });
    expect(await ids()).toEqual([1]);
    expect((await asOctocat('DELETE', `${path}/${json.id}`)).status).toBe(204);
    expect((await asOctocat('GET', path)).json).toEqual([]);
  });
});

describe('branch protection at the local GitHub', () => {
  it('says whether administrators are bound, to who may read the settings', async () => {
    const { status, json } = await asOctocat('PUT', PROTECTION, PROTECTED);
    expect([status, json.enforce_admins.enabled]).toEqual([200, false]);
    expect(json.required_status_checks.checks).toEqual([{ context: 'OTP Guard', app_id: null }]);
    expect((await asApp('GET', PROTECTION)).status).toBe(403);
    expect((await world.call('GET', PROTECTION)).status).toBe(401);
    await grant({ administration: 'read' }, ['branch_protection_rule', 'branch_protection_configuration']);
    expect((await asMona('GET', PROTECTION)).status).toBe(404);
    expect((await asApp('POST', `${PROTECTION}/enforce_admins`)).status).toBe(403);
    expect((await asOctocat('POST', `${PROTECTION}/enforce_admins`)).json.enabled).toBe(true);
    expect((await asApp('GET', `${PROTECTION}/enforce_admins`)).json.enabled).toBe(true);
    const { payload } = await webhook('branch_protection_rule', 'edited');
    expect(payload.changes).toEqual({ admin_enforced: { from: false } });
    expect(missingFrom('branch_protection_rule', payload, 'rule')).toEqual([]);
  });

  it('ends with an event, one by one or all at once', async () => {
    await asOctocat('PUT', '/_local/branch-protections/octo-org/hello', { enabled: false });
    const { payload } = await webhook('branch_protection_configuration', 'disabled');
    expect(payload).toMatchObject({ repository: { name: 'hello' }, sender: { login: 'octocat' } });
    expect((await asApp('GET', PROTECTION)).json.message).toBe('Branch not protected');
    await asOctocat('PUT', '/_local/branch-protections/octo-org/hello', { enabled: true });
    expect((await asApp('GET', PROTECTION)).json.enforce_admins.enabled).toBe(true);
    expect((await asOctocat('DELETE', PROTECTION)).status).toBe(204);
    const deleted = await webhook('branch_protection_rule', 'deleted');
    expect(missingFrom('branch_protection_rule', deleted.payload, 'rule')).toEqual([]);
    expect((await asApp('GET', PROTECTION)).status).toBe(404);
  });
});
