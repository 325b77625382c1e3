import { getTransformStream } from '@probot/pino';
import pino, { type Logger } from 'pino';
import type { Config } from './config.ts';

/** Names of fields that can hold a secret, wherever they stand in a line. */
const SECRET = [
  'authorization',
  'token',
  'access_token',
  'accessToken',
  'code',
  'codeVerifier',
  'client_secret',
  'password',
  'secret',
  'challenge',
  'email',
  'signature',
  'x-hub-signature-256',
];
const PATHS = SECRET.flatMap((name) =>
  ['', '*.', '*.*.', '*.*.*.'].map((depth) => `${depth}["${name}"]`.replace('.[', '[')),
);

/** A token of GitHub's or of ours, as text inside other text. */
const TOKEN =
  /\b(gh[a-z]_[A-Za-z0-9_-]{8,}|github_pat_[A-Za-z0-9_]{8,}|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)/g;

/** The log of the process: to standard error, as standard output is for the line that says we are ready. */
export async function createLog(config: Pick<Config, 'logLevel' | 'logFormat'>): Promise<Logger> {
  const options = {
    level: config.logLevel,
    serializers: { err: errorLine },
    redact: { paths: PATHS, censor: '[secret]' },
    hooks: {
      streamWrite: (line: string) => line.replace(TOKEN, '[secret]'),
    },
  };
  const destination = pino.destination({ dest: 2, sync: true });
  if (config.logFormat === 'json') return pino(options, destination);
  const pretty = await getTransformStream({ logFormat: 'pretty' });
  pretty.pipe(destination as unknown as NodeJS.WritableStream);
  return pino(options, pretty);
}

/** An error without what hangs on it: a request, a whole webhook, other people's text. */
function errorLine(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { status } = error as { status?: unknown };
  return { type: name, message, status, stack, ...(cause !== undefined && { cause: errorLine(cause) }) };
}
