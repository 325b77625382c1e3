import type { z } from 'zod';
import { AppError } from '../shared/app-error.ts';

/** Replaces zod's own messages, which are for developers. */
const NO_SENTENCE = '';

/**
 * Parses the body of a call.
 *
 * @throws AppError `malformed`, with the schema's sentence for the first wrong field that has one.
 */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.infer<S> {
  const parsed = schema.safeParse(body ?? {}, { error: () => NO_SENTENCE });
  if (parsed.success) return parsed.data;
  const sentence = parsed.error.issues.map(({ message }) => message).find((text) => text !== NO_SENTENCE);
  throw new AppError('malformed', sentence === undefined ? {} : { sentence });
}
