import type { RequestHandler, Response } from 'express';
import { refuse } from './answers.ts';
import type { Local } from './local.ts';
import type { Grant } from './tokens.ts';

/** Who asks: nobody, the App itself by its JSON web token, or the bearer of a token that was given out. */
export type Caller = { kind: 'nobody' } | { kind: 'app' } | Grant;

const callers = new WeakMap<Response, Caller>();

/** Who the gate found to be asking; nobody before the gate. */
export function callerOf(res: Response): Caller {
  return callers.get(res) ?? { kind: 'nobody' };
}

/** The token in an Authorization header: after `Bearer` or `token`, or as either half of `Basic`. */
function candidatesIn(header: string): string[] {
  const [scheme = '', value = ''] = header.trim().split(/\s+/, 2);
  if (/^(bearer|token)$/i.test(scheme)) return [value];
  if (!/^basic$/i.test(scheme)) return [scheme];
  const [user = '', ...rest] = Buffer.from(value, 'base64').toString('utf8').split(':');
  return [rest.join(':'), user];
}

/**
 * Lets in whoever sends no token, a token that was given out, or the App's own JSON web token; answers 401
 * to every other Authorization, as GitHub does and the emulator does not. A suspended installation's token
 * gets 403.
 */
export function createGate(local: Pick<Local, 'tokens' | 'appKey' | 'installations'>): RequestHandler {
  return (req, res, next) => {
    const header = req.headers.authorization;
    if (header === undefined) {
      next();
      return;
    }
    const candidates = candidatesIn(header);
    if (candidates[0]?.startsWith('eyJ')) {
      if (!local.appKey.verify(candidates[0])) {
        refuse(res, 401, 'A JSON web token could not be decoded');
        return;
      }
      callers.set(res, { kind: 'app' });
      next();
      return;
    }
    const grant = candidates.map((token) => local.tokens.find(token)).find((found) => found !== undefined);
    if (!grant) {
      refuse(res, 401, 'Bad credentials');
      return;
    }
    if (grant.kind === 'installation' && local.installations.find(grant.installation)?.suspended_at) {
      refuse(res, 403, 'This installation has been suspended');
      return;
    }
    callers.set(res, grant);
    req.headers.authorization = `Bearer ${grant.inner}`;
    next();
  };
}
