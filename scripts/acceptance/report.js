import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The table of docs/assumptions.md: the id, the sentence, and what the script has to see. */
const ASSUMPTIONS = readFileSync(join(import.meta.dirname, '../../docs/assumptions.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => {
    const [id, text, assumed] = line.slice(2).split(' | ');
    return { id: id.trim().replaceAll('`', ''), text: text.trim(), assumed: assumed.trim() };
  });

/**
 * The report as Markdown, for an issue. The repository's name is its only detail.
 *
 * @param found.all Of each assumption what was `seen`, in the words of `assumed` if it holds, or why it was `notTried`.
 */
export function reportOf({ name, enterpriseVersion, started, version, all, failure, leftBehind }) {
  const rows = ASSUMPTIONS.map(({ id, text, assumed }) => {
    const found = all.find((one) => one.id === id) ?? { notTried: 'The script ended before it.' };
    if (found.notTried) return { id, text, assumed, result: 'not tried', seen: found.notTried };
    const seen = found.more ? `${found.seen} (${found.more})` : found.seen;
    return { id, text, assumed, result: found.seen === assumed ? 'same' : 'differs', seen };
  });
  const count = (wanted) => rows.filter(({ result }) => result === wanted).length;
  const lines = [
    '# What OTP Guard assumes about GitHub, and what GitHub did',
    '',
    `- OTP Guard: ${version}`,
    `- GitHub: ${enterpriseVersion ? `Enterprise Server ${enterpriseVersion}` : 'no Enterprise Server'}`,
    `- repository: \`${name}\``,
    `- started: ${started}`,
    '',
    '| id | assumption | assumed | seen | result |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${[row.id, row.text, row.assumed, row.seen, row.result].join(' | ')} |`),
    '',
    ...(failure === null ? [] : [`The script ended early: ${failure}.`]),
    ...leftBehind.map((what) => `Left behind, please clean it up: ${what}.`),
    `${count('same')} as assumed, ${count('differs')} different, ${count('not tried')} not tried.`,
  ];
  return { text: `${lines.join('\n')}\n`, differences: count('differs'), failure, leftBehind };
}

/** Whether each tried assumption holds, and nothing is left behind. */
export const isAsAssumed = ({ differences, failure, leftBehind }) =>
  differences === 0 && failure === null && leftBehind.length === 0;
