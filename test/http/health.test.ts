import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OrganizationHealth } from '../../src/contract/organization-health.ts';
import { type Session, startTestProduct, type TestProduct, until } from '../support/product.ts';

describe('the health of an organization', () => {
  let product: TestProduct;
  let octocat: Session;
  let mona: Session;

  beforeAll(async () => {
    product = await startTestProduct();
    octocat = await product.signIn('octocat');
    mona = await product.signIn('mona');
  });
  afterAll(() => product?.stop());

  const ask = (body: object, session: Partial<Session> = octocat) =>
    product.call('/organization-health', body, session);
  const health = async (body: object = {}) => {
    const answer = await ask({ orgID: product.github.facts.orgID, ...body });
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    return answer.json<OrganizationHealth>();
  };

  it('is not shown by metrics, which are not there without METRICS_TOKEN', async () => {
    for (const authorization of ['', 'Bearer ', 'Bearer undefined']) {
      const answer = await fetch(`${product.origin}/metrics`, { headers: { authorization } });
      expect([answer.status, await answer.text()]).toEqual([404, "There's nothing here."]);
    }
  });

  it('shows an owner permissions, repositories and the page to change them', async () => {
    const { permissions, repositories, next } = await health();
    expect(permissions.missing).toEqual([]);
    expect(permissions.settingsUrl).toMatch(/^http/);
    expect(repositories.map(({ name }) => name)).toContain(product.github.facts.repo);
    expect(next).toBeNull();
  });

  it('says whether a repository’s default branch requires the check', async () => {
    const { repositories } = await health();
    const hello = repositories.find(({ name }) => name === product.github.facts.repo);
    expect(hello?.defaultBranch).toBe('main');
    expect(['thisApp', 'anySource', 'unknown']).toContain(hello?.required);
    expect(hello?.rulesUrl).toBe(`${product.github.origin}/octo-org/hello/settings/rules`);
  });

  it('offers a ruleset that, once imported, counts as requiring the check from this App', async () => {
    const { rulesets } = await health();
    const { origin, facts } = product.github;
    const { required_status_checks } = rulesets.repository.rules[0].parameters;
    await fetch(`${origin}/_local/rules/octo-org/hello/main`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${facts.adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ required_status_checks }),
    });
    const { repositories } = await health({ again: true });
    expect(repositories.find(({ name }) => name === 'hello')?.required).toBe('thisApp');
  });

  it('says when the last webhook arrived and when the last reconciliation ended', async () => {
    await product.pendingPull();
    const found = await until('a webhook and a reconciliation', async () => {
      const now = await health();
      return now.webhooks.last !== null && now.sweep !== null && now;
    });
    expect(Math.abs(Date.parse(found.webhooks.last ?? '') - Date.now())).toBeLessThan(600_000);
    expect(Math.abs(Date.parse(found.sweep?.at ?? '') - Date.now())).toBeLessThan(600_000);
    expect(found.sweep?.faults).toEqual([]);
    expect([found.webhooks.silentSince, found.watchSeconds]).toEqual([null, 30]);
  });

  it.each<[string, () => [object, Partial<Session>], number, string]>([
    [
      'a member',
      () => [{ orgID: product.github.facts.orgID }, mona],
      403,
      'Only an owner of this organization can do this.',
    ],
    ['a stranger', () => [{ orgID: product.github.facts.orgID }, {}], 401, 'missing auth token'],
    [
      'an owner of another organization',
      () => [{ orgID: 987_654 }, octocat],
      404,
      "OTP Guard isn't installed for this organization.",
    ],
    ['an owner who names no organization', () => [{}, octocat], 400, 'No org ID, this is a bug'],
  ])('is refused to everyone else: %s', async (_who, input, status, text) => {
    const answer = await ask(...input());
    expect([answer.status, answer.text]).toEqual([status, text]);
  });

  it('accepts what the dashboard sends, as JSON or as a form, and nothing else', async () => {
    expect((await ask({ orgID: String(product.github.facts.orgID), again: 'true' })).status).toBe(200);
    expect((await ask({ orgID: product.github.facts.orgID, again: 'perhaps' })).status).toBe(400);
    expect((await ask({ orgID: product.github.facts.orgID, after: 'x'.repeat(101) })).status).toBe(400);
    expect((await health({ after: 'zzzz' })).repositories).toEqual([]);
  });
});
