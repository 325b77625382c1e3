import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { world } from './one-world.ts';
import type { Json } from './world.ts';

// Protection of a branch, and who may go around it: each answer is checked against GitHub's description.

type Example = { action: string };
const EXAMPLES: { name: string; examples: Example[] }[] = createRequire(import.meta.url)(
  '@octokit/webhooks-examples',
);

const HELLO = '/repos/octo-org/hello';
const RULESET = `${HELLO}/rulesets/1`;
const PROTECTION = `${HELLO}/branches/main/protection`;
const OWNER = { actor_id: 1, actor_type: 'OrganizationAdmin', bypass_mode: 'always' };
const PROTECTED = {
  required_status_checks: { strict: false, checks: [{ context: 'OTP Guard', app_id: -1 }] },
  enforce_admins: false,
  required_pull_request_reviews: null,
  restrictions: null,
};

const asOctocat = (method: string, path: string, body?: unknown) =>
  world.call(method, path, { token: world.github.facts.adminToken, body });
const asApp = async (method: string, path: string, body?: unknown) =>
  world.call(method, path, { token: await world.installationToken(), body });
const asMona = async (method: string, path: string, body?: unknown) =>
  world.call(method, path, { token: await world.signIn('mona'), body });

/** Grants the App these permissions and events on top of what it has from the start. */
async function grant(permissions: object, events: string[]): Promise<void> {
  const path = `/app/installations/${world.github.facts.installation}`;
  const { json } = await world.call('GET', path, { token: world.appToken() });
  await asOctocat('PUT', path.replace('/app', '/_local'), {
    permissions: { ...json.permissions, ...permissions },
    events: [...new Set([...json.events, ...events])],
  });
}

const webhook = (event: string, action: string) =>
  world.webhook(({ event: name, payload }) => name === event && payload.action === action);

