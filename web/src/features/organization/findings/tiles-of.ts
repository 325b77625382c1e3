import type { Finding, FindingId, FindingStatus } from '../../../../../src/contract/findings.ts';
import { type Around, whoInShort } from '../bypass-texts.ts';
import { type Link, linkOf } from './finding-link.tsx';
import { briefOf, countsIn, gravestFirst, verbOf } from './words.ts';

/** One of the four pictures of how an organization is protected. */
export type Tile = {
  title: string;
  /** `ok` only if everything is done, and was checked. */
  status: FindingStatus;
  /** The number, or what stands for it, and its noun. */
  count: string;
  noun: string;
  /** How far the bar goes; nothing was counted if `max` is 0. */
  value: number;
  max: number;
  /** A few words each about what isn't done. */
  texts: string[];
  /** What to do first. */
  link: Link | null;
  /** The logins of people to show. */
  faces: string[];
};

type Findings = {
  /** About repositories; null if they couldn't be read. */
  repositories: Finding[] | null;
  choices: Finding[];
  /** The actors that may merge without the check; null if they weren't read. */
  around: Around[] | null;
};

/** The gravest status first. */
const STATUSES: FindingStatus[] = ['failing', 'unknown', 'attention', 'ok'];

type Picture = Pick<Tile, 'title' | 'count' | 'noun' | 'value' | 'max'> &
  Partial<Pick<Tile, 'faces' | 'texts'>>;

/** The tile of these findings: it's `ok` only if each of them is, and the bar is full. */
function tile(findings: Finding[], { faces = [], texts = [], ...picture }: Picture): Tile {
  const open = gravestFirst(findings).filter(({ status }) => status !== 'ok');
  const [first] = open.filter(({ action }) => action !== null);
  const link = first && linkOf(first);
  const isFull = picture.max > 0 && picture.value === picture.max;
  const status = STATUSES.find((one) => open.some((finding) => finding.status === one));
  return {
    ...picture,
    faces,
    status: status ?? (isFull ? 'ok' : 'unknown'),
    texts: [...texts, ...open.flatMap((finding) => briefOf(finding) ?? [])],
    link: first && link ? { ...link, verb: verbOf(first) } : null,
  };
}

const REPOSITORIES: FindingId[] = ['required', 'notEnforced', 'anySource', 'unreadable', 'unchecked'];
const AROUND: FindingId[] = ['bypass', 'bypassUnknown', 'bypassSaid'];

/** The tiles in the order of a set-up, by the server's findings alone. */
export function tilesOf({ repositories, choices, around }: Findings): Tile[] {
  const among = (ids: FindingId[]) => (repositories ?? []).filter(({ id }) => ids.includes(id));
  const { total = 0, protected: required = 0, bypass } = countsIn(repositories) ?? {};
  const isRead = bypass !== undefined && required > 0 && (bypass.some > 0 || bypass.unknown === 0);
  const closed = bypass ? bypass.nobody + bypass.said : 0;
  return [
    tile(among(REPOSITORIES), {
      ...{ title: 'Repositories', noun: 'require the check', value: required, max: total },
      count: repositories ? `${required} of ${total}` : UNKNOWN,
    }),
    peopleTile(choices),
    tile(among(AROUND), {
      ...{ title: 'Who can go around', noun: isRead ? 'can bypass' : '', value: closed, max: total },
      count: aroundCount(around, bypass, required),
      // The count is about the repositories that require the check.
      texts:
        required > 0 && required < total && bypass?.some === 0
          ? [`In ${required} of ${total} repositories`]
          : [],
      faces: [...new Set((around ?? []).flatMap(({ people }) => people ?? []))],
    }),
    choicesTile(choices),
  ];
}

const UNKNOWN = '–';

function peopleTile(choices: Finding[]): Tile {
  const members = choices.find((one) => one.id === 'members');
  const { total = 0, enrolled = 0 } = members?.about ?? {};
  return tile(members ? [members] : [], {
    ...{ title: 'People', noun: 'can approve', value: enrolled, max: total },
    count: total > 0 ? `${enrolled} of ${total}` : UNKNOWN,
  });
}

/** What an owner decided is done, also if they left it open. */
function choicesTile(choices: Finding[]): Tile {
  const own = choices.filter(({ id }) => id === 'firstAuthenticator' || id === 'ownApprovals');
  const decided = own.filter(({ status }) => status !== 'failing');
  const made = tile(own, {
    ...{ title: 'Choices', noun: 'made', value: decided.length, max: own.length },
    count: `${decided.length} of ${own.length}`,
  });
  return made.status === 'attention' ? { ...made, status: 'ok' } : made;
}

function aroundCount(
  around: Around[] | null,
  bypass: { some: number; unknown: number } | undefined,
  required: number,
): string {
  if (!bypass || required === 0) return UNKNOWN;
  if (bypass.some > 0) return around?.length ? whoInShort(around) : 'Some people';
  return bypass.unknown > 0 ? 'Not readable yet' : 'Nobody';
}
