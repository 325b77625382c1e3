// Writes the docs that come from the product's own lists: npm run build && node scripts/write-docs.js
// The settings go into docs/settings.md and .env.example, and the schema of a receipt into docs/receipt.schema.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { receiptJsonSchema } from '../dist/proofs/receipt-json-schema.js';
import { SETTING_PARTS, SETTINGS } from '../dist/settings/settings.js';
import { settingsExample, settingsTable } from './setting-docs.js';

const root = join(import.meta.dirname, '..');
writeFileSync(join(root, '.env.example'), settingsExample(SETTING_PARTS));

const settingsPage = join(root, 'docs/settings.md');
const TABLE = /^\| name +\| default +\| +\|\n(?:\|.*\n)+/m;
writeFileSync(
  settingsPage,
  readFileSync(settingsPage, 'utf8').replace(TABLE, () => `${settingsTable(SETTINGS)}\n`),
);

const schemaFile = join(root, 'docs/receipt.schema.json');
writeFileSync(schemaFile, `${JSON.stringify(receiptJsonSchema(), null, 2)}\n`);
