// Writes docs/receipt.schema.json from the schemas that the product reads receipts with:
//   npm run build && node scripts/write-receipt-schema.js
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { receiptJsonSchema } from '../dist/proofs/receipt-json-schema.js';

const file = join(import.meta.dirname, '../docs/receipt.schema.json');
writeFileSync(file, `${JSON.stringify(receiptJsonSchema(), null, 2)}\n`);
