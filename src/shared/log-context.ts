import { AsyncLocalStorage } from 'node:async_hooks';

/** The id of the request or webhook that a log line belongs to. */
export type LogContext = { request?: string; delivery?: string };

const contexts = new AsyncLocalStorage<LogContext>();

/** Runs the work with this added to the context of every line it logs. */
export function withLogContext<T>(context: LogContext, work: () => T): T {
  return contexts.run({ ...logContext(), ...context }, work);
}

export const logContext = (): LogContext => contexts.getStore() ?? {};
