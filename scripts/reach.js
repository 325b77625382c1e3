// Counts the files that a reader of an approval, and of a webhook, can be led to: all that their files import, directly
// or through others. Fails if there are more lines than the room of each may have, or a file is too long to read.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The most lines: of what runs, and together with what only types name. */
const ENTRIES = [
  { name: 'an approval', file: 'src/approvals/approve/approve.ts', values: 7_150, types: 9_650 },
  { name: 'a webhook', file: 'src/bot/pull-request.ts', values: 4_000, types: 7_550 },
];
const LONGEST_FILE = 400;

const IMPORT = /^(?:import|export) (type )?([^;']*?)(?:from )?'(\.[^']+\.ts)';$/gm;

const linesOf = (file) => readFileSync(file, 'utf8').split('\n').length - 1;
/** An import whose names are all types brings nothing that runs. */
const isTypes = (type, names) => Boolean(type) || /^\{(\s*type \w+( as \w+)?,?)+\s*\} $/.test(names);

function reach(entry, withTypes) {
  const reached = new Set([entry]);
  for (const file of reached) {
    for (const [, type, names, path] of readFileSync(file, 'utf8').matchAll(IMPORT))
      if (withTypes || !isTypes(type, names)) reached.add(relative('.', join(dirname(file), path)));
  }
  return { files: reached.size, lines: [...reached].reduce((sum, file) => sum + linesOf(file), 0) };
}

const faults = [];
for (const { name, file, values, types } of ENTRIES) {
  const [runs, all] = [reach(file, false), reach(file, true)];
  console.log(
    `${name} reaches ${runs.files} files, ${runs.lines} lines; with types ${all.files}, ${all.lines}`,
  );
  if (runs.lines > values || all.lines > types)
    faults.push(`${name} may reach ${values} lines, with types ${types}`);
}
for (const file of readdirSync('src', { recursive: true }).filter((name) => name.endsWith('.ts')))
  if (linesOf(join('src', file)) > LONGEST_FILE)
    faults.push(`src/${file} has more than ${LONGEST_FILE} lines`);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
