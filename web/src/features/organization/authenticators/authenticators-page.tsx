import { type FormEvent, useCallback, useMemo, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { authenticatorKinds } from '../../../../../src/contract/authenticator-kinds.ts';
import type { OrganizationAuthenticatorsAnswer } from '../../../../../src/contract/organization.ts';
import {
  AuthenticatorTable,
  addedColumn,
  authenticatorColumn,
  holderColumn,
  typeColumn,
} from '../../../components/authenticator-table.tsx';
import { Card } from '../../../components/card.tsx';
import { ActionLink, InternalLink } from '../../../components/controls.tsx';
import { NameField, SelectField } from '../../../components/field.tsx';
import { JustDone } from '../../../components/just-done.tsx';
import list from '../../../components/list.module.css';
import { loadFailure } from '../../../components/load-failure.tsx';
import { keepQuery } from '../../../lib/page-context.ts';
import { useRecordStore } from '../../../lib/record-store.ts';
import { useClient, useLoaded, useUser } from '../../../lib/use-client.ts';
import { useFilters } from '../../../lib/use-filters.ts';
import { useTyped } from '../../../lib/use-typed.ts';
import { type Organization, organizationQuery } from '../../../lib/user.ts';
import { countText } from '../list/list-card.tsx';
import { LONGEST_NAME } from '../log/filters.ts';
import { organizationPage } from '../organization-page.tsx';
import { positionText, readPosition } from '../position.ts';
import styles from './authenticators.module.css';
import {
  type AuthenticatorFilters,
  type AuthenticatorsPage,
  filtersQuery,
  readFilters,
  readPage,
} from './read-page.ts';

const TITLE = 'Authenticators';
const FILTERS = { read: readFilters, write: filtersQuery };

/** `/org/authenticators`: the authenticators of all members for an owner; a member sees their own. */
export const OrganizationAuthenticatorsPage = organizationPage(TITLE, Authenticators);

function Authenticators({ organization }: { organization: Organization }) {
  const { search } = useLocation();
  const { filters, apply } = useFilters(FILTERS);
  const { loaded, shown, reload } = useAuthenticators(organization, search, filters);
  const linkQuery = useLinkQuery(organization);
  const isOwner = organization.role === 'admin';
  return (
    <Card title={TITLE} wide busy={loaded.status === 'awaiting'} banner={loadFailure(loaded, reload)}>
      <JustDone />
      {!isOwner && <p>Only owners see the authenticators of other members.</p>}
      <FilterForm filters={filters} onChange={apply} />
      <State shown={shown} filters={filters} />
      <List organization={organization} shown={shown} isLoading={loaded.status === 'awaiting'} />
      {shown && <Pages {...shown} />}
      <ActionLink to="/register" query={{ ...linkQuery, stepUp: null }}>
        Register New Authenticator
      </ActionLink>
    </Card>
  );
}

/** The pages linked from here lead back to this list as it is. */
function useLinkQuery(organization: Organization): Record<string, string | null> {
  const { pathname, search } = useLocation();
  const query = organizationQuery(organization);
  const place = readPosition(search);
  const list = { ...filtersQuery(readFilters(search)), before: place && positionText(place) };
  return { ...query, ...filtersQuery(NONE), redirectURL: keepQuery(pathname, '', { ...query, ...list }) };
}

const NONE: AuthenticatorFilters = { search: '', type: '' };

/** The page of the list that the address names. While another one loads, `shown` is the last one. */
function useAuthenticators(
  { id: org, orgId: orgID, role }: Organization,
  query: string,
  filters: AuthenticatorFilters,
) {
  const store = useRecordStore();
  const { api } = useClient();
  const { id } = useUser();
  const { search, type } = filters;
  const before = useMemo(() => readPosition(query), [query]);
  const { loaded, reload } = useLoaded(
    useCallback(() => {
      const ask = () => api.post<OrganizationAuthenticatorsAnswer>('/organization-authenticators', { orgID });
      const whose = role === 'admin' ? { holder: null, askNumbers: ask } : { holder: id, askNumbers: null };
      return readPage(store, { org, filters: { search, type }, before, ...whose });
    }, [store, api, id, org, orgID, role, search, type, before]),
  );
  const last = useRef<AuthenticatorsPage | null>(null);
  if (loaded.status !== 'awaiting') last.current = loaded.status === 'ok' ? loaded.value : null;
  return { loaded, reload, shown: last.current };
}

type StateProps = { shown: AuthenticatorsPage | null; filters: AuthenticatorFilters };

function State({ shown, filters: { search, type } }: StateProps) {
  const { pathname } = useLocation();
  return (
    <>
      <p className={`links ${styles.state}`}>
        <span role="status">{shown && countOf(shown)}</span>
        {(search || type) && (
          <InternalLink to={pathname} query={filtersQuery(NONE)}>
            Clear filters
          </InternalLink>
        )}
      </p>
      {shown?.areAllMembers === false && (
        <p>More than 20 members match “{search}”. Type more to find the authenticators of all of them.</p>
      )}
    </>
  );
}

/** `37 of 302 authenticators` */
const countOf = ({ matching, total }: AuthenticatorsPage) =>
  countText(['authenticator', 'authenticators'], {
    matches: matching,
    all: total,
    isFiltered: matching !== total,
  });

type ListProps = { organization: Organization; shown: AuthenticatorsPage | null; isLoading: boolean };

function List({ organization, shown, isLoading }: ListProps) {
  const columns = [typeColumn, authenticatorColumn(useLinkQuery(organization)), holderColumn, addedColumn];
  if (!shown) return isLoading ? <AuthenticatorTable columns={columns} authenticators={null} /> : null;
  const { authenticators, total } = shown;
  if (authenticators.length > 0)
    return <AuthenticatorTable columns={columns} authenticators={authenticators} />;
  if (total > 0) return <p>No authenticator matches. Change or clear the filters.</p>;
  return (
    <p>
      {organization.role === 'admin'
        ? 'No one has an authenticator here yet.'
        : "You don't have an authenticator here yet."}{' '}
      Register one to approve pull requests.
    </p>
  );
}

function Pages({ authenticators, hasOlder }: AuthenticatorsPage) {
  const { pathname, search } = useLocation();
  const last = authenticators.at(-1);
  const isLater = readPosition(search) !== null;
  if (!isLater && !hasOlder) return null;
  return (
    <nav className={`links ${styles.state}`} aria-label="Pages">
      {isLater && (
        <InternalLink to={pathname} query={{ before: null }}>
          Newest
        </InternalLink>
      )}
      {hasOlder && last && (
        <InternalLink to={pathname} query={{ before: positionText({ at: last.created, id: last.id }) }}>
          Older
        </InternalLink>
      )}
    </nav>
  );
}

type Props = {
  filters: AuthenticatorFilters;
  /** `isTyping` as for `useTyped`. */
  onChange: (filters: AuthenticatorFilters, isTyping: boolean) => void;
};

const KINDS = Object.entries(authenticatorKinds).map(([type, { title }]) => [type, title] as const);

/** Searches the list while a person types, and limits it to one kind. */
function FilterForm({ filters, onChange }: Props) {
  const search = useTyped(filters.search, (value, isTyping) =>
    onChange({ ...filters, search: value }, isTyping),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search.settle();
  };
  return (
    <form className={list.controls} onSubmit={submit} aria-label="Filters of the authenticators">
      <NameField label="Person or label" placeholder="All" maxLength={LONGEST_NAME} {...search.input} />
      <SelectField
        label="Kind"
        value={filters.type}
        options={[['', 'All kinds'], ...KINDS]}
        onChoose={(type) => onChange({ ...filters, type }, false)}
      />
    </form>
  );
}
