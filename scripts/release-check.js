// Makes what a release publishes, twice, and fails if the bytes differ: node scripts/release-check.js. The release's
// workflow keeps them with --to <folder>: release/ has the package, its SBOM, checksums and what operators copy, and
// notes.md is the changelog's part of this version. At a tag, the version and the changelog have to be ready for it.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { fail } from './programs.js';

const OF_OPERATORS = [
  'monitoring/alerts.yml',
  'monitoring/grafana-dashboard.json',
  'packaging/otp-guard.service',
];

process.chdir(dirname(import.meta.dirname));
const { to } = parseArgs({ options: { to: { type: 'string' } } }).values;
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const { GITHUB_REF_TYPE, GITHUB_REF_NAME } = process.env;
const tag = GITHUB_REF_TYPE === 'tag' ? GITHUB_REF_NAME : null;
if (tag !== null && tag !== `v${version}`) fail(`The tag ${tag} isn't v${version}, as package.json says.`);
const notes = readNotes();

const folder = mkdtempSync(join(tmpdir(), 'otp-guard-release-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const [first, second] = ['first', 'second'].map((name) => makeRelease(join(folder, name)));
const differing = first.split('\n').filter((line) => !second.split('\n').includes(line));
if (differing.length > 0) fail(`A second build has other bytes:\n${differing.join('\n')}`);
if (to !== undefined) {
  cpSync(join(folder, 'first'), join(to, 'release'), { recursive: true });
  writeFileSync(join(to, 'notes.md'), notes);
}
console.log(`Version ${version} can be released:\n${first}`);

function readNotes() {
  const parts = readFileSync('CHANGELOG.md', 'utf8').split(/^(?=## )/m);
  const [heading = '', ...lines] =
    parts.find((part) => part.startsWith(`## [${version}]`))?.split('\n') ?? [];
  if (!lines.join('').trim()) fail(`CHANGELOG.md says nothing of ${version}.`);
  if (tag !== null && !/ - \d{4}-\d\d-\d\d$/.test(heading)) fail(`${version} has no date in CHANGELOG.md.`);
  return lines.join('\n');
}

/** @returns The checksums, as `sha256sum` writes them. */
function makeRelease(release) {
  mkdirSync(release);
  run(['scripts/build.js']);
  run(['scripts/package.js', '--to', release]);
  const sbom = run(['--import', './scripts/ensure-built.js', 'scripts/sbom.js']);
  writeFileSync(join(release, 'otp-guard-sbom.cdx.json'), sbom);
  for (const path of OF_OPERATORS) cpSync(path, join(release, basename(path)));
  const hashOf = (name) =>
    createHash('sha256')
      .update(readFileSync(join(release, name)))
      .digest('hex');
  const names = readdirSync(release).sort();
  const sums = names.map((name) => `${hashOf(name)}  ${name}\n`);
  writeFileSync(join(release, 'SHA256SUMS'), sums.join(''));
  return sums.join('');
}

function run(args) {
  const { status, stdout } = spawnSync(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) fail(`${args.join(' ')} failed. See above.`);
  return stdout;
}
