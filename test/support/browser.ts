import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, CDPSession, Page, Request } from 'playwright-core';
import type { SoftwareAuthenticator } from './authenticator.ts';
import { hasFailed, loadPlaywright } from './built.ts';
import { type TestProduct, until } from './product.ts';
import { PATIENCE_MS } from './until.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
export async function launchBrowser(): Promise<Browser> {
  const { chromium } = await loadPlaywright();
  const executablePath = process.env.CHROMIUM_PATH;
  return chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
}

export type Visitor = Awaited<ReturnType<typeof visit>>;

/** A person with their own browser context, which records what goes wrong. */
export async function visit(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addInitScript(emptyUserHandles);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    // What a resource that doesn't load says of itself doesn't name it.
    if (['error', 'warning'].includes(message.type()))
      faults.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    dialog.dismiss().catch((error: Error) => faults.push(error.message));
  });
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  return {
    page,
    /** Console errors and warnings, uncaught errors and unexpected dialogs. */
    faults,
    /** Adds a platform authenticator or a USB security key, which holds `key` from then on. */
    plugIn: (transport: 'internal' | 'usb', key?: SoftwareAuthenticator) => plugIn(devtools, transport, key),
    async leave() {
      if (hasFailed()) {
        const text = await page.locator('body').ariaSnapshot({ timeout: 5_000 }).catch(String);
        process.stderr.write(`${[`At the failure, ${page.url()} showed:`, text, ...faults].join('\n')}\n`);
      }
      await context.close();
    },
  };
}

/** Has an assertion without a user handle name an empty one, as Safari does for keys that aren't discoverable. */
function emptyUserHandles() {
  const { prototype } = AuthenticatorAssertionResponse;
  const { get } = Object.getOwnPropertyDescriptor(prototype, 'userHandle') ?? {};
  Object.defineProperty(prototype, 'userHandle', {
    get() {
      return get?.call(this) ?? new ArrayBuffer(0);
    },
  });
}

export type VirtualAuthenticator = Awaited<ReturnType<typeof plugIn>>;

let plugged = 0;

/** Chromium's virtual authenticator. */
async function plugIn(devtools: CDPSession, transport: 'internal' | 'usb', key?: SoftwareAuthenticator) {
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  if (key) {
    const credential = {
      credentialId: key.credentialId.toString('base64'),
      isResidentCredential: false,
      rpId: 'localhost',
      privateKey: key.privateKey,
      // Above every counter that the key has shown, in another browser too.
      signCount: 1_000_000 * ++plugged,
    };
    await devtools.send('WebAuthn.addCredential', { authenticatorId, credential });
  }
  return {
    async credentialCount() {
      const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
      return credentials.length;
    },
    async unplug() {
      await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    },
  };
}

/**
 * Browser storage with a session, for `visit(browser, await signedIn(product, 'mona'))`. Much faster than `signInAs`,
 * which goes through GitHub's page. `changed` replaces entries: a page that opens right after another one changed its
 * storage may still read what was there before.
 */
export async function signedIn(
  product: TestProduct,
  login: string,
  changed: Record<string, string> = {},
): Promise<BrowserContextOptions> {
  const { token, accessToken } = await product.signIn(login);
  const refresh = '/api/collections/gh_users/auth-refresh?expand=org_members_via_user.org';
  const answer = await fetch(`${product.origin}${refresh}`, {
    method: 'POST',
    headers: { authorization: token },
  });
  if (!answer.ok) throw new Error(`session of ${login}: ${answer.status} ${await answer.text()}`);
  const stored = {
    pocketbase_auth: await answer.text(),
    gh_accessToken: accessToken,
    gh_accessTokenExpiry: String(Date.now() + 60 * 60_000),
    ...changed,
  };
  const localStorage = Object.entries(stored).map(([name, value]) => ({ name, value }));
  return { storageState: { cookies: [], origins: [{ origin: product.origin, localStorage }] } };
}

/** The address of a page of the organization. */
export function ofOrganization(
  { github }: TestProduct,
  path: string,
  more: Record<string, string> = {},
): string {
  const { org, orgID, installation } = github.facts;
  const query = { owner: org, ownerID: String(orgID), installation: String(installation), ...more };
  return `${path}?${new URLSearchParams(query)}`;
}

/** Signs in with the dashboard's button and the local GitHub's page. */
export async function signInAs(page: Page, login: string): Promise<void> {
  await page.getByRole('button', { name: 'Authenticate with GitHub' }).click();
  await page.getByRole('button', { name: new RegExp(`\\b${login}\\b`) }).click();
  await page.getByRole('button', { name: /^Account of / }).waitFor();
}

/**
 * Makes the next ceremony fail as if the person had closed the browser's prompt, which DevTools can't do. Later
 * ceremonies work again.
 */
