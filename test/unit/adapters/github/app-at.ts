import pino from 'pino';
import { createGitHubApp } from '../../../../src/adapters/github/app.ts';
import type { Fetch } from '../../../../src/adapters/github/fetch.ts';
import { APP_KEY } from '../../../support/app-key.ts';

export const API = 'https://api.github.com';

/** An App at a GitHub that gives out tokens and otherwise answers as `send` does. */
export function appAt(send: Fetch) {
  const token = { token: 'ghs_1', expires_at: '2099-01-01T00:00:00Z', permissions: {} };
  const withTokens: Fetch = async (url, init) =>
    url.endsWith('/access_tokens') ? Response.json(token, { status: 201 }) : send(url, init);
  return createGitHubApp(
    {
      ...{ appId: 1, privateKey: APP_KEY, webhookSecret: 's', clientId: 'c', clientSecret: 's' },
      ...{ serverUrl: 'https://github.com', apiUrl: API },
    },
    { log: pino({ level: 'silent' }), retryMs: 1, wrapSend: () => withTokens },
  );
}
