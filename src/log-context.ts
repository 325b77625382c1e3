import { AsyncLocalStorage } from 'node:async_hooks';

/** What a line of the log is about: a request or a webhook, by its id. */
export type LogContext = { request?: string; delivery?: string };

const contexts = new AsyncLocalStorage<LogContext>();

/** Does the work so that every line that is logged in its course carries this besides what it carries already. */
export function within<T>(context: LogContext, work: () => T): T {
  return contexts.run({ ...logContext(), ...context }, work);
}

export const logContext = (): LogContext => contexts.getStore() ?? {};
