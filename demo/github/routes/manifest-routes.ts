import { randomBytes } from 'node:crypto';
import express, { type Request, type RequestHandler, Router } from 'express';
import { html, linkable } from '../pages/html.ts';
import { sendPage } from '../pages/layout.ts';
import { refuse } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';

const HOUR_MS = 60 * 60_000;
const LONGEST_NAME = 34;

type Manifest = {
  name?: unknown;
  url?: unknown;
  redirect_url?: unknown;
  hook_attributes?: { url?: unknown };
  callback_urls?: unknown;
};

const isUrl = (value: unknown) => typeof value === 'string' && linkable(value) !== undefined;

function faultOf(manifest: Manifest | undefined): string | undefined {
  if (!manifest) return 'The manifest is not JSON.';
  const { name = '', url, redirect_url, hook_attributes, callback_urls = [] } = manifest;
  if (String(name).length > LONGEST_NAME) return `Name is longer than ${LONGEST_NAME} characters.`;
  if (![url, redirect_url, hook_attributes?.url].every(isUrl)) return 'An address is missing or invalid.';
  return Array.isArray(callback_urls) && callback_urls.every(isUrl)
    ? undefined
    : 'A callback URL is invalid.';
}

function fieldOf(req: Request, name: string): string {
  const value = (req.body as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' ? value : '';
}

function parseManifest(text: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Registers a GitHub App from a manifest (GitHub: "Registering a GitHub App from a manifest"). There is only one App
 * here, so every manifest registers that one. A new App is installed nowhere, and no rule requires its check.
 */
export function manifestRoutes(deps: RouteDeps): Router {
  const { credentials, privateKey, readApp, installations, rulesets } = deps;
  const router = Router();
  const codes = new Map<string, number>();
  const readForm = express.urlencoded({ extended: false, limit: '1mb' });

  const showConfirmation: RequestHandler = (req, res) => {
    const text = fieldOf(req, 'manifest');
    const manifest = parseManifest(text);
    const fault = faultOf(manifest);
    if (fault !== undefined) {
      sendPage(res, { title: 'Invalid manifest', status: 422, body: html`<h1>${fault}</h1>` });
      return;
    }
    const body = html`<h1>Create ${String(manifest?.name)}</h1>
<p>Its webhooks go to <code>${String(manifest?.hook_attributes?.url)}</code>.</p>
<form method="post" action="/_local/apps"><input type="hidden" name="manifest" value="${text}">
<input type="hidden" name="state" value="${String(req.query.state ?? '')}">
<button class="primary">Create GitHub App</button></form>`;
    const sendTo = new URL(String(manifest?.redirect_url)).origin;
    sendPage(res, { title: 'Create a GitHub App', body, formTarget: sendTo });
  };
  router.post('/settings/apps/new', readForm, showConfirmation);
  router.post('/organizations/:org/settings/apps/new', readForm, showConfirmation);

  router.post('/_local/apps', readForm, (req, res) => {
    const manifest = parseManifest(fieldOf(req, 'manifest'));
    if (faultOf(manifest) !== undefined) {
      refuse(res, 422, 'Invalid manifest');
      return;
    }
    const code = randomBytes(20).toString('hex');
    codes.set(code, Date.now() + HOUR_MS);
    const back = new URL(String(manifest?.redirect_url));
    back.searchParams.set('code', code);
    back.searchParams.set('state', fieldOf(req, 'state'));
    res.redirect(302, back.href);
  });

  router.post('/app-manifests/:code/conversions', async (req, res) => {
    const expiry = codes.get(req.params.code) ?? 0;
    codes.delete(req.params.code);
    if (expiry < Date.now()) {
      refuse(res, 404, 'Not Found');
      return;
    }
    for (const { id } of installations.all()) installations.remove(id);
    rulesets.clear();
    res.status(201).json({
      ...(await readApp()),
      client_id: credentials.clientID,
      client_secret: credentials.clientSecret,
      webhook_secret: credentials.webhookSecret,
      pem: privateKey,
    });
  });

  return router;
}
