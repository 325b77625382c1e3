import type { Response } from 'express';
import { type Html, html } from '../../shared/html.ts';
import { readAppManifest } from '../app-manifest.ts';
import type { Addresses, Problem, RegisteredApp } from './registration.ts';

/** Goes on to GitHub without another click. The pages also work without JavaScript. */
export const ONWARD_SCRIPT = "document.getElementById('onward')?.submit();\n";

/** Sends the first page, which says what will happen and with which addresses. */
export function sendStartPage(
  response: Response,
  addresses: Addresses,
  refused?: { problem: string; organization: string },
): void {
  const isPublic = readAppManifest().public;
  const body = html`
${refused && html`<p role="alert">${refused.problem}</p>`}
<p>OTP Guard works through a GitHub App of your own. This registers it: you confirm its name and permissions on GitHub,
and OTP Guard saves its credentials in <code>.env</code>.</p>
<dl>
<div><dt>People open OTP Guard at</dt><dd><code>${addresses.publicUrl}</code></dd></div>
<div><dt>GitHub sends webhooks to</dt><dd><code>${addresses.webhookUrl}</code></dd></div>
<div><dt>GitHub</dt><dd><code>${addresses.serverUrl}</code></dd></div>
</dl>
<p class="quiet">To change these, stop OTP Guard, set <code>PUBLIC_URL</code> in <code>.env</code> and start again.
Passkeys belong to this address, so choose it now.</p>
${warningOf(addresses)}
<form method="post" action="/set-up/register">
<fieldset>
<legend>Who will own the App?</legend>
<label><input type="radio" name="account" value="organization" checked> An organization</label>
<label class="field">Its name on GitHub
<input type="text" name="organization" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="39" value="${refused?.organization}">
</label>
<label><input type="radio" name="account" value="personal"> My personal account</label>
</fieldset>
<fieldset>
<legend>Who can install it?</legend>
<label><input type="radio" name="public" value=""${!isPublic && CHECKED}> Only its owner</label>
<label><input type="radio" name="public" value="yes"${isPublic && CHECKED}> Every account on GitHub</label>
<p class="quiet">Several organizations, outside collaborators and a listing on GitHub Marketplace need every account:
everybody on GitHub can then install it and sign in to this server.</p>
</fieldset>
<button class="button" type="submit">Register the App on GitHub</button>
</form>
<p class="quiet">Sign in to GitHub in this browser first.</p>`;
  sendPage(response, { title: 'Set up OTP Guard', status: refused ? 400 : 200, body });
}

const CHECKED = html` checked`;

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;
const isLoopback = (url: string) => LOOPBACK.test(new URL(url).hostname);

/** GitHub refuses webhook addresses on localhost; only a GitHub on this machine can use one. */
function warningOf({ webhookUrl, serverUrl }: Addresses): Html | false {
  if (!isLoopback(webhookUrl) || isLoopback(serverUrl)) return false;
  return html`<p class="warning">GitHub can't send webhooks to this machine by that address. Set
<code>PUBLIC_URL</code> to a public address or, for a trial, <code>WEBHOOK_PROXY_URL</code> to a channel of
smee.io.</p>`;
}

/** Sends the browser on to GitHub with the manifest. With JavaScript the form submits itself. */
export function sendOnward(response: Response, input: { action: string; manifest: object }): void {
  const body = html`<p>Confirm the App on GitHub. It then sends you back here.</p>
<form id="onward" method="post" action="${input.action}">
<input type="hidden" name="manifest" value="${JSON.stringify(input.manifest)}">
<button class="button" type="submit">Continue on GitHub</button>
</form>`;
  sendPage(response, { title: 'Going to GitHub', body });
}

/** Sends the last page, which leads to GitHub's page that installs the App, and then to the dashboard. */
export function sendRegisteredPage(
  response: Response,
  { publicUrl }: Addresses,
  { installUrl }: RegisteredApp,
): void {
  const body = html`<p class="done" role="status">Its credentials are saved in <code>.env</code>, and OTP Guard starts.</p>
<p>Now install it on your organization. An owner has to do that. Choose all repositories, or those to protect.</p>
<a class="button" href="${installUrl}" target="_blank" rel="noopener">Install it on GitHub</a>
<p>Then sign in to <a href="${publicUrl}/org">OTP Guard</a>, and open your organization: its setup health says what is
next. If OTP Guard doesn't answer, the terminal that runs it says why.</p>`;
  sendPage(response, { title: 'The App is registered', body });
}

/** Sends a page that says in one sentence why it doesn't go on, and what to do. */
export function sendRefusal(response: Response, { status, sentence, next }: Problem): void {
  const body = html`<p role="alert">${sentence}</p>${next}`;
  sendPage(response, { title: 'Set-up stopped', status, body });
}

function sendPage(
  response: Response,
  { title, body, status = 200 }: { title: string; body: Html; status?: number },
): void {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · OTP Guard</title>
<link rel="stylesheet" href="/set-up/style.css">
<script src="/set-up/set-up.js" defer></script>
</head>
<body>
<header><p>OTP Guard</p></header>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>`;
  response.status(status).set('Cache-Control', 'no-store').type('html').send(page.markup);
}

/** The dashboard's look (`web/src/styles`) for the pages that run before there is a dashboard. */
export const STYLE = `:root {
  color-scheme: light dark;
  --page: light-dark(#f6f8fa, #0d1117); --surface: light-dark(#ffffff, #151b23); --line: light-dark(#d1d9e0, #3d444d);
  --text: light-dark(#1f2328, #f0f6fc); --text-quiet: light-dark(#4b535d, #adb5bd); --link: light-dark(#0550ae, #79c0ff);
  --accent: light-dark(#0a5cc4, #1f6feb); --focus: light-dark(#0a5cc4, #79c0ff); --success: light-dark(#0f5323, #7ee787);
  --control-line: light-dark(#868f99, #757d87); --danger: light-dark(#8f0c21, #ffaba8);
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 0.9375rem/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif;
}
header, main { width: min(24rem, 100% - 2rem); margin-inline: auto; }
header p { margin: 0; padding-block: 1rem; font-weight: 600; }
main, form, dl { display: grid; gap: 1rem; }
main { padding: 1.5rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--surface); }
h1 { margin: 0; font-size: 1.375rem; line-height: 1.3; }
p, dl, dd, fieldset { margin: 0; }
a { color: var(--link); }
code { font: 0.875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
dt, .quiet, label.field { color: var(--text-quiet); font-size: 0.8125rem; }
fieldset { display: grid; padding: 0; border: 0; }
legend { padding: 0; font-weight: 600; }
label { display: flex; align-items: center; gap: 0.5rem; min-height: 2.75rem; }
label.field { display: grid; gap: 0.25rem; margin-inline-start: 1.5rem; }
input[type="radio"] { width: 1rem; height: 1rem; margin: 0; accent-color: var(--accent); }
input[type="text"] {
  min-height: 2.75rem; padding: 0.5rem 0.75rem; font: inherit; font-size: 0.9375rem; color: var(--text);
  background: var(--surface); border: 1px solid var(--control-line); border-radius: 0.375rem;
}
.button {
  min-height: 2.75rem; padding: 0.5rem 1rem; font: inherit; font-weight: 600; text-align: center; text-decoration: none;
  color: #ffffff; background: var(--accent); border: 0; border-radius: 0.375rem; cursor: pointer;
}
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
.warning, [role="alert"] { padding: 0.75rem; color: var(--danger); border: 1px solid; border-radius: 0.375rem; }
.done::before { content: "✓ " / ""; color: var(--success); font-weight: 600; }
`;
