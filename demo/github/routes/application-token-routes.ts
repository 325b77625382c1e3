import { timingSafeEqual } from 'node:crypto';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { APP } from '../credentials.ts';
import { jsonBodyOf, readBody } from '../forward.ts';
import type { Account } from '../github-objects.ts';
import { refuse } from '../responses.ts';
import type { RouteDeps } from '../route-deps.ts';
import { appPageOf } from '../speaks-as.ts';
import type { IssuedToken } from '../tokens.ts';

type UserToken = Extract<IssuedToken, { kind: 'user' }>;

const isSame = (a: string, b: string) => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

function authorizationOf(deps: RouteDeps, issued: UserToken, token: string, user: Account) {
  return {
    id: issued.id,
    url: `${deps.origin}/authorizations/${issued.id}`,
    scopes: issued.scopes,
    token,
    token_last_eight: token.slice(-8),
    hashed_token: null,
    app: { client_id: issued.clientID, name: APP.name, url: appPageOf(deps.speaksAs, deps.origin, APP.slug) },
    note: null,
    note_url: null,
    updated_at: issued.created,
    created_at: issued.created,
    fingerprint: null,
    expires_at: null,
    user,
  };
}

/**
 * `/applications/{client_id}/token` and `/grant`, with the client's id and secret as HTTP Basic: checks a user token
 * of this client, revokes it, or revokes all tokens of its user. Any other token gets 404, a wrong secret 401
 * (GitHub: "REST API endpoints for OAuth authorizations").
 */
export function applicationTokenRoutes(deps: RouteDeps): Router {
  const router = Router();
  const { tokens, emulator, credentials } = deps;

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

  /** The user token in the body; sends an error and returns undefined if there is none. */
  const tokenIn = (req: Request, res: Response) => {
    const { access_token: token } = jsonBodyOf(req);
    if (typeof token !== 'string' || token === '') {
      refuse(res, 422, 'Validation Failed');
      return undefined;
    }
    const issued = tokens.find(token);
    if (issued?.kind !== 'user' || issued.clientID !== credentials.clientID) {
      refuse(res, 404, 'Not Found');
      return undefined;
    }
    return { token, issued };
  };

  router.post('/applications/:clientID/token', requireClient, readBody, async (req, res) => {
    const found = tokenIn(req, res);
    if (!found) return;
    const user = await emulator.get<Account>(`/users/${found.issued.login}`);
    if (!user) {
      refuse(res, 404, 'Not Found');
      return;
    }
    res.json(authorizationOf(deps, found.issued, found.token, user));
  });

  router.delete('/applications/:clientID/token', requireClient, readBody, (req, res) => {
    const found = tokenIn(req, res);
    if (!found) return;
    tokens.revoke((issued) => issued === found.issued);
    res.status(204).end();
  });

  router.delete('/applications/:clientID/grant', requireClient, readBody, (req, res) => {
    const found = tokenIn(req, res);
    if (!found) return;
    tokens.revoke((issued) => issued.kind === 'user' && issued.login === found.issued.login);
    res.status(204).end();
  });

  return router;
}
