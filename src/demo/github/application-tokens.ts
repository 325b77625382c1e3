import { timingSafeEqual } from 'node:crypto';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { refuse } from './answers.ts';
import { APP } from './credentials.ts';
import { jsonBodyOf, readBody } from './forward.ts';
import type { Local } from './local.ts';
import type { Account } from './shapes.ts';
import type { Grant } from './tokens.ts';

type UserGrant = Extract<Grant, { kind: 'user' }>;

const isSame = (a: string, b: string) => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

function authorizationOf(local: Local, grant: UserGrant, token: string, user: Account) {
  return {
    id: grant.id,
    url: `${local.origin}/authorizations/${grant.id}`,
    scopes: grant.scopes,
    token,
    token_last_eight: token.slice(-8),
    hashed_token: null,
    app: { client_id: grant.clientID, name: APP.name, url: `${local.origin}/apps/${APP.slug}` },
    note: null,
    note_url: null,
    updated_at: grant.created,
    created_at: grant.created,
    fingerprint: null,
    expires_at: null,
    user,
  };
}

/**
 * `/applications/{client_id}/token` and `/grant`, with the client's id and secret as HTTP Basic: checks a
 * user token of this client, ends it, or ends all of its user's. Any other token answers 404, a wrong
 * secret 401 (GitHub: "REST API endpoints for OAuth authorizations").
 */
export function applicationTokenRoutes(local: Local): Router {
  const router = Router();
  const { tokens, upstream, credentials } = local;

  const requireClient: RequestHandler = (req, res, next) => {
    const [scheme = '', value = ''] = (req.headers.authorization ?? '').split(' ');
    const given = Buffer.from(/^basic$/i.test(scheme) ? value : '', 'base64').toString('utf8');
    if (!isSame(given, `${credentials.clientID}:${credentials.clientSecret}`)) {
      refuse(res, 401, 'Bad credentials');
      return;
    }
    if (req.params.clientID !== credentials.clientID) {
      refuse(res, 404, 'Not Found');
      return;
    }
    next();
  };

  /** The user token in the body; answers the request and returns undefined where there is none. */
  const grantIn = (req: Request, res: Response) => {
    const { access_token: token } = jsonBodyOf(req);
    if (typeof token !== 'string' || token === '') {
      refuse(res, 422, 'Validation Failed');
      return undefined;
    }
    const grant = tokens.find(token);
    if (grant?.kind !== 'user' || grant.clientID !== credentials.clientID) {
      refuse(res, 404, 'Not Found');
      return undefined;
    }
    return { token, grant };
  };

  router.post('/applications/:clientID/token', requireClient, readBody, async (req, res) => {
    const found = grantIn(req, res);
    if (!found) return;
    const user = await upstream.get<Account>(`/users/${found.grant.login}`);
    if (!user) {
      refuse(res, 404, 'Not Found');
      return;
    }
    res.json(authorizationOf(local, found.grant, found.token, user));
  });

  router.delete('/applications/:clientID/token', requireClient, readBody, (req, res) => {
    const found = grantIn(req, res);
    if (!found) return;
    tokens.end((grant) => grant === found.grant);
    res.status(204).end();
  });

  router.delete('/applications/:clientID/grant', requireClient, readBody, (req, res) => {
    const found = grantIn(req, res);
    if (!found) return;
    tokens.end((grant) => grant.kind === 'user' && grant.login === found.grant.login);
    res.status(204).end();
  });

  return router;
}
