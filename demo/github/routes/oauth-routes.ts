import { randomBytes } from 'node:crypto';
import { type Request, Router } from 'express';
import type { EmulatorResponse } from '../emulator-client.ts';
import { forward, jsonBodyOf, rawBodyOf, readBody } from '../forward.ts';
import type { Account } from '../github-objects.ts';
import { relay } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';

type TokenResponse = { access_token?: string; scope?: string };

function parseTokenResponse({ headers, body, json }: EmulatorResponse): TokenResponse {
  if (!headers.get('content-type')?.includes('form-urlencoded')) return (json ?? {}) as TokenResponse;
  return Object.fromEntries(new URLSearchParams(body.toString('utf8')));
}

function replaceToken(answer: EmulatorResponse, emulatorToken: string, token: string): EmulatorResponse {
  return { ...answer, body: Buffer.from(answer.body.toString('utf8').replace(emulatorToken, token)) };
}

function clientIDOf(req: Request): string {
  if (req.headers['content-type']?.includes('json')) return String(jsonBodyOf(req).client_id ?? '');
  return new URLSearchParams(rawBodyOf(req).toString('utf8')).get('client_id') ?? '';
}

/** The emulator runs the OAuth web flow; these routes keep track of the tokens that it issues and revokes. */
export function oauthRoutes({ tokens, emulator }: RouteDeps): Router {
  const router = Router();

  router.post('/login/oauth/access_token', readBody, async (req, res) => {
    const answer = await forward(emulator, req);
    const { access_token: emulatorToken, scope = '' } = parseTokenResponse(answer);
    const user = emulatorToken ? await emulator.get<Account>('/user', emulatorToken) : undefined;
    if (!emulatorToken || !user) {
      relay(res, answer);
      return;
    }
    // A GitHub App's user token begins with `ghu_`; the emulator's begin with `gho_`.
    const token = `ghu_${randomBytes(18).toString('hex')}`;
    tokens.add(token, {
      kind: 'user',
      id: tokens.all().length + 1,
      login: user.login,
      emulatorToken,
      clientID: clientIDOf(req),
      scopes: scope.split(/[\s,]+/).filter(Boolean),
      created: new Date().toISOString(),
    });
    relay(res, replaceToken(answer, emulatorToken, token));
  });

  router.post('/settings/connections/applications/:clientID/revoke', readBody, async (req, res) => {
    const answer = await forward(emulator, req);
    // The emulator knows by its cookie whose tokens it revoked. We find them by trying each token of this client.
    for (const issued of tokens.all()) {
      if (issued.kind === 'user' && issued.clientID === req.params.clientID) {
        const user = await emulator.get<Account>('/user', issued.emulatorToken);
        if (user?.login !== issued.login) tokens.revoke((other) => other === issued);
      }
    }
    relay(res, answer);
  });

  return router;
}
