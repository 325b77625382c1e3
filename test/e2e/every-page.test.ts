import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import {
  accessibilityFaults,
  launchBrowser,
  ofOrganization,
  overflows,
  printFaults,
  signedIn,
  type Visitor,
  visit,
  watchTraffic,
} from '../support/browser.ts';
import { type LivedIn, startLivedIn } from './lived-in.ts';

/** A layout shift above 0.1 is noticeable: https://web.dev/articles/cls. */
const MAX_SHIFT = 0.02;
/** Without it the answers come before the first paint, and nothing would be seen to move. */
const ANSWERS_AFTER_MS = 150;
/** A page with a list of 50 rows has 6,158 pixels on a phone. */
const MAX_HEIGHT = 7_400;
const ROUTES = readFileSync('web/src/routes/routes.tsx', 'utf8');
const WINDOWS = [
  { width: 375, height: 800, colorScheme: 'light', rules: 'all' },
  // The same elements with other colors and sizes.
  { width: 1280, height: 800, colorScheme: 'dark', rules: 'visual' },
] as const;

const VISITORS = {
  owner: 'octocat',
  member: 'mona',
  outsider: 'hubot',
  'signed-out visitor': null,
} as const;
type VisitorKind = keyof typeof VISITORS;

/** Addresses of every route, with the parameters that the page needs and without. */
function addressesOf({ product, ids, approved, waiting, run }: LivedIn): Record<string, string[]> {
  const { org, orgID, repo } = product.github.facts;
  const ofOrg = ofOrganization(product, '');
  const toApprove = new URL(waiting.details).search;
  const commit = (head: string) =>
    `?${new URLSearchParams({ head, pr: String(approved.number), repo, owner: org, ownerID: String(orgID) })}`;
  return {
    '/': ['', ofOrg],
    '/login': [''],
    '/oauth': ['', '?error_description=The+user+said+no'],
    '/collect': [toApprove, ''],
    '/collect-passkey': [toApprove, ''],
    '/collect-totp': [toApprove, `${toApprove}&form=deny`, ''],
    '/deploy': [`${ofOrg}&repo=${repo}&run=${run.id}&environment=release`, ''],
    '/approve-batch': [''],
    '/register': [ofOrg, ''],
    '/register-passkey': [ofOrg, ''],
    '/register-phone': [ofOrg, ''],
    '/register-security-key': [ofOrg, ''],
    '/register-totp': [ofOrg, ''],
    '/waiting': [ofOrg, ''],
    '/vouch': [`${ofOrg}&authenticator=${ids.passkey}`, ''],
    '/add-device': [ofOrg, ''],
    '/second-device': [`#org=${org}&orgID=${orgID}&secret=${'s'.repeat(43)}`, ''],
    '/authenticator-types': [''],
    '/verify': [''],
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
    '/org/pulls': [ofOrg, ''],
    '/org/members': [ofOrg, `${ofOrg}&search=nobody`, ''],
    '/org/roll-out': [ofOrg, ''],
    '/org/repositories': [ofOrg, ''],
    '/org/authenticators': [ofOrg, ''],
    '/org/policy': [ofOrg, ''],
    '/org/hooks': [ofOrg, ''],
    '/org/log': [ofOrg, `${ofOrg}&person=octocat&kind=totpCollect`, `${ofOrg}&person=nobody`, ''],
    '/org/exports': [ofOrg, ''],
    '*': ['/nowhere'],
  };
}

const NOT_A_MEMBER = /^403 POST \/organization-enrolment$/;

/** The refusals that a visitor gets; the page must show each in a banner. */
const REFUSALS: Partial<Record<VisitorKind, Record<string, RegExp>>> = {
  member: {
    '/org/hooks': /^403 POST \/organization-hooks$/,
    '/org/pulls': /^403 POST \/organization-(pulls|roll-out)$/,
    '/org/roll-out': /^403 POST \/organization-roll-out$/,
    '/org/members': /^403 POST \/organization-members$/,
  },
  outsider: {
    '/collect': /^403 POST \/github-check-webauthn-params$/,
    '/deploy': /^403 POST \/deploy-params$/,
    '/register': NOT_A_MEMBER,
    '/vouch': NOT_A_MEMBER,
    '/register-totp': NOT_A_MEMBER,
    '/authenticator/:authType?/:authId?':
      /^404 GET \/api\/collections\/(webauthn|totps)\/records\/[a-z0-9]{15}$/,
    '/org/repositories': /^404 GET \/user\/installations\/[0-9]+\/repositories$/,
  },
};

