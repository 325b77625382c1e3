import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchBrowser, visit } from '../support/browser.ts';
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
    const { page, faults, plugIn } = await visit(browser);
    await plugIn('internal');
    const { clicks } = await mergeAsNewcomer(product, page);
    expect(clicks).toBe(4);
    const refused = /"level":[456]0.*(Not Found|supported version)/;
    expect(product.log.filter((line) => refused.test(line))).toEqual([]);
    expect(product.log.join('')).toContain(`"enterpriseServer":"${VERSION}"`);
    // Nobody counted, so that was no limit that we kept within.
    expect(product.github.rateLimits.counted(product.github.facts.installation)).toBe(0);

    // Its own host has the pictures of people.
    await page.goto(`${product.origin}/`);
    const picture = page.locator(`img[src^="${product.github.origin}/avatars/"]`).first();
    await until('the picture', () =>
      picture.evaluate(
        (one) => (one as HTMLImageElement).complete && (one as HTMLImageElement).naturalWidth > 0,
      ),
    );
    expect(faults).toEqual([]);
    const { orgID } = product.github.facts;
    const answer = await product.call('/organization-health', { orgID }, await product.signIn('octocat'));
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
});
