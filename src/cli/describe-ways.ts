import type { Change, Way, Ways } from '../organizations/protection/ways.ts';
import { printable } from './print.ts';

/** Where the text is shown: how wide that is, and whether it has colours. */
export type Screen = { columns: number; hasColors: boolean };

const MOST_COLUMNS = 80;
const RED = ['\u001B[31;1m', '\u001B[0m'];
/** How many repositories of one way, and how many unread parts, are listed. */
const MOST_LISTED = 20;

/** The same way in several repositories, which is listed once. */
type Group = { way: Way; repos: string[]; places: number[] };

/** The ways around an approval and what closes them, as text for people. */
export function describeWays(org: string, found: Ways, screen: Screen): string {
  const { ways, changes, unread, changers } = found;
  const groups = groupsOf(ways);
  const parts = [
    ...groups.map((group, index) => describeGroup(group, index, screen)),
    ...(changes.length > 0 ? ['\nTo close them all, in this order:\n\n'] : []),
    ...changes.map((change, index) => describeChange(change, index, groups, screen)),
    ...(unread.length > 0 ? ['\nCouldn’t be read with this token:\n\n'] : []),
    ...atMost(unread).map((text) => wrap('  - ', text, screen)),
    ...(changers.length > 0
      ? [
          `\n${wrap('', `These can change the rules, which OTP Guard notices: ${atMost(changers).join(', ')}.`, screen)}`,
        ]
      : []),
  ];
  return `${parts.join('')}\n${wrap('', summary(org, ways.length, unread.length), screen)}`.replace(
    /^\n+/,
    '',
  );
}

function groupsOf(ways: Way[]): Group[] {
  const groups = new Map<string, Group>();
  for (const [place, way] of ways.entries()) {
    const key = JSON.stringify([way.kind, way.who, way.how]);
    const group = groups.get(key) ?? { way, repos: [], places: [] };
    groups.set(key, group);
    group.places.push(place);
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

function describeGroup({ way, repos }: Group, index: number, screen: Screen): string {
  const [red, plain] = screen.hasColors ? RED : ['', ''];
  const exempt = way.actors.filter(({ mode }) => mode === 'exempt').map(({ name }) => name);
  const warning = wrap(INDENT, `EXEMPT: ${exempt.join(', ')}`, screen).trimEnd();
  return [
    wrap(numbered(index), repos.length > 0 ? `${atMost(repos).join(', ')}: ${way.who}` : way.who, screen),
    wrap(INDENT, `${way.how} ${way.why}`, screen),
    ...(exempt.length > 0 ? [`${red}${warning}${plain}\n`] : []),
  ].join('');
}

function describeChange(
  { change, url, closes }: Change,
  index: number,
  groups: Group[],
  screen: Screen,
): string {
  const closed = groups.flatMap(({ places }, at) =>
    places.some((one) => closes.includes(one)) ? [at + 1] : [],
  );
  return [
    wrap(numbered(index), change, screen),
    `${INDENT}${printable(url)}\n`,
    wrap(INDENT, `Closes ${closed.join(', ')}.`, screen),
  ].join('');
}

function summary(org: string, ways: number, unread: number): string {
  const found = `${ways} ${ways === 1 ? 'way' : 'ways'} around an approval in ${org}`;
  if (unread > 0) return `Found ${found}. There may be more: some things couldn’t be read.`;
  if (ways > 0) return `Found ${found}.`;
  return `No way around an approval in ${org}, as far as an owner’s token shows it.`;
}

/** Breaks a text between words. Only the first line has the mark, and each is indented as far as it is wide. */
function wrap(mark: string, text: string, { columns }: Pick<Screen, 'columns'>): string {
  const width = Math.min(columns, MOST_COLUMNS) - mark.length;
  const lines: string[] = [];
  let line = '';
  for (const word of printable(text).split(' ')) {
    if (line !== '' && line.length + word.length >= width) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? word : ` ${word}`;
  }
  return [...lines, line]
    .map((one, index) => `${index === 0 ? mark : ' '.repeat(mark.length)}${one}\n`)
    .join('');
}