/** Where the member also sees what a page says without its parameters; the others say it in the same way. */
const WITHOUT_PARAMETERS = ['/collect-passkey', '/register', '/org', '/commit'];

/** The member sees every page; the others see the pages that differ for them. */
const DIFFERENT: Record<Exclude<VisitorKind, 'member'>, string[]> = {
  owner: [
    '/',
    '/org',
    '/org/pulls',
    '/org/members',
    '/org/roll-out',
    '/org/repositories',
    '/org/policy',
    '/org/hooks',
  ],
  outsider: ['/', '/authenticators', ...Object.keys(REFUSALS.outsider ?? {})],
  // And a few that need a session; `pages.test.ts` covers the others.
  'signed-out visitor': ['/', '/login', '/oauth', '/authenticator-types', '/verify', '/collect-passkey', '*'],
};

function isDistinct(who: VisitorKind, route: string, address: string, index: number): boolean {
  if (who === 'member') return index === 0 || address !== '' || WITHOUT_PARAMETERS.includes(route);
  return DIFFERENT[who].includes(route) && (index === 0 || (address !== '' && who !== 'outsider'));
}

const path = (route: string) => (route === '*' ? '' : route.replace(/\/:.*$/, ''));

describe('every page', () => {
  let world: LivedIn;
  let browser: Browser;
  let walks: Record<VisitorKind, Promise<Found>>;
  const seen = new Set<string>();

  beforeAll(async () => {
    browser = await launchBrowser();
    world = await startLivedIn();
    const all = Object.keys(VISITORS).map((who) => [who as VisitorKind, walk(who as VisitorKind)] as const);
    // Each test awaits its own walk; until then, a failure must not count as unhandled.
    for (const [, walking] of all) walking.catch(() => undefined);
    walks = Object.fromEntries(all) as typeof walks;
  }, 180_000);

  afterAll(async () => {
    await browser?.close();
    await world?.stop();
  });

  type Found = Record<string, string[]>;

  /** Visits every address and returns the problems by address. */
  async function walk(who: VisitorKind): Promise<Found> {
    const login = VISITORS[who];
    const session = login ? await signedIn(world.product, login) : {};
    const visitor = await visit(browser, { ...session, reducedMotion: 'reduce', viewport: WINDOWS[0] });
    // The sign-in page stays, instead of continuing to GitHub while it is looked at.
    await visitor.page.addInitScript("sessionStorage.setItem('continued-at', String(Date.now()))");
    const { page, faults } = visitor;
    const traffic = watchTraffic(page);
    const found: Found = {};
    await page.addInitScript(watchShifts);
    await page.route(
      () => true,
      async (route) => {
        if (route.request().resourceType() === 'fetch') await sleep(ANSWERS_AFTER_MS);
        await route.fallback();
      },
    );
    // A preference set on an earlier page must not complete this address.
    await page.addInitScript(() => localStorage.removeItem('orgPreference'));
    try {
      for (const [route, addresses] of Object.entries(addressesOf(world))) {
        for (const [index, address] of addresses.entries()) {
          if (!isDistinct(who, route, address, index)) continue;
          faults.length = 0;
          traffic.refused.length = 0;
          await page.setViewportSize(WINDOWS[0]);
          const opened = await page.goto(`${world.product.origin}${path(route)}${address}`);
          await traffic.settle();
          const missing = opened?.status() === 404 ? traffic.refused.splice(0, 1) : [];
          const refused = traffic.refused.splice(0);
          const expected = REFUSALS[who]?.[route];
          const wrong = refused.filter((one) => !expected?.test(one)).map((one) => `refused: ${one}`);
          if ((route === '*') !== missing.length > 0) wrong.push(`status: ${opened?.status()}`);
          // The sentence for a refusal may still be loading. A person in the wrong place reads it without an alarm.
          const wrongPerson = page.getByRole('button', { name: 'Use another account' });
          const banner = page.getByRole('alert').or(wrongPerson).first();
          if (
            refused.length > 0 &&
            (await banner.waitFor().then(
              () => false,
              () => true,
            ))
          )
            wrong.push('shows no banner');
          // A refusal comes above what it's about.
          const mayMove = refused.length > 0;
          if (who === 'owner' && route === '/org/members' && index === 0)
            wrong.push(...(await listFaults(page)));
          // The other addresses of a route, and a refusal, have the same parts: the soak looks at each of them closely.
          const isClose = process.env.SOAK !== undefined || (index === 0 && who !== 'outsider');
          wrong.push(
            ...(await titleFaults(visitor, mayMove)),
            ...(await layoutFaults(visitor, login, isClose)),
          );
          wrong.push(...faults.filter((fault) => !isOfRefusal(fault, [...missing, ...refused])));
          if (wrong.length > 0) found[`${route} ${address}`] = wrong;
        }
      }
      if (who === 'member') {
        await page.goto(`${world.product.origin}/authenticator/passkey/${world.ids.passkey}`);
        await page.getByRole('button', { name: 'Delete Authenticator' }).click();
        await page.getByRole('button', { name: 'Confirm with passkey' }).waitFor();
        const wrong = await layoutFaults(visitor, login, true);
        if (wrong.length > 0) found['a deletion'] = wrong;
      }
    } finally {
      await visitor.leave();
    }
    return found;
  }

  /** Problems with the title, the heading and layout shifts. */
  async function titleFaults({ page }: Visitor, mayMove: boolean): Promise<string[]> {
    const { title, headings, shift } = await page.evaluate(() => ({
      shift: (window as unknown as { shift: number }).shift,
      // The number of pull requests that wait, or a dot, comes after the page.
      title: document.title.replace(/^(\(\d+\)|•) /, ''),
      headings: [...document.querySelectorAll('h1')].map(({ textContent }) => textContent),
    }));
    return [
      ...(mayMove || shift < MAX_SHIFT ? [] : [`layout shift: ${shift}`]),
      ...(headings.length === 1 ? [] : [`headings: ${headings.join(', ')}`]),
      ...(title === `${headings[0]} · OTP Guard` ? [] : [`title: ${title}`]),
    ];
  }

  /** Problems with the length of a page whose list has 50 rows. */
  async function listFaults(page: Page): Promise<string[]> {
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    const rows = await page.locator('main tbody tr').count();
    return [
      ...(rows === 50 ? [] : [`rows: ${rows}`]),
      ...(height <= MAX_HEIGHT ? [] : [`height of the page: ${height}`]),
    ];
  }

  /**
   * Problems in each window; without a close look, only whether the page fits. Skips a page that another visitor saw with
   * the same content, except for the login.
   */
  async function layoutFaults({ page }: Visitor, login: string | null, isClose: boolean): Promise<string[]> {
    const body = await page.evaluate(() => document.body.outerHTML);
    const same = body.replaceAll(login ?? 'nobody', '').replace(/_r_[0-9a-z]+_/g, '');
    if (seen.has(same)) return [];
    if (isClose) seen.add(same);
    const wrong: string[] = [];
    for (const { width, height, colorScheme, rules } of WINDOWS) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      const at = `${width} ${colorScheme}`;
      if (isClose) wrong.push(...(await accessibilityFaults(page, rules)).map((fault) => `${at}: ${fault}`));
      if (await overflows(page)) wrong.push(`${at}: overflows`);
    }
    if (isClose) wrong.push(...(await printFaults(page)));
    return wrong;
  }

  it('covers every route of the dashboard', () => {
    const declared = [...ROUTES.matchAll(/(?:path: |page\()'([^']+)'/g)].map(([, path]) => path);
    expect(declared.length).toBeGreaterThan(20);
    expect(Object.keys(addressesOf(world)).sort()).toEqual(declared.sort());
  });

  it.each(Object.keys(VISITORS) as VisitorKind[])(
    'is accessible, fits the window and paper, has a title and reports no error, for the %s',
    async (who) => {
      expect(await walks[who]).toEqual({});
    },
    180_000,
  );
});

/** The console logs each refused request; the page has shown it already. */
const isOfRefusal = (fault: string, refused: string[]) =>
  fault.startsWith('Failed to load resource') && refused.length > 0;

/** Adds up the page's layout shifts while it loads. */
function watchShifts(): void {
  const counted = Object.assign(window, { shift: 0 });
  type Shift = PerformanceEntry & { value: number };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) counted.shift += (entry as Shift).value;
  }).observe({ type: 'layout-shift', buffered: true });
}
