import type { RequestHandler } from 'express';
import { callerOf } from './authenticate.ts';
import { INVALID_JWT, refuse } from './responses.ts';

/** Accepts personal tokens only: these routes are for tests and for people who try things out. */
export const requireAdmin: RequestHandler = (_req, res, next) => {
  const { kind } = callerOf(res);
  if (kind === 'personal') next();
  else refuse(res, kind === 'anonymous' ? 401 : 403, "This needs the administrator's own token.");
};

/** Accepts the App's JSON web token only. */
export const requireApp: RequestHandler = (_req, res, next) => {
  if (callerOf(res).kind === 'app') next();
  else refuse(res, 401, INVALID_JWT);
};

/** Accepts installation tokens only. */
export const requireInstallation: RequestHandler = (_req, res, next) => {
  const { kind } = callerOf(res);
  if (kind === 'installation') next();
  else if (kind === 'anonymous') refuse(res, 401, 'Requires authentication');
  else refuse(res, 403, 'You must authenticate via a GitHub App.');
};
