import { z } from 'zod';
import { envelope, receiptStatement } from '../contract/receipts.ts';

/**
 * The JSON schema of a receipt's statement, and under `$defs` that of the envelope around it: docs/receipt.schema.json.
 * Other members are allowed: who reads a receipt ignores what they don't know.
 */
export function receiptJsonSchema(): object {
  const { $schema, ...statement } = z.toJSONSchema(receiptStatement, { reused: 'ref', io: 'input' });
  const { $schema: _, ...dsse } = z.toJSONSchema(envelope, { io: 'input' });
  return {
    $schema,
    title: 'The statement of a receipt by OTP Guard; $defs.envelope is the file around it',
    ...statement,
    $defs: { ...statement.$defs, envelope: dsse },
  };
}
