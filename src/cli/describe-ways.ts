import { countOf } from '../proofs/trusted-log.ts';
import type { Change, Way, Ways } from '../protection/ways.ts';
import { printable, wrap } from './print.ts';

/** Where the text is shown: how wide that is, and whether it has colours. */
export type Screen = { columns: number; hasColors: boolean };

const MOST_COLUMNS = 80;
const RED = ['\u001B[31;1m', '\u001B[0m'];
/** At most this many repositories of one way, and this many unread parts, are listed. */
const MOST_LISTED = 20;

/** The same way in several repositories, which is listed once. `indexes` are those of the ways. */
type Group = { way: Way; repos: string[]; indexes: number[] };

/** The ways around an approval and what closes them, as text for people. */
export function describeWays(org: string, found: Ways, { columns, hasColors }: Screen): string {
  const { ways, changes, unread, changers } = found;
  const groups = groupsOf(ways);
  const [red, plain] = hasColors ? RED : ['', ''];
  const lines = (mark: string, text: string) => wrap(mark, text, Math.min(columns, MOST_COLUMNS));

  const describeGroup = ({ way, repos }: Group, index: number): string => {
    const exempt = way.actors.filter(({ mode }) => mode === 'exempt').map(({ name }) => name);
    const title = repos.length > 0 ? `${atMost(repos).join(', ')}: ${way.who}` : way.who;
    const warning = lines(INDENT, `EXEMPT: ${exempt.join(', ')}`).trimEnd();
    return [
      lines(numbered(index), title),
      lines(INDENT, `${way.how} ${way.why}`),
      ...(exempt.length > 0 ? [`${red}${warning}${plain}\n`] : []),
    ].join('');
  };
  const describeChange = ({ change, url, closes }: Change, index: number): string => {
    const closed = groups.flatMap(({ indexes }, at) =>
      indexes.some((one) => closes.includes(one)) ? [at + 1] : [],
    );
    return [
      lines(numbered(index), change),
      `${INDENT}${printable(url)}\n`,
      lines(INDENT, `Closes ${closed.join(', ')}.`),
    ].join('');
  };

  const changersText = `These can change the rules, which OTP Guard notices: ${atMost(changers).join(', ')}.`;
  const sections = [
    groups.map(describeGroup),
    changes.length > 0 ? ['To close them all, in this order:\n\n', ...changes.map(describeChange)] : [],
    unread.length > 0
      ? ['Couldn’t be read with this token:\n\n', ...atMost(unread).map((text) => lines('  - ', text))]
      : [],
    changers.length > 0 ? [lines('', changersText)] : [],
    [lines('', summary(org, ways.length, unread.length))],
  ];
  return sections
    .filter((section) => section.length > 0)
    .map((section) => section.join(''))
    .join('\n');
}

function groupsOf(ways: Way[]): Group[] {
  const groups = new Map<string, Group>();
  for (const [index, way] of ways.entries()) {
    const key = JSON.stringify([way.kind, way.who, way.how]);
    const group = groups.get(key) ?? { way, repos: [], indexes: [] };
    groups.set(key, group);
    group.indexes.push(index);
    if (way.repo !== null) group.repos.push(way.repo);
  }
  return [...groups.values()];
}

const atMost = (texts: string[]): string[] =>
  texts.length > MOST_LISTED
    ? [...texts.slice(0, MOST_LISTED), `and ${texts.length - MOST_LISTED} more`]
    : texts;

const numbered = (index: number) => `${String(index + 1).padStart(3)}. `;
const INDENT = ' '.repeat(numbered(0).length);

function summary(org: string, ways: number, unread: number): string {
  const found = `${countOf(ways, 'way')} around an approval in ${org}`;
  if (unread > 0) return `Found ${found}. There may be more: some things couldn’t be read.`;
  if (ways > 0) return `Found ${found}.`;
  return `No way around an approval in ${org}, as far as an owner’s token shows it.`;
}
