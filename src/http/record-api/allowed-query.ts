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

const MOST_CLAUSES = 6;
/** The members that a search for a person finds, and a text beside them. */
const MOST_CHOICES = 21;

/**
 * One token. A text has no control character, and no backslash except before its own quote: PocketBase reads all other
 * backslashes differently from JSON, so the two could disagree where the text ends.
 */
const TOKEN =
  / *(?:([a-z_]+(?:\.[a-z_]+)?(?::lower)?)|(\d{1,16}|"(?:[^"\\\p{Cc}]|\\"){0,200}"|'(?:[^'\\\p{Cc}]|\\'){0,200}')|(&&|\|\||[()]|[<>]=?|[=~])) */uy;

type Token = { kind: 'field' | 'value' | 'symbol'; text: string };

/** The position of an entry in a list from the newest to the oldest; the dashboard pages by it. */
const BEFORE_AN_ENTRY = '( created <= ? && ( created < ? || id < ? ) )';
const BEFORE_LENGTH = BEFORE_AN_ENTRY.split(' ').length;

type Allowed = Pick<AllowedQuery, 'filter' | 'choices'>;

/**
 * True for comparisons of the given fields with literals, joined by `&&`. A clause can also be everything before one
 * entry, if entries are ordered: `(created <= a && (created < a || id < b))`. Or it's a choice between comparisons of
 * fields that may be in one: `(user = a || user = b)`. The record store adds its own rule to each filter with `&&`.
 */
function isAllowedFilter(allowed: Allowed, text: string): boolean {
  let rest = tokensOf(text);
  for (let clauses = 1; clauses <= MOST_CLAUSES; clauses += 1) {
    const length = clauseLength(allowed, rest);
    if (length === 0) return false;
    if (rest.length === length) return true;
    if (rest[length]?.text !== '&&') return false;
    rest = rest.slice(length + 1);
  }
  return false;
}

/** The number of tokens in the first clause; 0 if it isn't allowed. */
function clauseLength({ filter, choices }: Allowed, tokens: Token[]): number {
  if (isComparison(filter, tokens)) return 3;
  const isOrdered = ['created', 'id'].every((name) => operatorsOf(filter, name).includes('<'));
  if (isOrdered && shapeOf(tokens.slice(0, BEFORE_LENGTH)) === BEFORE_AN_ENTRY) return BEFORE_LENGTH;
  return choiceLength({ filter, choices }, tokens);
}

/** The number of tokens in `(comparison || comparison …)`; 0 if the tokens don't begin with one. */
function choiceLength({ filter, choices }: Allowed, tokens: Token[]): number {
  if (tokens[0]?.text !== '(') return 0;
  for (let count = 1; count <= MOST_CHOICES; count += 1) {
    const comparison = tokens.slice(count * 4 - 3, count * 4);
    const end = tokens[count * 4]?.text;
    if (!choices.includes(comparison[0]?.text ?? '') || !isComparison(filter, comparison)) return 0;
    if (end === ')') return count > 1 ? count * 4 + 1 : 0;
    if (end !== '||') return 0;
  }
  return 0;
}

function isComparison(fields: AllowedQuery['filter'], [field, operator, value]: Token[]): boolean {
  if (field?.kind !== 'field' || operator?.kind !== 'symbol' || value?.kind !== 'value') return false;
  // A `%` would be a wildcard, and many of them make one comparison slow.
  if (operator.text === '~' && value.text.includes('%')) return false;
  return operatorsOf(fields, field.text).includes(operator.text);
}

const operatorsOf = (fields: AllowedQuery['filter'], name: string) =>
  (Object.hasOwn(fields, name) && fields[name]) || [];

const shapeOf = (tokens: Token[]) =>
  tokens.map(({ kind, text }) => (kind === 'value' ? '?' : text)).join(' ');

/** The tokens of a filter; none if a part of it isn't a token. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const token = new RegExp(TOKEN);
  while (token.lastIndex < text.length) {
    const [, field, value, symbol] = token.exec(text) ?? [];
    if (field) tokens.push({ kind: 'field', text: field });
    else if (value) tokens.push({ kind: 'value', text: value });
    else if (symbol) tokens.push({ kind: 'symbol', text: symbol });
    else return [];
  }
  return tokens;
}
