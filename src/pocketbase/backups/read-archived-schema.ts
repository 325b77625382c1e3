import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runStoreCommand } from '../process/run-store-command.ts';
import type { OpenedArchive } from './open-archive.ts';

/** Runs in PocketBase. A store without our collections has schema 0. */
const READ_SCHEMA = `
  const found = new DynamicModel({ version: 0 });
  try { $app.db().newQuery('SELECT COALESCE(MAX(version), 0) AS version FROM schema_versions').one(found); } catch {}
  $os.writeFile(input.file, String(found.version), 0o600);
`;

/** The schema of the record store in an opened backup. */
export async function readArchivedSchema({ dataDir }: OpenedArchive): Promise<number> {
  const file = join(dataDir, 'schema');
  await runStoreCommand(dataDir, { name: 'otp-guard-schema', script: READ_SCHEMA, input: { file } });
  return Number(await readFile(file, 'utf8'));
}
