import type { RequestHandler } from 'express';
import { z } from 'zod';
import { githubId } from '../contract/fields.ts';
import { policySchema } from '../contract/policy.ts';
import { statusBlock } from '../contract/status.ts';
import type { ReadPublishedList } from '../receipts/published-list.ts';
import { AppError } from '../shared/app-error.ts';

export const PUBLISHED_LIST_PATH = '/.well-known/otp-guard.json';

const orgId = githubId('missing organization id').optional();

/**
 * The keys that ever signed, and the newest checkpoints: for anyone, and the only answer that a page of another
 * server may read, so that people can verify receipts elsewhere.
 *
 * @throws AppError `malformed` if `org` is no id.
 */
export function answerPublishedList(read: ReadPublishedList): RequestHandler {
  return async (request, response) => {
    const org = orgId.safeParse(request.query.org);
    if (!org.success) throw new AppError('malformed', { sentence: 'missing organization id' });
    const list = await read(org.data);
    response.set('Cache-Control', 'public, max-age=60');
    response.set('Access-Control-Allow-Origin', '*');
    response.set('Cross-Origin-Resource-Policy', 'cross-origin');
    response.json(list);
  };
}

export const POLICY_SCHEMA_PATH = '/policy.schema.json';
export const STATUS_SCHEMA_PATH = '/status.schema.json';

/**
 * The JSON schema of a policy as people write it, for editors. The server also
 * refuses what a schema can't say, such as two rules with one name.
 */
export const answerPolicySchema = (publicUrl: string): RequestHandler =>
  answerSchema(policySchema, { $id: `${publicUrl}${POLICY_SCHEMA_PATH}`, title: 'OTP Guard policy' });

/** The JSON schema of the block for programs in a check run's text. */
export const answerStatusSchema = (publicUrl: string): RequestHandler =>
  answerSchema(statusBlock, { $id: `${publicUrl}${STATUS_SCHEMA_PATH}`, title: 'OTP Guard status' });

/** Other members are allowed: they can come from a newer version. */
function answerSchema(type: z.ZodType, named: { $id: string; title: string }): RequestHandler {
  const { $schema, ...rest } = z.toJSONSchema(type, { io: 'input', target: 'draft-7' });
  const schema = `${JSON.stringify({ $schema, ...named, ...rest }, null, 2)}\n`;
  return (_request, response) => {
    response.set('Cache-Control', 'no-cache').type('application/schema+json').send(schema);
  };
}
