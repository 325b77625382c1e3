// Chromium, as the benchmark of the approval page and the pictures use it.
import { chromium } from 'playwright-core';
import { findChromium } from './programs.js';

export const launchBrowser = () =>
  chromium.launch({
    executablePath: findChromium(),
    // Chromium refuses to run as root with a sandbox.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });

/** Opens a page as a person who signs in there, and whose browser can make passkeys. */
export async function signInAt(browser, login, address, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const passkeys = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true };
  const touch = { hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options: { ...passkeys, ...touch } });
  await page.goto(address);
  // An approval page continues automatically.
  const signIn = page.getByRole('button', { name: 'Authenticate with GitHub' });
  if (!new URL(address).pathname.startsWith('/collect')) await signIn.click();
  await page.getByRole('button', { name: new RegExp(`\\b${login}\\b`) }).click();
  await page.getByRole('button', { name: /^Account of / }).waitFor();
  return page;
}
