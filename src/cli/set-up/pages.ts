import type { Response } from 'express';
import { type Html, html } from '../../shared/html.ts';
import { readAppManifest } from '../app-manifest.ts';
import { alertIcon, checkIcon } from './logo-and-style.ts';
import type { Addresses, Problem, RefusedForm, RegisteredApp } from './registration.ts';

/** Goes on to GitHub without another click. The pages also work without JavaScript. */
export const ONWARD_SCRIPT = "document.getElementById('onward')?.submit();\n";

/** Sends the first page, which says what will happen and with which addresses. */
export function sendStartPage(response: Response, addresses: Addresses, refused?: RefusedForm): void {
  const { isPersonal, isPublic } = refused ?? { isPersonal: false, isPublic: readAppManifest().public };
  const body = html`
${refused && alertOf(refused.problem)}
<p>OTP Guard works through a GitHub App of your own. This registers it: you confirm its name and permissions on GitHub,
and OTP Guard saves its credentials in <code>.env</code>.</p>
<dl>
<div><dt>People open OTP Guard at</dt><dd><code>${addresses.publicUrl}</code></dd></div>
<div><dt>GitHub sends webhooks to</dt><dd><code>${addresses.webhookUrl}</code></dd></div>
<div><dt>GitHub</dt><dd><code>${addresses.serverUrl}</code></dd></div>
</dl>
<p class="quiet">Passkeys belong to the first address, so choose it now. To change it, stop OTP Guard, set
<code>PUBLIC_URL</code> in <code>.env</code> and start again.</p>
${warningOf(addresses)}
<form method="post" action="/set-up/register">
<fieldset>
<legend>Who will own the App?</legend>
<label><input type="radio" name="account" value="organization"${!isPersonal && CHECKED}> An organization</label>
<label class="field">The organization's name on GitHub
<input type="text" name="organization" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="39" value="${refused?.organization}">
</label>
<label><input type="radio" name="account" value="personal"${isPersonal && CHECKED}> My personal account</label>
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
  sendPage(response, { title: 'Set up OTP Guard', status: refused ? 400 : 200, body, step: 0 });
}

const CHECKED = html` checked`;

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;
const isLoopback = (url: string) => LOOPBACK.test(new URL(url).hostname);

/** GitHub refuses webhook addresses on localhost; only a GitHub on this machine can use one. */
function warningOf({ webhookUrl, serverUrl }: Addresses): Html | false {
  if (!isLoopback(webhookUrl) || isLoopback(serverUrl)) return false;
  return html`<div class="notice">${alertIcon}<p>GitHub can't send webhooks to this machine by that address. Set
<code>PUBLIC_URL</code> to a public address or, for a trial, <code>WEBHOOK_PROXY_URL</code> to a channel of
smee.io.</p></div>`;
}

/** Sends the browser on to GitHub with the manifest. With JavaScript the form submits itself. */
export function sendOnward(response: Response, input: { action: string; manifest: object }): void {
  const body = html`<p>Confirm the App on GitHub. It then sends you back here.</p>
<form id="onward" method="post" action="${input.action}">
<input type="hidden" name="manifest" value="${JSON.stringify(input.manifest)}">
<button class="button" type="submit">Continue on GitHub</button>
</form>`;
  sendPage(response, { title: 'Going to GitHub', body, step: 0 });
}

/** Sends the last page, which leads to GitHub's page that installs the App, and then to the dashboard. */
export function sendRegisteredPage(
  response: Response,
  { publicUrl }: Addresses,
  { installUrl }: RegisteredApp,
): void {
  const body = html`<p role="status">Its credentials are saved in <code>.env</code>. OTP Guard is starting with them; if it
doesn't, the terminal that runs it says why.</p>
<p>Now install it on your organization. An owner has to do that. Choose all repositories, or those to protect.</p>
<a class="button" href="${installUrl}" target="_blank" rel="noopener">Install it on GitHub</a>
<p>Then sign in to <a href="${publicUrl}/org">OTP Guard</a>, and open your organization: its page says what to do
next.</p>
<p class="quiet">Three things are left to do by hand before people depend on it: production mode
(<code>NODE_ENV=production</code> in <code>.env</code>), copies of the backups on another machine, and a mail server.
<code>otp-guard doctor</code> says which of them are missing.</p>`;
  sendPage(response, { title: 'The App is registered', body, step: 1 });
}

/** Sends a page that says in one sentence why it doesn't continue, and what to do. */
export function sendRefusal(response: Response, { status, sentence, next }: Problem): void {
  const body = html`${alertOf(sentence)}${next}`;
  sendPage(response, { title: 'Set-up stopped', status, body });
}

const alertOf = (text: string) => html`<div class="notice" role="alert">${alertIcon}<p>${text}</p></div>`;

const STEPS = ['Register the App', 'Install it on GitHub', 'Sign in to OTP Guard'];

/** The steps. Only those before the current one are ticked: a person did them, and this server saw it. */
const stepList = (current: number) =>
  html`<ol class="steps" aria-label="Steps">${STEPS.map((name, index) =>
    index < current
      ? html`<li>${checkIcon}${name}: done</li>`
      : html`<li${index === current && html` aria-current="step"`}><span class="mark" aria-hidden="true">${index + 1}</span>${name}</li>`,
  )}</ol>`;

type Page = {
  title: string;
  body: Html;
  status?: number;
  /** The current one of `STEPS`, as an index. A refusal has none. */
  step?: number;
};

function sendPage(response: Response, { title, body, status = 200, step }: Page): void {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · OTP Guard</title>
<link rel="icon" href="/set-up/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/set-up/style.css">
<script src="/set-up/set-up.js" defer></script>
</head>
<body>
<header><p><img src="/set-up/icon.svg" alt=""> OTP Guard</p></header>
<main>
<h1>${title}</h1>
${step !== undefined && stepList(step)}
${body}
</main>
</body>
</html>`;
  response.status(status).set('Cache-Control', 'no-store').type('html').send(page.markup);
}
