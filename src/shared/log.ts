import { AsyncLocalStorage } from 'node:async_hooks';
import { types } from 'node:util';
import { getTransformStream } from '@probot/pino';
import pino, { type LogFn, type Logger } from 'pino';
import type { Config } from '../settings/config.ts';
import { AppError } from './app-error.ts';

const { isNativeError } = types;

/** Names of fields that can hold a secret, at any depth of a line. */
const SECRET = [
  'accessToken',
  'access_token',
  'authorization',
  'challenge',
  'clientSecret',
  'client_secret',
  'code',
  'codeVerifier',
  'email',
  'otp',
  'password',
  'privateKey',
  'secret',
  'secretKey',
  'sig',
  'signature',
  'stepUp',
  'token',
  'totpSecret',
  'totpValue',
  'webhookSecret',
  'x-github-token',
  'x-hub-signature-256',
  'x-step-up',
];
const PATHS = SECRET.flatMap((name) =>
  ['', '*.', '*.*.', '*.*.*.'].map((depth) => `${depth}["${name}"]`.replace('.[', '[')),
);

/** A token of GitHub or of ours, inside other text. Some tokens of GitHub have dots in them. */
const TOKEN =
  /(?:\b|(?<=\\[nrt]))(gh[a-z]_[\w.-]{7,}[\w-]|github_pat_[\w.-]{7,}[\w-]|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)/g;

/** An e-mail address inside other text, for example in an error message. */
const ADDRESS = /(?:(?<=\\[nrtbf])|(?<!\\))[^\s"'<>()@,;:\\]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;

/** At most this many bytes of lines wait for space on a full disk. Later lines are lost. */
const MOST_WAITING = 1024 * 1024;

/**
 * The process's log. It goes to standard error, because standard output is for the line that says we're ready.
 *
 * @param isForPeople Whether lines are text for a terminal. Each line is JSON otherwise.
 */
export async function createLog(
  { logLevel }: Pick<Config, 'logLevel'>,
  isForPeople = process.stderr.isTTY === true,
): Promise<Logger> {
  const options = {
    level: logLevel,
    // A copy, because pino adds the line's own fields to it.
    mixin: () => ({ ...logContext() }),
    ...errors,
    redact: { paths: PATHS, censor: '[secret]' },
    hooks: {
      ...errors.hooks,
      streamWrite: (line: string) => line.replace(TOKEN, '[secret]').replace(ADDRESS, '[address]'),
    },
  };
  const destination = pino.destination({ dest: 2, sync: true, maxLength: MOST_WAITING });
  // A full disk must not end the process. Each later line tries again to write the waiting lines.
  destination.on('error', () => undefined);
  if (!isForPeople) return pino(options, destination);
  const pretty = await getTransformStream({ logFormat: 'pretty' });
  // A pipe would end at the first error.
  pretty.on('data', (line) => destination.write(line));
  return pino(options, pretty);
}

/** An error without its other properties, which can be a request, a whole webhook or other people's text. */
function serializeError(error: unknown): object {
  if (!isNativeError(error)) return { message: String(error) };
  // The sentence of a refusal or an outage is enough. Only a bug needs a stack.
  const isExpected = error instanceof AppError && error.code !== 'internal';
  return { ...describe(error), ...(!isExpected && { stack: stackOf(error) }) };
}

function describe(error: Error): object {
  const { name, cause } = error;
  const { status } = error as { status?: unknown };
  return {
    type: name,
    message: messageOf(error),
    status,
    ...(isNativeError(cause) && { cause: describe(cause) }),
  };
}

/** V8 quotes the text that isn't JSON, and a body can hold a code. */
const messageOf = ({ name, message }: Error) => (name === 'SyntaxError' ? 'a syntax error' : message);

/** The stack, in which no quoted text is left. */
function stackOf(error: Error): string | undefined {
  const { name, message, stack } = error;
  return name === 'SyntaxError' ? stack?.replaceAll(message, messageOf(error)) : stack;
}

/** A library can log an error in another field than `err`. */
const describeErrors = (line: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(line).map(([name, value]) => [name, describeError(name, value)]));

const describeError = (name: string, value: unknown) =>
  name !== 'err' && isNativeError(value) ? serializeError(value) : value;

/** Without a message, pino takes that of the error. */
function logMethod(this: Logger, args: Parameters<LogFn>, write: LogFn): void {
  const [first] = args as unknown[];
  const error = isNativeError(first) ? first : (first as { err?: unknown } | null)?.err;
  if (args.length > 1 || !isNativeError(error)) write.apply(this, args);
  else write.call(this, isNativeError(first) ? { err: error } : (first as object), messageOf(error));
}

/** For every logger: pino's own shows all properties of an error, also the body of a request that failed. */
export const errors = {
  serializers: { err: serializeError },
  formatters: { log: describeErrors },
  hooks: { logMethod },
};

/** The id of the request or webhook that a log line belongs to. */
export type LogContext = { request?: string; delivery?: string };

const contexts = new AsyncLocalStorage<LogContext>();

/** Runs the work with this added to the context of every line it logs. */
export function withLogContext<T>(context: LogContext, work: () => T): T {
  return contexts.run({ ...logContext(), ...context }, work);
}

export const logContext = (): LogContext => contexts.getStore() ?? {};
