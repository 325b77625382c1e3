import { getTransformStream } from '@probot/pino';
import pino, { type Logger } from 'pino';
import { AppError } from './app-error.ts';
import type { Config } from './config.ts';
import { logContext } from './log-context.ts';

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

/** A token of GitHub or of ours, inside other text. */
const TOKEN =
  /(?:\b|(?<=\\[nrt]))(gh[a-z]_[A-Za-z0-9_-]{8,}|github_pat_[A-Za-z0-9_]{8,}|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)/g;

/** An e-mail address inside other text, for example in an error message. */
const ADDRESS = /(?:(?<=\\[nrtbf])|(?<!\\))[^\s"'<>()@,;:\\]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;

/** The process's log. It goes to standard error, because standard output is for the line that says we're ready. */
export async function createLog(config: Pick<Config, 'logLevel' | 'logFormat'>): Promise<Logger> {
  const options = {
    level: config.logLevel,
    // A copy, because pino adds the line's own fields to it.
    mixin: () => ({ ...logContext() }),
    serializers: { err: serializeError },
    redact: { paths: PATHS, censor: '[secret]' },
    hooks: {
      streamWrite: (line: string) => line.replace(TOKEN, '[secret]').replace(ADDRESS, '[address]'),
    },
  };
  const destination = pino.destination({ dest: 2, sync: true });
  if (config.logFormat === 'json') return pino(options, destination);
  const pretty = await getTransformStream({ logFormat: 'pretty' });
  pretty.pipe(destination as unknown as NodeJS.WritableStream);
  return pino(options, pretty);
}

/** An error without its other properties, which can be a request, a whole webhook or other people's text. */
function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  // The sentence of a refusal or an outage is enough. Only a bug needs a stack.
  const isExpected = error instanceof AppError && error.code !== 'internal';
  return { ...describe(error), ...(!isExpected && { stack: error.stack }) };
}

function describe(error: Error): object {
  const { name, message, cause } = error;
  const { status } = error as { status?: unknown };
  return { type: name, message, status, ...(cause instanceof Error && { cause: describe(cause) }) };
}
