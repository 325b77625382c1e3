import type { AllowedQuery } from '../../contract/record-queries.ts';

const EXPRESSIONS = ['filter', 'sort', 'expand', 'fields'] as const;
const PASSED_ON: readonly string[] = [...EXPRESSIONS, 'page', 'perPage', 'skipTotal'];
const LONGEST_QUERY = 4096;
const MOST_PER_PAGE = 50;

/**
 * The query to send to the record store: at most 50 records a page, and nothing that the record store doesn't read.
 * Null if `filter`, `sort`, `expand` or `fields` isn't allowed, or is there twice, because two parsers could choose
 * differently.
 */
export function toAllowedQuery(allowed: AllowedQuery, query: string): URLSearchParams | null {
  const parameters = new URLSearchParams(query);
  if (query.length > LONGEST_QUERY) return null;
  for (const name of EXPRESSIONS) {
    const [value = '', ...others] = parameters.getAll(name);
    if (others.length > 0 || !isAllowed[name](allowed, value)) return null;
    if (value === '') parameters.delete(name);
  }
  for (const name of new Set(parameters.keys())) if (!PASSED_ON.includes(name)) parameters.delete(name);
  if (parameters.has('perPage')) parameters.set('perPage', String(pageSize(parameters.get('perPage'))));
  return parameters;
}

const isAllowed: Record<(typeof EXPRESSIONS)[number], (allowed: AllowedQuery, value: string) => boolean> = {
  filter: (allowed, value) => value === '' || isAllowedFilter(allowed, value),
  sort: ({ sort }, value) => isListOf(sort, value, (key) => key.replace(/^[+-]/, '')),
  expand: ({ expand }, value) => isListOf(expand, value),
  fields: ({ fields }, value) => isListOf(fields, value),
};

/** True for an empty text, and for a list with commas of allowed names, each at most once. */
function isListOf(names: readonly string[], value: string, nameOf = (item: string) => item): boolean {
  if (value === '') return true;
  const items = value.split(',').map((item) => nameOf(item.trim()));
  return items.every((item) => names.includes(item)) && new Set(items).size === items.length;
}

function pageSize(requested: string | null): number {
  const size = Number(requested);
  return Number.isInteger(size) && size > 0 ? Math.min(size, MOST_PER_PAGE) : MOST_PER_PAGE;
}

/** A filter has at most this many clauses, and a choice this many comparisons: the members that a search finds, and a text. */
const [MOST_CLAUSES, MOST_CHOICES] = [6, 21];

/**
 * A text in these quotes. It has no control character, and no backslash except before its own quote: PocketBase reads
 * all other backslashes differently from JSON, so the two could disagree where the text ends.
 */
const textIn = (quote: string, except: string) =>
  String.raw`${quote}(?:[^${quote}\\\p{Cc}${except}]|\\${quote}){0,200}${quote}`;
const valueWithout = (except: string) =>
  String.raw`(?:\d{1,16}|${textIn('"', except)}|${textIn("'", except)})`;

const VALUE = valueWithout('');
/** In a text that is searched for, a `%` would be a wildcard, and many of them make one comparison slow. */
const SEARCHED = valueWithout('%');

/** The position of an entry in a list from the newest to the oldest; the dashboard pages by it. */
const BEFORE_AN_ENTRY = String.raw`\( *created *<= *${VALUE} *&& *\( *created *< *${VALUE} *\|\| *id *< *${VALUE} *\) *\)`;

/**
 * True for comparisons of the given fields with literals, joined by `&&`. A clause can also be everything before one
 * entry, if entries are ordered: `(created <= a && (created < a || id < b))`. Or it's a choice between comparisons of
 * fields that may be in one: `(user = a || user = b)`. The record store adds its own rule to each filter with `&&`.
 */
function isAllowedFilter({ filter, choices }: AllowedQuery, text: string): boolean {
  const comparisonOf = (name: string) => {
    const ends = filter[name]?.map((operator) => `${operator} *${operator === '~' ? SEARCHED : VALUE}`);
    return `${name.replaceAll('.', '\\.')} *${oneOf(ends ?? [])}`;
  };
  const fields = Object.keys(filter);
  const isOrdered = ['created', 'id'].every((name) => fields.includes(name) && filter[name]?.includes('<'));
  const chosen = oneOf(choices.filter((name) => fields.includes(name)).map(comparisonOf));
  const clause = oneOf([
    ...fields.map(comparisonOf),
    String.raw`\( *${chosen}(?: *\|\| *${chosen}){1,${MOST_CHOICES - 1}} *\)`,
    ...(isOrdered ? [BEFORE_AN_ENTRY] : []),
  ]);
  return new RegExp(`^ *${clause}(?: *&& *${clause}){0,${MOST_CLAUSES - 1}} *$`, 'u').test(text);
}

/** A part that is one of these; nothing is one of none. */
const oneOf = (parts: string[]) => (parts.length > 0 ? `(?:${parts.join('|')})` : '(?!)');
