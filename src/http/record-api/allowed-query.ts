import type { AllowedQuery } from '../../contract/record-queries.ts';
import { isAllowedFilter } from './allowed-filter.ts';

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
