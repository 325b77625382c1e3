import { COMMIT, VERSION } from '../../version.ts';
import { printable } from '../printable.ts';
import { wrapLine } from '../wrap-line.ts';
import type { Row } from './outcome.ts';

/** What the command found, as `--json` prints it. */
export type Report = {
  repository: string;
  /** The version of an Enterprise Server; null on github.com and ghe.com. */
  enterpriseVersion: string | null;
  started: string;
  version: string;
  differences: number;
  rows: Row[];
  /** What stopped the command before its end; null if nothing did. */
  failure: string | null;
  /** What it couldn't clean up. */
  leftBehind: string[];
};

export function createReport(found: Omit<Report, 'version' | 'differences'>): Report {
  const differences = found.rows.filter(({ result }) => result === 'differs').length;
  return { ...found, version: COMMIT ? `${VERSION} (commit ${COMMIT})` : VERSION, differences };
}

/** Whether everything that was tried is as assumed, and nothing is left. */
export const isAsAssumed = ({ differences, failure, leftBehind }: Report) =>
  differences === 0 && failure === null && leftBehind.length === 0;

/** What was found, in one sentence each. */
export const endings = ({ differences, failure, leftBehind, rows }: Report): string[] => [
  ...(failure === null ? [] : [`It ended early: ${failure}`]),
  ...leftBehind.map((what) => `Left behind, please clean it up: ${what}.`),
  `${rows.filter(({ result }) => result === 'same').length} as assumed, ${differences} different, ` +
    `${rows.filter(({ result }) => result === 'not tried').length} not tried.`,
];

const MARKS = { same: 'same     ', differs: 'DIFFERS  ', 'not tried': 'not tried' };
const INDENT = ' '.repeat('not tried  '.length);

export function tableOf(report: Report): string {
  const lines = report.rows.flatMap(({ text, assumed, seen, result }) => [
    wrapLine(`${MARKS[result]}  ${text}`, INDENT),
    wrapLine(`${INDENT}assumed: ${assumed}`, INDENT),
    wrapLine(`${INDENT}${result === 'not tried' ? 'why' : 'seen'}: ${printable(seen)}`, INDENT),
  ]);
  return `${[...lines, '', ...endings(report).map(printable)].join('\n')}\n`;
}

/** For an issue: the repository's name is its only detail. */
export function markdownOf(report: Report): string {
  const { repository, started, version, enterpriseVersion, rows } = report;
  const cell = (text: string) => printable(text).replaceAll('|', '\\|');
  return `${[
    '# What OTP Guard assumes about GitHub, and what it is',
    '',
    `- OTP Guard: ${version}`,
    `- GitHub: ${enterpriseVersion ? `Enterprise Server ${cell(enterpriseVersion)}` : 'no Enterprise Server'}`,
    `- repository: \`${repository}\``,
    `- started: ${started}`,
    '',
    '| assumption | assumed | seen | result |',
    '| --- | --- | --- | --- |',
    ...rows.map(({ text, assumed, seen, result }) => `| ${text} | ${assumed} | ${cell(seen)} | ${result} |`),
    '',
    ...endings(report).map(cell),
  ].join('\n')}\n`;
}
