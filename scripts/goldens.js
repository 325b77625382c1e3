// Goldens of how the product behaves, in test/goldens. They compare a later build with the one that wrote them:
//   node scripts/goldens.js [--check] [name…]
// It needs `node scripts/build.js --demo`. Without --check it writes them. With it, it prints what differs and exits
// with 1. The names are those of the files. Nothing here imports from src.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkTexts } from './goldens/check-texts.js';
import { verifyProofs } from './goldens/proofs.js';
import { refusals } from './goldens/refusals.js';
import { storeSchema } from './goldens/store-schema.js';
import { testTitles } from './goldens/titles.js';
import { webhookRequests } from './goldens/webhooks.js';

const root = dirname(import.meta.dirname);
const folder = join(root, 'test/goldens');
/** Receipts, a log and keys that the build which wrote the goldens made. */
const proofs = join(folder, 'proofs');

/** Returns the text of each golden. */
const GOLDENS = {
  'test-titles.txt': async () => `${testTitles(root).join('\n')}\n`,
  'store-schema.txt': storeSchema,
  'refusals.txt': refusals,
  'webhooks.txt': webhookRequests,
  'check-texts.txt': () => checkTexts(isCheck ? undefined : proofs),
  'proofs.txt': async () => verifyProofs(proofs),
};

/** What is compared of each golden: a test may move to another file. */
const COMPARED = {
  'test-titles.txt': (text) => `${text.replace(/\t.*$/gm, '').split('\n').sort().join('\n')}\n`,
};

const isCheck = process.argv.includes('--check');
const wanted = process.argv.slice(2).filter((arg) => !arg.startsWith('-'));
const names = Object.keys(GOLDENS).filter(
  (name) => wanted.length === 0 || wanted.some((one) => name.startsWith(one)),
);
mkdirSync(folder, { recursive: true });
for (const name of names) {
  const began = Date.now();
  const text = await GOLDENS[name]();
  const isSame = !isCheck || isUnchanged(name, text);
  if (!isCheck) writeFileSync(join(folder, name), text);
  if (!isSame) process.exitCode = 1;
  console.log(
    `${name}: ${isCheck ? (isSame ? 'same' : 'DIFFERS') : 'written'} (${Math.round((Date.now() - began) / 1000)} s)`,
  );
}
process.exit();

/** Prints the difference if there is one. */
function isUnchanged(name, text) {
  const compared = COMPARED[name] ?? ((same) => same);
  const temporary = mkdtempSync(join(tmpdir(), 'otp-guard-goldens-'));
  const [before, after] = [join(temporary, 'golden'), join(temporary, 'now')];
  writeFileSync(before, compared(readFileSync(join(folder, name), 'utf8')));
  writeFileSync(after, compared(text));
  const diff = spawnSync('git', ['diff', '--no-index', '--no-color', before, after], { encoding: 'utf8' });
  rmSync(temporary, { recursive: true });
  if (diff.status !== 0) console.log(diff.stdout.split('\n').slice(4).join('\n'));
  return diff.status === 0;
}
