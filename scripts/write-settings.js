// Writes the settings into docs/settings.md and .env.example, from the list that the product reads them by:
//   npm run build && node scripts/write-settings.js
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsExample, settingsTable } from '../dist/settings/setting-docs.js';

const root = join(import.meta.dirname, '..');
writeFileSync(join(root, '.env.example'), settingsExample());

const settingsPage = join(root, 'docs/settings.md');
const TABLE = /^\| name +\| default +\| +\|\n(?:\|.*\n)+/m;
writeFileSync(
  settingsPage,
  readFileSync(settingsPage, 'utf8').replace(TABLE, () => `${settingsTable()}\n`),
);
