// Writes what the record store's collections are in this version of the schema: node scripts/write-schema.js, after the
// build. A version's file is written once, so a change to a collection needs a new version, and an upgrade makes its
// backup.
import { existsSync, writeFileSync } from 'node:fs';
import { SCHEMA } from '../dist/adapters/pocketbase/schema.js';
import { fail } from './programs.js';

const file = `fixtures/schema/${SCHEMA.version}.json`;
if (existsSync(file))
  fail(`There is ${file}. Raise SCHEMA_VERSION, or remove the file if no release has that version.`);
const github = {
  clientId: 'id',
  clientSecret: 'secret',
  serverUrl: 'https://github.com',
  apiUrl: 'https://api.github.com',
};
const rows = SCHEMA.collections(github).map((collection) => JSON.stringify(collection));
writeFileSync(file, `[\n${rows.join(',\n')}\n]\n`);
