/** The parameters that one request to the record store may have. Everything else is 404. */
export type AllowedQuery = {
  /** The fields that a filter may compare, each with its operators. */
  filter: Record<string, readonly string[]>;
  /** The fields of `filter` that may be joined with `||`. */
  choices: readonly string[];
  /** The keys of a sort, each at most once, in either direction. */
  sort: readonly string[];
  expand: readonly string[];
  fields: readonly string[];
};

export const NO_QUERY: AllowedQuery = { filter: {}, choices: [], sort: [], expand: [], fields: [] };
