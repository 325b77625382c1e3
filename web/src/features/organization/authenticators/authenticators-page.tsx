import { useLocation } from 'react-router-dom';
import { authenticatorKinds } from '../../../../../src/contract/authenticator-kinds.ts';
import {
  AuthenticatorTable,
  addedColumn,
  authenticatorColumn,
  holderColumn,
  typeColumn,
} from '../../../components/authenticator-table.tsx';
import { ActionLink } from '../../../components/controls.tsx';
import { SelectField } from '../../../components/field.tsx';
import { JustDone } from '../../../components/just-done.tsx';
import { keepQuery } from '../../../lib/address/page-context.ts';
import { useRecordStore } from '../../../lib/react/record-store.ts';
import { useClient, useUser } from '../../../lib/react/use-client.ts';
import { useFilters } from '../../../lib/react/use-filters.ts';
import { type Organization, organizationQuery } from '../../../lib/session/user.ts';
import { ListCard } from '../list/list-card.tsx';
import { ListControls, SearchFilter } from '../list/list-controls.tsx';
import { useList } from '../list/use-list.ts';
import { organizationPage } from '../organization-page.tsx';
import { PageLinks } from '../page-links.tsx';
import { type AuthenticatorsPage, FILTERS, PAGE_SIZE, readPage } from './read-page.ts';

const TITLE = 'Authenticators';
const KINDS = Object.entries(authenticatorKinds).map(([type, { title }]) => [type, title] as const);
const WITHOUT_FILTERS = FILTERS.write(FILTERS.none);

/** `/org/authenticators`: the authenticators of all members for an owner; a member sees their own. */
export const OrganizationAuthenticatorsPage = organizationPage(TITLE, Authenticators);

function Authenticators({ organization }: { organization: Organization }) {
  const { pathname } = useLocation();
  const { filters, apply } = useFilters(FILTERS);
  const list = useAuthenticators(organization, filters);
  const isFiltered = FILTERS.isFiltered(filters);
  const query = organizationQuery(organization);
  // The pages linked from here lead back to this list as it is.
  const redirectURL = keepQuery(pathname, '', { ...query, ...FILTERS.write(filters) });
  const linkQuery = { ...query, ...WITHOUT_FILTERS, redirectURL };
  const { answer } = list;
  return (
    <ListCard
      title={TITLE}
      list={list}
      nouns={['authenticator', 'authenticators']}
      matches={answer?.matching}
      all={answer?.total}
      isFiltered={isFiltered}
      intro={
        <>
          <JustDone />
          {organization.role !== 'admin' && <p>Only owners see the authenticators of other members.</p>}
        </>
      }
      controls={
        <ListControls>
          <SearchFilter
            label="Person or label"
            placeholder="All"
            value={filters.search}
            onApply={(search) => apply({ search })}
          />
          <SelectField
            label="Type"
            value={filters.type}
            options={[['', 'All types'], ...KINDS]}
            onChoose={(type) => apply({ type })}
          />
        </ListControls>
      }
      action={
        isFiltered && <PageLinks links={[{ text: 'Clear filters', to: pathname, query: WITHOUT_FILTERS }]} />
      }
      aboveRows={
        answer?.areAllMembers === false && (
          <p>
            More than 20 members match “{filters.search}”. Type more to find the authenticators of all of
            them.
          </p>
        )
      }
      footer={
        <ActionLink to="/register" query={{ ...linkQuery, stepUp: null }}>
          Register New Authenticator
        </ActionLink>
      }
      shown={answer?.authenticators.length}
      empty={`${
        organization.role === 'admin'
          ? 'No one has an authenticator here yet.'
          : "You don't have an authenticator here yet."
      } Register one to approve pull requests.`}
      size={PAGE_SIZE}
    >
      <AuthenticatorTable
        columns={[typeColumn, authenticatorColumn(linkQuery), holderColumn, addedColumn]}
        authenticators={answer?.authenticators ?? null}
      />
    </ListCard>
  );
}

/** The authenticators that the filters match: of everybody for an owner, otherwise the person's own. */
function useAuthenticators({ id: org, orgId: orgID, role }: Organization, filters: typeof FILTERS.none) {
  const store = useRecordStore();
  const { api } = useClient();
  const { id } = useUser();
  return useList<AuthenticatorsPage>(['authenticators', org, role, filters], (before) => {
    const ask = () => api.post('/organization-authenticators', { orgID });
    const whose = role === 'admin' ? { holder: null, askNumbers: ask } : { holder: id, askNumbers: null };
    return readPage(store, { org, filters, before, ...whose });
  });
}
