import type { Response } from 'express';
import { readAppManifest } from '../../app-manifest.ts';
import { type Html, html } from '../../html.ts';
import { sendPage } from './layout.ts';
import type { Facts } from './progress.ts';

/** The first page: what will happen, with which addresses, and one button. */
export function sendStartPage(
  response: Response,
  facts: Facts,
  refused?: { problem: string; organization: string },
): void {
  const isPublic = readAppManifest().public;
  const body = html`
${refused && html`<p role="alert">${refused.problem}</p>`}
<p>OTP Guard works through a GitHub App of your own. This registers it: you confirm its name and permissions on GitHub,
and OTP Guard saves its credentials in <code>.env</code>.</p>
<dl>
<div><dt>People open OTP Guard at</dt><dd><code>${facts.publicUrl}</code></dd></div>
<div><dt>GitHub sends webhooks to</dt><dd><code>${facts.webhookUrl}</code></dd></div>
<div><dt>GitHub</dt><dd><code>${facts.serverUrl}</code></dd></div>
</dl>
<p class="quiet">To change these, stop OTP Guard, set <code>PUBLIC_URL</code> in <code>.env</code> and start again.
Passkeys belong to this address, so choose it now.</p>
${warningOf(facts)}
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
function warningOf({ webhookUrl, serverUrl }: Facts): Html | false {
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
