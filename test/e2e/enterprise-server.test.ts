import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchBrowser, signedIn, visit } from '../support/browser.ts';
import { mergeAsNewcomer } from '../support/newcomer.ts';
import { startTestProduct, type TestProduct, until } from '../support/product.ts';

const VERSION = '3.19.2';

describe('with an Enterprise Server', () => {
  let product: TestProduct;
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser();
    product = await startTestProduct({ speaksAs: { kind: 'enterpriseServer', version: VERSION } });
  });

  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  it('takes a newcomer from the pull request to its merge, without rate limits of GitHub', async () => {
    const visitor = await visit(browser);
    await visitor.plugIn('internal');
    const { clicks } = await mergeAsNewcomer(product, visitor.page);
    expect(clicks).toBe(3);
    expect(visitor.faults).toEqual([]);
    const refused = /"level":[456]0.*(Not Found|supported version)/;
    expect(product.log.filter((line) => refused.test(line))).toEqual([]);
    expect(product.log.join('')).toContain(`"enterpriseServer":"${VERSION}"`);
    // Nobody counted, so that was no limit that we kept within.
    expect(product.github.rateLimits.counted(product.github.facts.installation)).toBe(0);
  });

  it('shows the pictures of people, which its own host has', async () => {
    const { page, faults } = await visit(browser, await signedIn(product, 'mona'));
    await page.goto(`${product.origin}/`);
    const picture = page.locator(`img[src^="${product.github.origin}/avatars/"]`).first();
    await until('the picture', () =>
      picture.evaluate(
        (one) => (one as HTMLImageElement).complete && (one as HTMLImageElement).naturalWidth > 0,
      ),
    );
    expect(faults).toEqual([]);
  });

  it('says in the setup health which version it is', async () => {
    const octocat = await product.signIn('octocat');
    const { orgID } = product.github.facts;
    const answer = await product.call('/organization-health', { orgID }, octocat);
    expect(answer.json()).toMatchObject({
      enterpriseServer: { version: VERSION, isUnchecked: false, hasMergeGroups: true },
      permissions: { missing: [], isPending: false },
    });
  });

  it('warns in the log and in the setup health of one that is older than what was compared', async () => {
    const old = await startTestProduct({ speaksAs: { kind: 'enterpriseServer', version: '3.16.9' } });
    try {
      const warned = old.log.filter((line) => line.includes('"event":"enterprise_server_old"'));
      expect(warned.map((line) => JSON.parse(line))).toMatchObject([
        { level: 40, enterpriseServer: '3.16.9', msg: expect.stringContaining('older than 3.17,') },
      ]);
      const { orgID } = old.github.facts;
      const read = async () =>
        (await old.call('/organization-health', { orgID }, await old.signIn('octocat'))).json();
      await until('the version', async () => JSON.stringify(await read()).includes('"version":"3.16.9"'));
      expect(await read()).toMatchObject({ enterpriseServer: { version: '3.16.9', isUnchecked: true } });
    } finally {
      await old.stop();
    }
    expect(product.log.join('')).not.toContain('enterprise_server_old');
  });

  it('is played as GitHub describes it', async () => {
    const { origin, env } = product.github;
    const read = (url: string, headers = {}) => fetch(url, { headers });
    const meta = await read(`${env.GITHUB_API_URL}/meta`);
    expect(await meta.json()).toMatchObject({ installed_version: VERSION });
    expect(meta.headers.get('x-github-enterprise-version')).toBe(VERSION);
    const path = '/repos/octo-org/hello/pulls?state=all';
    const pulls = await read(`${env.GITHUB_API_URL}${path}`);
    expect(await pulls.json()).toMatchObject([{ url: `${origin}/api/v3/repos/octo-org/hello/pulls/1` }]);
    const newer = { 'x-github-api-version': '2026-03-10' };
    const refused = [
      await read(`${origin}${path}`),
      await read(`${env.GITHUB_API_URL}/rate_limit`),
      await read(`${env.GITHUB_API_URL}${path}`, newer),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 400]);
  });
});
