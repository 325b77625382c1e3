import type { RequestHandler } from 'express';
import { jsonBodyOf } from './forward.ts';
import { refuse } from './responses.ts';

/** GitHub's limits of a check run's output. It documents characters, and counts bytes of UTF-8. */
const LIMITS = { title: 255, summary: 65_535, text: 65_535 };

/** Refuses a check run with an output that is longer than GitHub accepts. Needs `readBody` before it. */
export const refuseLongOutput: RequestHandler = (req, res, next) => {
  const output = Object(jsonBodyOf(req).output) as Record<string, unknown>;
  const tooLong = Object.entries(LIMITS).find(
    ([field, limit]) => Buffer.byteLength(String(output[field] ?? '')) > limit,
  );
  if (!tooLong) {
    next();
    return;
  }
  const [field, limit] = tooLong;
  refuse(res, 422, `Validation Failed: ${field} exceeds a maximum bytesize of ${limit}`);
};
