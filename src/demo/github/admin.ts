import type { RequestHandler } from 'express';
import { refuse } from './answers.ts';
import { callerOf } from './gate.ts';

/** Lets in who has a personal token alone: what follows is for tests and for people who try things out. */
export const requireAdmin: RequestHandler = (_req, res, next) => {
  const { kind } = callerOf(res);
  if (kind === 'personal') next();
  else refuse(res, kind === 'nobody' ? 401 : 403, 'This is for the administrator’s own token.');
};
