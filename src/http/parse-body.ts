import type { z } from 'zod';
import { AppError } from '../app-error.ts';

/**
 * The body of a call in the shape of its schema.
 *
 * @throws AppError `malformed` with the sentence of the first field that is
 *   missing or malformed, in the order of the schema.
 */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.infer<S> {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const sentence = parsed.error.issues.map(ownSentence).find((text) => text !== undefined);
  throw new AppError('malformed', sentence === undefined ? {} : { sentence });
}

/** The schema's own text; the library's words are for developers and stay out of answers. */
function ownSentence(issue: z.core.$ZodIssue): string | undefined {
  return /^(Invalid (input|option|string)|Too (big|small)|Unrecognized key)/.test(issue.message)
    ? undefined
    : issue.message;
}