/** The fields of GitHub's own example that the payload's `member` lacks, or has as another type. */
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

  it('ends with an event, one by one or all together', async () => {
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

describe('an organization at the local GitHub', () => {
  const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFake octocat';

  it('shows the deploy keys of its repositories to administrators, and sends an event of each', async () => {
    const path = `${HELLO}/keys`;
    await grant({ administration: 'read' }, ['deploy_key']);
    const made = await asOctocat('POST', path, { title: 'Release', key: KEY });
    expect(made.json).toMatchObject({ title: 'Release', read_only: false, added_by: 'octocat' });
    expect((await asOctocat('POST', path, { title: 'Again', key: KEY })).status).toBe(422);
    expect((await asApp('POST', path, { title: 'App', key: `${KEY}2` })).status).toBe(403);
    expect((await asMona('GET', path)).status).toBe(404);
    expect((await asApp('GET', path)).json).toHaveLength(1);
    await grant({ deployments: 'read' }, []);
    expect((await asOctocat('DELETE', `${path}/${made.json.id}`)).status).toBe(204);
    const { payload } = await webhook('deploy_key', 'deleted');
    expect(missingFrom('deploy_key', { ...payload, action: 'created' }, 'key')).toEqual([]);
    expect(world.webhooks.some(({ payload: sent }) => sent.action === 'created' && sent.key)).toBe(false);
    expect((await asApp('GET', path)).json).toEqual([]);
    await grant({ administration: 'none' }, []);
    expect((await asApp('GET', path)).status).toBe(403);
  });
});

describe('an update around the rules of the local GitHub', () => {
  const bypassedBy = (...bypass_actors: object[]) => asOctocat('PUT', RULESET, { bypass_actors });
  const push = (message: string, call = asOctocat) =>
    call('PUT', `${HELLO}/contents/${message}.txt`, { message, content: 'eA==', branch: 'main' });
  const suites = async (query = '') =>
    (await asOctocat('GET', `${HELLO}/rulesets/rule-suites${query}`)).json as Json[];

  it('is open to who may bypass all of them, by a push or by a merge only, and leaves a rule suite', async () => {
    expect((await push('nobody')).status).toBe(409);
    await bypassedBy({ ...OWNER, bypass_mode: 'pull_request' });
    expect((await push('by-merge-only')).status).toBe(409);
    expect((await asOctocat('GET', RULESET)).json.current_user_can_bypass).toBe('pull_requests_only');
    await bypassedBy(OWNER);
    expect((await asMona('PUT', `${HELLO}/pulls/1/merge`)).status).toBe(405);
    await asOctocat('PUT', PROTECTION, { ...PROTECTED, enforce_admins: true });
    expect((await push('protected')).status).toBe(409);
    await asOctocat('DELETE', `${PROTECTION}/enforce_admins`);
    expect((await push('around')).status).toBe(201);
    const [suite] = await suites('?rule_suite_result=bypass&ref=main');
    expect(await suites('?rule_suite_result=pass')).toEqual([]);
    expect(suite).toMatchObject({ actor_name: 'octocat', ref: 'refs/heads/main', result: 'bypass' });
    const shown = (await asOctocat('GET', `${HELLO}/rulesets/rule-suites/${suite.id}`)).json;
    expect(shown.rule_evaluations).toMatchObject([
      { rule_source: { type: 'ruleset', id: 1, name: 'Protect main' }, rule_type: 'pull_request' },
      { rule_source: { type: 'ruleset', id: 1, name: 'Protect main' }, result: 'fail' },
      { rule_source: { type: 'protected_branch' }, result: 'fail' },
    ]);
    expect((await asApp('GET', `${HELLO}/rulesets/rule-suites`)).status).toBe(403);
    await asOctocat('DELETE', PROTECTION);
  });

  it('is no push of a commit whose check passed for another branch, where a rule requires a pull request', async () => {
    const at = (await asOctocat('GET', `${HELLO}/git/ref/heads/main`)).json.object.sha;
    for (const branch of ['playground', 'harmless'])
      await asOctocat('POST', `${HELLO}/git/refs`, { ref: `refs/heads/${branch}`, sha: at });
    const file = { message: 'Add a file', content: 'eA==', branch: 'harmless' };
    const { json } = await asOctocat('PUT', `${HELLO}/contents/harmless.txt`, file);
    const sha = json.commit.sha;
    const pull = { title: 'Harmless', head: 'harmless', base: 'playground' };
    expect((await asMona('POST', `${HELLO}/pulls`, pull)).status).toBe(201);
    const pushed = () => asOctocat('PATCH', `${HELLO}/git/refs/heads/main`, { sha });
    await bypassedBy();
    expect((await pushed()).json.message).toBe(
      'Repository rule violations found\n\nChanges must be made through a pull request.\n\nRequired status check "OTP Guard" is expected.',
    );
    const run = { name: 'OTP Guard', head_sha: sha, status: 'completed', conclusion: 'success' };
    expect((await asApp('POST', `${HELLO}/check-runs`, run)).status).toBe(201);
    const refused = await pushed();
    expect([refused.status, refused.json.message]).toEqual([
      409,
      'Repository rule violations found\n\nChanges must be made through a pull request.',
    ]);

    const { rules } = (await asOctocat('GET', RULESET)).json;
    expect(rules.map(({ type }: Json) => type)).toEqual(['required_status_checks', 'pull_request']);
    await asOctocat('PUT', RULESET, { rules: rules.slice(0, 1) });
    const reviews = { required_pull_request_reviews: { required_approving_review_count: 0 } };
    await asOctocat('PUT', PROTECTION, { ...PROTECTED, ...reviews, enforce_admins: true });
    expect((await asOctocat('GET', PROTECTION)).json).toMatchObject(reviews);
    expect((await pushed()).status).toBe(409);
    await asOctocat('DELETE', PROTECTION);
    expect((await pushed()).status).toBe(200);
    await asOctocat('PUT', RULESET, { rules });
  });
});
