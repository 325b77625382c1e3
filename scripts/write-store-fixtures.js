// Makes fixtures/stores: a small data folder of each released schema, by the last commit that had it. Also checks that
// each of these versions refuses the data folder of the next one.
//   node scripts/write-store-fixtures.js [schema…]
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

/** The last commit of each schema. Their dependencies are those of today. */
const COMMITS = { 4: '2f54e4a', 5: 'f300a8e', 6: 'e66a6ea', 7: 'a680c88', 8: '672a575' };
const SECRET_KEY = 'a-key-of-the-tests-of-more-than-32-characters';

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(COMMITS);
const work = mkdtempSync(join(tmpdir(), 'otp-guard-fixtures-'));
let newer;
try {
  for (const schema of wanted.sort().reverse()) newer = writeFixture(schema, newer);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Returns the data folder. */
function writeFixture(schema, newerFolder) {
  const tree = join(work, schema);
  const data = join(work, `data-${schema}`);
  for (const folder of [join(tree, 'dist', 'web'), data]) mkdirSync(folder, { recursive: true });
  const source = execFileSync('git', ['archive', COMMITS[schema]], { maxBuffer: 512 * 1024 * 1024 });
  execFileSync('tar', ['-x', '-C', tree], { input: source });
  symlinkSync(resolve('node_modules'), join(tree, 'node_modules'));
  // The dashboard isn't built: nobody opens it.
  writeFileSync(join(tree, 'dist', 'web', 'index.html'), '<!doctype html><head></head><body></body>');
  writeFileSync(join(tree, 'dist', 'web', 'preloads.json'), '[]');
  for (const name of ['favicon.ico', 'icon.svg', 'robots.txt'])
    writeFileSync(join(tree, 'dist', 'web', name), '');
  mkdirSync(join(tree, 'dist', 'web', 'assets'));
  cpSync('scripts/store-fixture-story.js', join(tree, 'test/http/store-fixture.test.ts'));
  cpSync('test/support/fixture-passkey.ts', join(tree, 'test/support/fixture-passkey.ts'));
  const authenticator = join(tree, 'test/support/authenticator.ts');
  const made = "generateKeyPairSync('ec', { namedCurve: 'P-256' })";
  const text = readFileSync(authenticator, 'utf8');
  if (!text.includes(made)) throw new Error(`${authenticator} makes its keys in another way.`);
  writeFileSync(authenticator, text.replace(made, 'globalThis.fixtureKeys()'));
  const jest = ['node_modules/jest/bin/jest.js', 'test/http/store-fixture', '--selectProjects', 'http'];
  const env = { ...process.env, DATA_FOLDER: data, STORE_SECRET_KEY: SECRET_KEY };
  // A copy, because the older version may touch it before it refuses.
  if (newerFolder) {
    env.NEWER_FOLDER = join(work, `newer-than-${schema}`);
    cpSync(newerFolder, env.NEWER_FOLDER, { recursive: true });
  }
  execFileSync(process.execPath, ['--experimental-vm-modules', ...jest], {
    cwd: tree,
    env,
    stdio: 'inherit',
  });
  const to = join('fixtures', 'stores', `schema-${schema}`);
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  const database = readFileSync(join(data, 'pocketbase', 'data', 'data.db'));
  writeFileSync(join(to, 'data.db.gz'), gzipSync(database, { level: 9 }));
  const marker = join(data, 'records-sealed.json');
  // Schema 4 has none.
  if (existsSync(marker)) cpSync(marker, join(to, 'records-sealed.json'));
  return data;
}
