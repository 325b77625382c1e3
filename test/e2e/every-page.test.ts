import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import {
  accessibilityFaults,
  launchBrowser,
  overflows,
  signInAs,
  visit,
  watchTraffic,
} from '../support/browser.ts';
import { type LivedIn, startLivedIn } from './lived-in.ts';

/** Above it, people notice that what they read has moved: https://web.dev/articles/cls */
const MOST_SHIFT = 0.1;
const ROUTES = readFileSync('web/src/routes/routes.tsx', 'utf8');
const WINDOWS = [
  { width: 375, height: 800, colorScheme: 'light' },
  { width: 375, height: 800, colorScheme: 'dark' },
  { width: 1280, height: 800, colorScheme: 'dark' },
  { width: 1280, height: 800, colorScheme: 'light' },
] as const;

const VISITORS = {
  owner: 'octocat',
  member: 'mona',
  outsider: 'hubot',
  'signed-out visitor': null,
} as const;
type Who = keyof typeof VISITORS;

/** The addresses of every route: with what the page needs, and without. */
function addressesOf({ product, ids, approved, waiting }: LivedIn): Record<string, string[]> {
  const { org, orgID, installation, repo } = product.github.facts;
  const ofOrg = `?${new URLSearchParams({ owner: org, ownerID: String(orgID), installation: String(installation) })}`;
  const toApprove = new URL(waiting.details).search;
  const commit = (head: string) =>
    `?${new URLSearchParams({ head, pr: String(approved.number), repo, owner: org, ownerID: String(orgID) })}`;
  return {
    '/': ['', ofOrg],
    '/login': [''],
    '/oauth': ['', '?error_description=The+user+said+no'],
    '/collect': [toApprove, ''],
    '/collect-passkey': [toApprove, ''],
    '/collect-totp': [toApprove, ''],
    '/register': [ofOrg, ''],
    '/register-passkey': [ofOrg, ''],
    '/register-security-key': [ofOrg, ''],
    '/register-totp': [ofOrg, ''],
    '/authenticator-types': [''],
    '/authenticators': [''],
    '/authenticator/:authType?/:authId?': [
      ...Object.entries(ids).map(([type, id]) => `/${type}/${id}${ofOrg}`),
      '/passkey',
      '',
    ],
    '/select-org': ['?target=%2Forg%2Flog', ''],
    '/email': [''],
    '/image': [''],
    '/org/image': [ofOrg, ''],
    '/commit': [commit(approved.head.sha), commit(waiting.head.sha), ''],
    '/org': [ofOrg, ''],
    '/org/repositories': [ofOrg, ''],
    '/org/authenticators': [ofOrg, ''],
    '/org/log': [ofOrg, `${ofOrg}&person=octocat&kind=totpCollect`, `${ofOrg}&person=nobody`, ''],
    '*': ['/nowhere'],
  };
}

/** What is refused on a page, by GitHub or the server; each time the page says so in its banner. */
const REFUSALS: Partial<Record<Who, Record<string, RegExp>>> = {
  outsider: {
    '/collect-passkey': /^403 POST \/github-check-webauthn-params$/,
    '/collect-totp': /^403 POST \/github-check-webauthn-params$/,
    '/authenticator/:authType?/:authId?':
      /^404 GET \/api\/collections\/(webauthn|totps)\/records\/[a-z0-9]{15}$/,
    '/org/repositories': /^404 GET \/user\/installations\/[0-9]+\/repositories$/,
  },
};

const path = (route: string) => (route === '*' ? '' : route.replace(/\/:.*$/, ''));

describe('every page', () => {
  let world: LivedIn;
  let browser: Browser;
  let walks: Record<Who, Promise<Found>>;

  beforeAll(async () => {
    [world, browser] = await Promise.all([startLivedIn(), launchBrowser()]);
    const all = Object.keys(VISITORS).map((who) => [who as Who, walk(who as Who)] as const);
    // Each test takes its own; one that fails is no unhandled one until then.
    for (const [, walking] of all) walking.catch(() => undefined);
    walks = Object.fromEntries(all) as typeof walks;
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  type Found = Record<string, string[]>;

  /** What is wrong, by address; empty where all is well. */
  async function walk(who: Who): Promise<Found> {
    const login = VISITORS[who];
    const visitor = await visit(browser, { reducedMotion: 'reduce', viewport: WINDOWS[0] });
    const { page, faults } = visitor;
    const traffic = watchTraffic(page);
    const found: Found = {};
    await page.addInitScript(watchShifts);
    if (login) {
      await page.goto(world.product.origin);
      await signInAs(page, login);
    }
    for (const [route, addresses] of Object.entries(addressesOf(world))) {
      for (const address of addresses) {
        // What was chosen on another page is not to stand in for what this address lacks.
        await page.evaluate(() => localStorage.removeItem('orgPreference')).catch(() => undefined);
        faults.length = 0;
        traffic.refused.length = 0;
        await page.goto(`${world.product.origin}${path(route)}${address}`);
        await traffic.quiet();
        const wrong: string[] = [];
        const refused = traffic.refused.splice(0);
        const expected = REFUSALS[who]?.[route];
        wrong.push(...refused.filter((one) => !expected?.test(one)).map((one) => `refused: ${one}`));
        if (refused.length > 0 && (await page.getByRole('alert').count()) === 0) wrong.push('says nothing');
        const { title, headings, shift } = await page.evaluate(() => ({
          shift: (window as unknown as { shift: number }).shift,
          title: document.title,
          headings: [...document.querySelectorAll('h1')].map(({ textContent }) => textContent),
        }));
        if (!(shift < MOST_SHIFT)) wrong.push(`moved what was there: ${shift}`);
        if (headings.length !== 1) wrong.push(`headings: ${headings.join(', ')}`);
        if (title !== `${headings[0]} · OTP Guard`) wrong.push(`title: ${title}`);
        for (const { width, height, colorScheme } of WINDOWS) {
          await page.setViewportSize({ width, height });
          await page.emulateMedia({ colorScheme });
          const there = `${width} ${colorScheme}`;
          wrong.push(...(await accessibilityFaults(page)).map((fault) => `${there}: ${fault}`));
          if (await overflows(page)) wrong.push(`${there}: overflows`);
        }
        wrong.push(...faults.filter((fault) => !isOfRefusal(fault, refused)));
        if (wrong.length > 0) found[`${route} ${address}`] = wrong;
      }
    }
    await visitor.leave();
    return found;
  }

  it('is in the table of this test', () => {
    const declared = [...ROUTES.matchAll(/(?:path: |page\()'([^']+)'/g)].map(([, path]) => path);
    expect(declared.length).toBeGreaterThan(20);
    expect(Object.keys(addressesOf(world)).sort()).toEqual(declared.sort());
  });

  it.each(Object.keys(VISITORS) as Who[])(
    'is accessible, fits, has its name and throws nothing, for the %s',
    async (who) => {
      expect(await walks[who]).toEqual({});
    },
    180_000,
  );
});

/** The console's own line about an answer that the page has shown as what it is. */
const isOfRefusal = (fault: string, refused: string[]) =>
  fault.startsWith('Failed to load resource') && refused.length > 0;

/** Sums up, in the page, how far things move by themselves while it loads. */
function watchShifts(): void {
  const counted = Object.assign(window, { shift: 0 });
  type Shift = PerformanceEntry & { value: number };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) counted.shift += (entry as Shift).value;
  }).observe({ type: 'layout-shift', buffered: true });
}
