import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export const S3_KEY = { keyId: 'the-id-of-the-key', secret: 'the-secret-of-the-key' };
const REGION = 'eu-central-1';

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** The signature that the request should have (AWS Signature Version 4, computed as its reference says). */
function expectedSignature(request: IncomingMessage, signed: string[]): string {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3');
  const header = (name: string) => String(request.headers[name] ?? '');
  const path = pathname.split('/').map((part) => encoded(decodeURIComponent(part)));
  const query = [...searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort();
  const headers = signed.map((name) => `${name}:${header(name).trim()}\n`).join('');
  const lines = [request.method, path.join('/'), query.join('&'), headers, signed.join(';')];
  const canonical = [...lines, header('x-amz-content-sha256')].join('\n');
  const at = header('x-amz-date');
  const scope = `${at.slice(0, 8)}/${REGION}/s3/aws4_request`;
  const key = [at.slice(0, 8), REGION, 's3', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${S3_KEY.secret}`,
  );
  return hmac(key, ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n')).toString('hex');
}

/** Why S3 would refuse the request, or null. */
function faultOf(request: IncomingMessage, body: Buffer): string | null {
  const authorization = request.headers.authorization ?? '';
  const [, id, names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\S+, SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(
      authorization,
    ) ?? [];
  if (id !== S3_KEY.keyId) return 'InvalidAccessKeyId';
  const signed = names.split(';');
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => signed.includes(name)))
    return 'AccessDenied';
  if (signature !== expectedSignature(request, signed)) return 'SignatureDoesNotMatch';
  const hash = request.headers['x-amz-content-sha256'];
  if (request.method !== 'PUT') return null;
  if (request.headers['content-length'] === undefined) return 'MissingContentLength';
  return hash === sha256(body) ? null : 'XAmzContentSHA256Mismatch';
}

/** A bucket named `bucket` in memory, which refuses what S3 refuses. */
export async function startS3() {
  const objects = new Map<string, Buffer>();
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const fault = faultOf(request, body);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3');
    const [, bucket, ...rest] = pathname.split('/').map(decodeURIComponent);
    const key = rest.join('/');
    if (fault || bucket !== 'bucket') {
      response.writeHead(403).end(`<Error><Code>${fault ?? 'NoSuchBucket'}</Code></Error>`);
    } else if (request.method === 'PUT') {
      objects.set(key, body);
      response.end();
    } else if (request.method === 'DELETE') {
      objects.delete(key);
      response.writeHead(204).end();
    } else {
      const found = [...objects.keys()].filter((one) => one.startsWith(searchParams.get('prefix') ?? ''));
      const listed = found.map((one) => `<Contents><Key>${one}</Key></Contents>`);
      response.end(`<ListBucketResult>${listed.join('')}</ListBucketResult>`);
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = { endpoint, region: REGION, bucket: 'bucket', prefix: 'guard/', ...S3_KEY };
  return { objects, config, stop: () => new Promise((done) => server.close(done)) };
}
