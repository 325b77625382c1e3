import { randomBytes } from 'node:crypto';
import { type Request, Router } from 'express';
import { relay } from './answers.ts';
import { forward, readBody } from './forward.ts';
import type { Local } from './local.ts';
import type { Account } from './shapes.ts';
import type { Answer } from './upstream.ts';

type Issued = { access_token?: string; scope?: string };

const isForm = (answer: Answer) => Boolean(answer.headers.get('content-type')?.includes('form-urlencoded'));

function issuedIn(answer: Answer): Issued {
  if (!isForm(answer)) return (answer.json ?? {}) as Issued;
  return Object.fromEntries(new URLSearchParams(answer.body.toString('utf8')));
}

/** Gives the answer another token: an App's user token begins with `ghu_`, the emulator's with `gho_`. */
function renamed(answer: Answer, inner: string, token: string): Answer {
  const body = Buffer.from(answer.body.toString('utf8').replace(inner, token));
  return { ...answer, body };
}

function clientOf(req: Request): string {
  const text = Buffer.isBuffer(req.body) ? req.body.toString('utf8') : '';
  if (!req.headers['content-type']?.includes('json')) return new URLSearchParams(text).get('client_id') ?? '';
  try {
    return String((JSON.parse(text) as { client_id?: unknown }).client_id ?? '');
  } catch {
    return '';
  }
}

/** The OAuth web flow is the emulator's; this notes the tokens that it gives out and takes back. */
export function oauthRoutes(local: Local): Router {
  const router = Router();
  const { tokens, upstream } = local;

  router.post('/login/oauth/access_token', readBody, async (req, res) => {
    const answer = await forward(upstream, req);
    const { access_token: inner, scope = '' } = issuedIn(answer);
    const user = inner ? await upstream.get<Account>('/user', inner) : undefined;
    if (!inner || !user) {
      relay(res, answer);
      return;
    }
    const token = `ghu_${randomBytes(18).toString('hex')}`;
    tokens.add(token, {
      kind: 'user',
      id: tokens.all().length + 1,
      login: user.login,
      inner,
      clientID: clientOf(req),
      scopes: scope.split(/[\s,]+/).filter(Boolean),
      created: new Date().toISOString(),
    });
    relay(res, renamed(answer, inner, token));
  });

  router.post('/settings/connections/applications/:clientID/revoke', readBody, async (req, res) => {
    const answer = await forward(upstream, req);
    // The page knows its user by a cookie only. A token that it ended is not its user's any more.
    for (const grant of tokens.all()) {
      if (grant.kind !== 'user' || grant.clientID !== req.params.clientID) continue;
      const user = await upstream.get<Account>('/user', grant.inner);
      if (user?.login !== grant.login) tokens.end((each) => each === grant);
    }
    relay(res, answer);
  });

  return router;
}
