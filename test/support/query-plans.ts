import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createStoreClient, type StoreClient } from '../../src/adapters/pocketbase/client.ts';
import { verifyBinary } from '../../src/adapters/pocketbase/process/binary.ts';
import { runStoreCommand } from '../../src/adapters/pocketbase/process/commands.ts';
import { folderFlags } from '../../src/adapters/pocketbase/process/data-folder.ts';
import { isHealthy, type StoreAddress } from '../../src/adapters/pocketbase/process/process-marker.ts';
import { type Collection, type Field, text } from '../../src/adapters/pocketbase/schema/fields.ts';
import { freePort } from './product.ts';
import { until } from './until.ts';

/** A store over the same folder that prints the SQL that PocketBase makes of our requests. */
export async function startPrintingStore(
  dataDir: string,
  address: StoreAddress,
): Promise<{ client: StoreClient; statements(): string[]; stop(): Promise<void> }> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const args = ['serve', `--http=${url.slice('http://'.length)}`, ...folderFlags(dataDir), '--dev'];
  const store = spawn(await verifyBinary(), args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  store.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  await until('the store to start', () => isHealthy(url));
  const client = createStoreClient({ ...address, url });
  await client.run(async () => undefined);
  printed = '';
  return {
    client,
    statements: () =>
      printed
        .split('\n')
        .flatMap((line) => /^\[[^\]]+\] ((?:SELECT|UPDATE|DELETE) .*)$/.exec(line)?.[1] ?? []),
    async stop() {
      if (store.exitCode !== null) return;
      const closed = once(store, 'close');
      store.kill();
      // When all that it printed is read, too.
      await closed;
    },
  };
}

/** Which statement, and the steps of its plan. */
export type Plan = { sql: string; steps: string[] };

const EXPLAIN = `const plans = input.sql.map((sql) => {
  const rows = arrayOf(new DynamicModel({ detail: '' }));
  $app.db().newQuery('EXPLAIN QUERY PLAN ' + sql).all(rows);
  return { sql, steps: rows.map(({ detail }) => detail) };
});
$os.writeFile(input.out, JSON.stringify(plans), 0o600);`;
const EXECUTE = 'for (const sql of input.sql) $app.db().newQuery(sql).execute();';

/** A copy of a store's database, to ask for plans. */
export async function copyStore(dataDir: string) {
  const copy = join(dataDir, 'copy');
  const run = (folder: string, script: string, input: object) =>
    runStoreCommand(folder, { name: 'explain', script, input });
  const file = join(copy, 'pocketbase', 'data', 'data.db');
  mkdirSync(dirname(file), { recursive: true });
  await run(dataDir, EXECUTE, { sql: [`VACUUM INTO '${file}'`] });
  return {
    // SQLite plans with statistics that are there when a process begins: so each is a process of its own.
    execute: (sql: string[]) => run(copy, EXECUTE, { sql }),
    async explain(sql: string[]): Promise<Plan[]> {
      const out = join(copy, 'plans.json');
      await run(copy, EXPLAIN, { sql, out });
      return JSON.parse(readFileSync(out, 'utf8')) as Plan[];
    },
  };
}

/** Fills a table with what a year leaves: a few organizations, hundreds of people, and everything else different. */
export function fill({ name, type, fields: own }: Collection, rows: number): string {
  const fields = type === 'auth' ? [...own, text('tokenKey')] : own;
  const columns = fields.map(({ name: column }) => `\`${column}\``);
  return `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
    INSERT OR IGNORE INTO ${name} (id, ${columns.join()})
    SELECT PRINTF('filled%09d', i), ${fields.map(sampleOf).join()} FROM n`;
}

function sampleOf({ name, type, collectionId, values }: Field): string {
  if (type === 'relation')
    return collectionId === 'pbc_organizations'
      ? "PRINTF('filled%09d', 1 + i % 3)"
      : "PRINTF('filled%09d', 1 + i % 500)";
  if (type === 'autodate') return "STRFTIME('%Y-%m-%d %H:%M:%fZ', 1790000000 + i * 60.5, 'unixepoch')";
  if (type === 'date')
    return "IIF(i % 50, STRFTIME('%Y-%m-%d %H:%M:%fZ', 1790000000 + i * 60.5, 'unixepoch'), '')";
  if (type === 'bool') return 'i % 10 = 0';
  if (type === 'number') return name === 'org_id' ? '1 + i % 3' : 'i';
  if (type === 'json') return "JSON_OBJECT('repo', 'hello', 'login', 'login' || (i % 500))";
  if (type === 'select')
    return `JSON_EXTRACT('${JSON.stringify(values)}', '$[' || (i % ${(values as string[]).length}) || ']')`;
  if (name === 'pending') return "IIF(i % 100, '', 'vouch')";
  return `'${name}' || i`;
}
