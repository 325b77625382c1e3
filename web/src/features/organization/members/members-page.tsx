import { useState } from 'react';
import type {
  MemberState,
  OrganizationAnswer,
  OrganizationMembersAnswer,
} from '../../../../../src/contract/organization.ts';
import { SecondaryButton } from '../../../components/controls.tsx';
import { Ago } from '../../../components/text.tsx';
import type { Organization } from '../../../lib/user.ts';
import { countText, inBrackets, ListCard } from '../list/list-card.tsx';
import { ListControls } from '../list/list-controls.tsx';
import { useList, useOrganizationAnswer } from '../list/use-list.ts';
import { useListQuery } from '../list/use-list-query.ts';
import { organizationPage } from '../organization-page.tsx';
import { MemberTable } from './member-table.tsx';
import { RemindAll } from './remind-all.tsx';

const TITLE = 'Members';
const STATES = ['all', 'missing', 'one', 'pending'] as const satisfies MemberState[];
/** `/org/members`: the members of an organization and what each has registered; for owners. */
export const MembersPage = organizationPage(TITLE, Members);

function Members({ organization }: { organization: Organization }) {
  const { orgId: orgID } = organization;
  const query = useListQuery<MemberState>(STATES);
  const { search, state } = query;
  const counts = useOrganizationAnswer(orgID)?.members ?? null;
  const list = useList<OrganizationMembersAnswer>('/organization-members', { orgID, state, search });
  const { answer } = list;
  const isFiltered = search !== '' || state !== 'all';
  const [isReminding, setReminding] = useState(false);
  const without = counts ? counts.reachable + counts.unreachable : 0;
  return (
    <ListCard
      title={TITLE}
      list={list}
      count={
        answer &&
        countText(['member', 'members'], { matches: answer.total, all: counts?.total ?? null, isFiltered })
      }
      intro={
        <p className="quiet">
          {counts?.asOf ? (
            <>
              Updated from GitHub <Ago at={counts.asOf} />
            </>
          ) : (
            'As GitHub lists them'
          )}
        </p>
      }
      action={
        without > 0 && (
          <SecondaryButton aria-expanded={isReminding} onClick={() => setReminding(!isReminding)}>
            Remind {without === 1 ? '1 member' : `${without} members`} to register
          </SecondaryButton>
        )
      }
      controls={<ListControls query={query} label="Search members" choices={choicesOf(counts)} />}
    >
      {counts && isReminding && (
        <RemindAll organization={organization} members={counts} onSent={list.reload} />
      )}
      <MemberTable list={list} organization={organization} isFiltered={isFiltered} />
    </ListCard>
  );
}

const choicesOf = (counts: OrganizationAnswer['members']): { state: MemberState; text: string }[] => [
  { state: 'all', text: `Everyone${inBrackets(counts?.total)}` },
  {
    state: 'missing',
    text: `Without an authenticator${inBrackets(counts ? counts.total - counts.enrolled : undefined)}`,
  },
  { state: 'one', text: `With only one${inBrackets(counts?.one)}` },
  { state: 'pending', text: `Waiting for confirmation${inBrackets(counts?.pending)}` },
];
