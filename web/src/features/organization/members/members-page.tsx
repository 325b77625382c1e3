import { useState } from 'react';
import type { MemberState, OrganizationAnswer } from '../../../../../src/contract/organization.ts';
import { SecondaryButton } from '../../../components/controls.tsx';
import { loadFailure } from '../../../components/load-failure.tsx';
import { SkeletonLine } from '../../../components/text.tsx';
import { useAnswer } from '../../../lib/react/queries.ts';
import { filtersOf, oneOf, searchText, useFilters } from '../../../lib/react/use-filters.ts';
import type { Organization } from '../../../lib/session/user.ts';
import { inBrackets, ListCard } from '../list/list-card.tsx';
import { StateControls } from '../list/list-controls.tsx';
import { useAnsweredList } from '../list/use-list.ts';
import { organizationPage } from '../organization-page.tsx';
import { MemberTable } from './member-table.tsx';
import { READING } from './member-texts.ts';
import { MembersSource } from './members-source.tsx';
import { RemindAll } from './remind-all.tsx';

const TITLE = 'Members';
const FILTERS = filtersOf({
  search: searchText,
  state: oneOf<MemberState>(['all', 'missing', 'one', 'pending']),
});

/** `/org/members`: the members of an organization and what each has registered; for owners. */
export const MembersPage = organizationPage(TITLE, Members);

function Members({ organization }: { organization: Organization }) {
  const { orgId: orgID } = organization;
  const { filters, apply } = useFilters(FILTERS);
  const { loaded, reload } = useAnswer('/organization', { orgID });
  const counts = loaded.status === 'ok' ? loaded.value.members : null;
  const list = useAnsweredList('/organization-members', { orgID, ...filters });
  const { answer } = list;
  const [isReminding, setReminding] = useState(false);
  const without = counts ? counts.reachable + counts.unreachable : 0;
  return (
    <ListCard
      title={TITLE}
      list={list}
      nouns={['member', 'members']}
      matches={answer?.total}
      all={counts?.total}
      isFiltered={FILTERS.isFiltered(filters)}
      intro={
        // If the list failed too, its banner says why.
        !list.failure && (
          <>
            {loadFailure(loaded, reload, "We couldn't count the members to remind.")}
            {loaded.status === 'awaiting' && (
              <SkeletonLine
                className="quiet"
                like="37 of 302 have an authenticator. Updated from GitHub 3 minutes ago"
              />
            )}
            {loaded.status === 'ok' && <MembersSource answer={loaded.value} />}
          </>
        )
      }
      action={
        without > 0 && (
          <SecondaryButton aria-expanded={isReminding} onClick={() => setReminding(!isReminding)}>
            Remind {without === 1 ? '1 member' : `${without} members`} to register
          </SecondaryButton>
        )
      }
      controls={
        <StateControls filters={filters} apply={apply} label="Search members" choices={choicesOf(counts)} />
      }
      aboveRows={
        counts &&
        isReminding && <RemindAll organization={organization} members={counts} onSent={list.reload} />
      }
      shown={answer?.members.length}
      empty={READING}
    >
      <MemberTable members={answer?.members ?? null} organization={organization} />
    </ListCard>
  );
}

const choicesOf = (counts: OrganizationAnswer['members']): [MemberState, string][] => [
  ['all', `Everyone${inBrackets(counts?.total)}`],
  ['missing', `Without an authenticator${inBrackets(counts ? counts.total - counts.enrolled : undefined)}`],
  ['one', `With only one${inBrackets(counts?.one)}`],
  ['pending', `With a pending one${inBrackets(counts?.pending)}`],
];
