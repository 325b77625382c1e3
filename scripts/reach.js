// Counts the files that a reader of an approval, and of a webhook, can be led to: all that their files import, directly
// or through others, types included.

import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const ENTRIES = {
  'an approval': 'src/approvals/approve/approve.ts',
  'a webhook': 'src/bot/pull-request.ts',
};

function reach(entry) {
  const reached = new Set([entry]);
  for (const file of reached) {
    const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export|\}) .*?'(\.[^']+\.ts)';$/gm);
    for (const [, path] of imports) reached.add(relative('.', join(dirname(file), path)));
  }
  return reached;
}

for (const [name, entry] of Object.entries(ENTRIES)) {
  const lines = [...reach(entry)].reduce(
    (sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1,
    0,
  );
  console.log(`${name} reaches ${reach(entry).size} files, ${lines} lines`);
}
