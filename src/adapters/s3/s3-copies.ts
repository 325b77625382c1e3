import { createHash } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AwsClient } from 'aws4fetch';
import type { S3Config } from '../../settings/backup-config.ts';

const UPLOAD_MS = 30 * 60_000;
const ANSWER_MS = 60_000;

type Send = (target: string, init?: RequestInit & { waitMs?: number }) => Promise<string>;

/**
 * Copies of encrypted files in a bucket.
 *
 * @param deps.tooMany Which of the files' names, as they're in the bucket, shouldn't be kept.
 * @param deps.mostMs How long each request may take.
 */
export function createS3Copies(
  config: S3Config,
  { tooMany, mostMs }: { tooMany(names: string[]): string[]; mostMs?: number },
) {
  const { prefix } = config;
  const send = createSend(config, mostMs);
  return {
    /**
     * Uploads a file, then deletes older ones.
     *
     * @throws S3Refusal with S3's code if it refuses; Error if it doesn't answer in time.
     */
    async copy(path: string): Promise<void> {
      await send(keyPath(`${prefix}${basename(path)}`), {
        method: 'PUT',
        // The content belongs to the signature, and the file is never in memory as a whole.
        headers: { 'x-amz-content-sha256': await sha256Of(path) },
        body: await openAsBlob(path),
        waitMs: mostMs ?? UPLOAD_MS,
      });
      const query = new URLSearchParams({ 'list-type': '2', prefix });
      const listed = await send(`?${query}`);
      for (const name of tooMany(namesIn(listed, prefix)))
        await send(keyPath(`${prefix}${name}`), { method: 'DELETE' });
    },
  };
}

function createSend({ endpoint, region, bucket, keyId, secret }: S3Config, mostMs = ANSWER_MS): Send {
  const credentials = { accessKeyId: keyId, secretAccessKey: secret };
  const client = new AwsClient({ ...credentials, ...(region && { region }), service: 's3', retries: 2 });
  return async (target, { waitMs = mostMs, ...init } = {}) => {
    const method = init.method ?? 'GET';
    const answer = await client.fetch(`${endpoint}/${bucket}${target}`, {
      ...init,
      method,
      // Another address would get the signature.
      redirect: 'error',
      signal: AbortSignal.timeout(waitMs),
    });
    const text = await answer.text();
    if (answer.ok) return text;
    const [, code = 'without a code'] = /<Code>([A-Za-z0-9.]{1,60})<\/Code>/.exec(text) ?? [];
    throw new S3Refusal(`the S3 storage answered ${answer.status} ${code} to ${method}`);
  };
}

/** S3's answer that isn't a success. Its message has nothing that is secret. */
export class S3Refusal extends Error {}

const keyPath = (key: string) => `/${key.split('/').map(encodeURIComponent).join('/')}`;

/** The names behind the prefix (ListObjectsV2). Our own have no character that XML escapes. */
function namesIn(listed: string, prefix: string): string[] {
  const keys = [...listed.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key);
  return keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
