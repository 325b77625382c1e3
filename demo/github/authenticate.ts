import type { RequestHandler, Response } from 'express';
import { INVALID_JWT, refuse } from './responses.ts';
import type { RouteDeps } from './route-deps.ts';
import type { IssuedToken } from './tokens.ts';

/** Who sent a request: a sender without a token, the App with its JSON web token, or the bearer of a token. */
export type Caller = { kind: 'anonymous' } | { kind: 'app' } | IssuedToken;

const callers = new WeakMap<Response, Caller>();
const sent = new WeakMap<Response, string>();

/** The Authorization header that came with the request; empty if there was none. */
export const sentTokenOf = (res: Response): string => sent.get(res) ?? '';

/** The caller that `authenticate` found. */
export function callerOf(res: Response): Caller {
  return callers.get(res) ?? { kind: 'anonymous' };
}

/** The token by which the emulator knows the caller; undefined if the caller has none. */
export function emulatorTokenOf(res: Response): string | undefined {
  const caller = callerOf(res);
  return 'emulatorToken' in caller ? caller.emulatorToken : undefined;
}

/** The tokens that an Authorization header may hold: after `Bearer` or `token`, or as either half of `Basic`. */
function tokensIn(header: string): string[] {
  const [scheme = '', value = ''] = header.trim().split(/\s+/, 2);
  if (/^(bearer|token)$/i.test(scheme)) return [value];
  if (!/^basic$/i.test(scheme)) return [scheme];
  const [user = '', ...rest] = Buffer.from(value, 'base64').toString('utf8').split(':');
  return [rest.join(':'), user];
}

type Refusal = { status: number; message: string };

function identify(
  { tokens, appKey, installations }: Pick<RouteDeps, 'tokens' | 'appKey' | 'installations'>,
  header: string,
): Exclude<Caller, { kind: 'anonymous' }> | Refusal {
  const candidates = tokensIn(header);
  const [first] = candidates;
  if (first?.startsWith('eyJ')) {
    return appKey.verify(first) ? { kind: 'app' } : { status: 401, message: INVALID_JWT };
  }
  const issued = candidates.map((token) => tokens.find(token)).find((found) => found !== undefined);
  if (!issued) return { status: 401, message: 'Bad credentials' };
  if (issued.kind === 'installation' && installations.find(issued.installation)?.suspended_at) {
    return { status: 403, message: 'This installation has been suspended' };
  }
  return issued;
}

/**
 * Accepts requests without a token, with a token that was issued here, or with the App's JSON web token. Any other
 * Authorization header gets 401, as at GitHub; the emulator would accept it. A suspended installation's token gets 403.
 */
export function authenticate(deps: Pick<RouteDeps, 'tokens' | 'appKey' | 'installations'>): RequestHandler {
  return (req, res, next) => {
    const header = req.headers.authorization;
    if (header === undefined) {
      next();
      return;
    }
    const caller = identify(deps, header);
    if ('message' in caller) {
      refuse(res, caller.status, caller.message);
      return;
    }
    callers.set(res, caller);
    sent.set(res, header);
    if ('emulatorToken' in caller) req.headers.authorization = `Bearer ${caller.emulatorToken}`;
    next();
  };
}