export async function cancelNextCeremony(page: Page, ceremony: 'create' | 'get'): Promise<void> {
  await page.evaluate((name) => {
    const original = navigator.credentials[name].bind(navigator.credentials);
    Object.defineProperty(navigator.credentials, name, {
      configurable: true,
      value: () => {
        Object.defineProperty(navigator.credentials, name, { configurable: true, value: original });
        return Promise.reject(
          new DOMException('The operation either timed out or was not allowed.', 'NotAllowedError'),
        );
      },
    });
  }, ceremony);
}

/** A page's requests: which failed, and when all are done. */
export function watchTraffic(page: Page) {
  const pending = new Set<Request>();
  const refused: string[] = [];
  const name = (request: Request) => `${request.method()} ${new URL(request.url()).pathname}`;
  page.on('request', (request) => {
    if (request.resourceType() !== 'eventsource') pending.add(request);
  });
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${name(response.request())}`);
  });
  page.on('requestfailed', (request) => {
    pending.delete(request);
    // Requests are aborted when their page is left.
    const reason = request.failure()?.errorText ?? '';
    if (reason !== 'net::ERR_ABORTED') refused.push(`${reason} ${name(request)}`);
  });
  const isIdle = () =>
    page.evaluate(
      () =>
        new Promise<boolean>((resolve) => {
          const check = () => {
            // There is no heading between one page and the next.
            const heading = document.querySelector('main h1');
            // Below the window, a browser may leave a lazy one out for as long as nobody scrolls.
            const isLeft = (one: HTMLImageElement) =>
              one.loading === 'lazy' && one.getBoundingClientRect().top > window.innerHeight;
            const pictures = [...document.images].every((one) => one.complete || isLeft(one));
            resolve(heading !== null && pictures && !document.querySelector('[aria-busy="true"]'));
          };
          requestAnimationFrame(() => requestAnimationFrame(check));
        }),
    );
  return {
    /** Failed requests without their query, such as `403 POST /organization`, or with the network's error. */
    refused,
    /** Waits until no request is pending and the page isn't busy. The log's realtime feed never ends and is ignored. */
    async settle() {
      const isSettled = async () => {
        if (pending.size > 0) return false;
        // Fails if the page navigates at the same time.
        const idle = await isIdle().catch(() => false);
        return idle && pending.size === 0;
      };
      await until(`${page.url()} to settle`, isSettled, PATIENCE_MS).catch((error: Error) => {
        throw new Error(
          `${error.message} Without an answer: ${[...pending].map(name).join(', ') || 'none'}.`,
        );
      });
    },
  };
}

/** The tags of axe-core's rules for WCAG 2.2 AA, and those of its rules that depend on colors and sizes. */
const RULES = {
  all: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  visual: ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'],
};

/** The violations of WCAG 2.2 AA that axe-core finds on the page. */
export async function accessibilityFaults(page: Page, rules: keyof typeof RULES): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await loadAxe(page);
  const violations = await page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run({
      runOnly,
      resultTypes: ['violations'],
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  }, RULES[rules]);
  return violations;
}

/**
 * Through DevTools, because the page's content security policy rightly blocks injected scripts. Not by Playwright's
 * `evaluate`, with which Chromium compiles axe-core again for each page: that takes as long as its rules. The session
 * stays open until its page closes: Chromium takes the virtual authenticators away when any session of a page ends.
 */
async function loadAxe(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const { exceptionDetails } = await devtools.send('Runtime.evaluate', { expression: AXE });
  if (exceptionDetails) throw new Error(`axe-core: ${exceptionDetails.text}`);
}

/** Whether the page scrolls sideways. */
export function overflows(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}

/** A4 in CSS pixels, both ways. */
const PAPERS = [
  { name: 'portrait', width: 794, height: 1123 },
  { name: 'landscape', width: 1123, height: 794 },
];

/** Finds parts that don't fit on paper: a page that is too wide, or a text in a column of a few letters. */
export async function printFaults(page: Page): Promise<string[]> {
  const wrong: string[] = [];
  await page.emulateMedia({ media: 'print' });
  for (const { name, ...size } of PAPERS) {
    await page.setViewportSize(size);
    if (await overflows(page)) wrong.push(`${name}: overflows`);
    wrong.push(...(await page.evaluate(narrowTexts)).map((text) => `${name}: a narrow column: ${text}`));
  }
  await page.emulateMedia({ media: null });
  return wrong;
}

/** The texts of at least 20 characters whose lines have fewer than 6 on average. */
function narrowTexts(): string[] {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const narrow: string[] = [];
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = node.textContent?.trim() ?? '';
    const isHidden = node.parentElement?.closest('.visually-hidden, noscript') != null;
    if (text.length < 20 || isHidden) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    if (lines > 0 && text.length / lines < 6) narrow.push(`${text.slice(0, 40)} on ${lines} lines`);
  }
  return narrow;
}
