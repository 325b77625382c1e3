import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { receiptJsonSchema } from '../../../src/proofs/receipt-json-schema.ts';
import { TestLog } from '../../support/test-log.ts';
import { addApproval } from '../../support/test-receipt.ts';

it('docs/receipt.schema.json is the schema that receipts are read with, and a receipt fits it', () => {
  const file = join(import.meta.dirname, '../../../docs/receipt.schema.json');
  const schema = JSON.parse(readFileSync(file, 'utf8'));
  // If this fails: npm run build && node scripts/write-docs.js
  expect(schema).toEqual(JSON.parse(JSON.stringify(receiptJsonSchema())));
  const log = new TestLog();
  const receipt = addApproval(log)();
  const ajv = new Ajv2020({ strictTypes: false });
  expect([ajv.validate(schema, receipt), ajv.errors]).toEqual([true, null]);
  const isEnvelope = ajv.compile({ ...schema.$defs.envelope });
  expect(isEnvelope(log.envelope(receipt))).toBe(true);
  expect(ajv.validate(schema, { ...receipt, predicateType: 'other' })).toBe(false);
});
