import type { RequestHandler } from 'express';
import { z } from 'zod';
import { policySchema } from '../contract/policy.ts';

export const POLICY_SCHEMA_PATH = '/policy.schema.json';

/**
 * The JSON schema of a policy as people write it, for editors. The server also
 * refuses what a schema can't say, such as two rules with one name.
 */
export function policyJsonSchema(publicUrl: string): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(policySchema, { io: 'input', target: 'draft-7' });
  return { $schema, $id: `${publicUrl}${POLICY_SCHEMA_PATH}`, title: 'OTP Guard policy', ...schema };
}

export function answerPolicySchema(publicUrl: string): RequestHandler {
  const schema = `${JSON.stringify(policyJsonSchema(publicUrl), null, 2)}\n`;
  return (_request, response) => {
    response.set('Cache-Control', 'no-cache').type('application/schema+json').send(schema);
  };
}
