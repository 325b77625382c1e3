import {
  type AuthenticatorType,
  authenticatorKinds,
} from '../../../../../src/contract/authenticator-kinds.ts';
import { searched } from '../log/filters.ts';

/** Limits the list; an empty filter matches everything. */
export type AuthenticatorFilters = {
  /** A part of a label, or of a member's login. */
  search: string;
  type: AuthenticatorType | '';
};

/** Reads the filters from the query string; an unknown type counts as none. */
export function readFilters(query: string): AuthenticatorFilters {
  const params = new URLSearchParams(query);
  const type = params.get('type') ?? '';
  return { search: searched(params.get('search') ?? ''), type: isType(type) ? type : '' };
}

const isType = (type: string): type is AuthenticatorType => Object.hasOwn(authenticatorKinds, type);

/** The filters as changes to the query string, which then begins at the newest authenticator. */
export const filtersQuery = ({ search, type }: AuthenticatorFilters) => ({
  search: search || null,
  type: type || null,
  before: null,
});
