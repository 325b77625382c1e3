import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  type Browser,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
  type Request,
} from 'playwright-core';
import { type TestProduct, until } from './product.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
// Generous, for a busy machine: a condition that is met costs nothing.
const PATIENCE_MS = 30_000;

export async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH;
  return chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
}

/** A person at a browser of their own, with what went wrong in it written down. */
export type Visitor = {
  page: Page;
  /** Console errors and warnings, uncaught errors and refused content; empty where all is well. */
  faults: string[];
  /** Plugs an authenticator in: a platform one, or a key on USB. */
  plugIn(transport: 'internal' | 'usb'): Promise<VirtualAuthenticator>;
  leave(): Promise<void>;
};

/** Chromium's virtual authenticator behind the verbs of a story. */
export type VirtualAuthenticator = {
  credentials(): Promise<number>;
  unplug(): Promise<void>;
};

export async function visit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text());
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
    faults,
    plugIn: (transport) => plugIn(devtools, transport),
    leave: () => context.close(),
  };
}

async function plugIn(devtools: CDPSession, transport: 'internal' | 'usb'): Promise<VirtualAuthenticator> {
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
  return {
    async credentials() {
      const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId });
      return credentials.length;
    },
    async unplug() {
      await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    },
  };
}

/**
 * The storage of a browser in which somebody has signed in: `visit(browser, await signedIn(product, 'mona'))`. For tests
 * whose subject is something else; the way through GitHub's page is `signInAs`.
 */
export async function signedIn(product: TestProduct, login: string): Promise<BrowserContextOptions> {
  const { token, accessToken } = await product.signIn(login);
  const refresh = '/api/collections/gh_users/auth-refresh?expand=org_members_via_user.org';
  const answer = await fetch(`${product.origin}${refresh}`, {
    method: 'POST',
    headers: { authorization: token },
  });
  if (!answer.ok) throw new Error(`session of ${login}: ${answer.status} ${await answer.text()}`);
  const kept = {
    pocketbase_auth: await answer.text(),
    gh_accessToken: accessToken,
    gh_accessTokenExpiry: String(Date.now() + 60 * 60_000),
  };
  const localStorage = Object.entries(kept).map(([name, value]) => ({ name, value }));
  return { storageState: { cookies: [], origins: [{ origin: product.origin, localStorage }] } };
}

/** Chooses who one is on the local GitHub's sign-in page, from the dashboard's sign-in button on. */
export async function signInAs(page: Page, login: string): Promise<void> {
  await page.getByRole('button', { name: 'Authenticate with GitHub' }).click();
  await page.getByRole('button', { name: new RegExp(`\\b${login}\\b`) }).click();
  await page.getByRole('button', { name: 'Logout' }).waitFor();
}

/**
 * Lets the next ceremony end as it does where the person closes the browser's
 * window: the DevTools have no verb for that. Later ceremonies are untouched.
 */
export async function turnDown(page: Page, ceremony: 'create' | 'get'): Promise<void> {
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

/** What a page asks for: what was refused, and when all of it has come. */
export type Traffic = {
  /** `403 POST /organization` each, without the query; failures without an answer by their reason. */
  refused: string[];
  /** Waits until nothing is under way and the page says that it is not busy. The feed of the log never ends. */
  quiet(): Promise<void>;
};

export function watchTraffic(page: Page): Traffic {
  const under = new Set<Request>();
  const refused: string[] = [];
  const name = (request: Request) => `${request.method()} ${new URL(request.url()).pathname}`;
  page.on('request', (request) => {
    if (request.resourceType() !== 'eventsource') under.add(request);
  });
  page.on('requestfinished', (request) => under.delete(request));
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${name(response.request())}`);
  });
  page.on('requestfailed', (request) => {
    under.delete(request);
    // What a page had under way when it was left.
    const reason = request.failure()?.errorText ?? '';
    if (reason !== 'net::ERR_ABORTED') refused.push(`${reason} ${name(request)}`);
  });
  const isStill = () =>
    page.evaluate(
      () =>
        new Promise<boolean>((done) => {
          const look = () => {
            // Between one page and the next there is none.
            const page = document.querySelector('main h1');
            const pictures = [...document.images].every(({ complete }) => complete);
            done(page !== null && pictures && !document.querySelector('[aria-busy="true"]'));
          };
          requestAnimationFrame(() => requestAnimationFrame(look));
        }),
    );
  return {
    refused,
    async quiet() {
      const isQuiet = async () => {
        if (under.size > 0) return false;
        // A page that navigates meanwhile is not still.
        const still = await isStill().catch(() => false);
        return still && under.size === 0;
      };
      await until(`${page.url()} to be quiet`, isQuiet, PATIENCE_MS);
    },
  };
}

/** What axe-core finds against WCAG 2.2 AA on the page as it is. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // As a DevTools script: the page's own policy lets no script in, and that is as it should be.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      resultTypes: ['violations'],
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  });
  return violations;
}

/** Whether anything sticks out of the window sideways. */
export function overflows(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}
