import { useState } from 'react';
import type {
  MemberState,
  OrganizationAnswer,
  OrganizationMembersAnswer,
} from '../../../../../src/contract/organization.ts';
import { SecondaryButton } from '../../../components/controls.tsx';
import { loadFailure } from '../../../components/load-failure.tsx';
import { Ago, SkeletonLine } from '../../../components/text.tsx';
import { useAnswer } from '../../../lib/use-client.ts';
import type { Organization } from '../../../lib/user.ts';
import { countText, inBrackets, ListCard } from '../list/list-card.tsx';
import { ListControls } from '../list/list-controls.tsx';
import { useList } from '../list/use-list.ts';
import { useListQuery } from '../list/use-list-query.ts';
import { organizationPage } from '../organization-page.tsx';
import { MemberTable } from './member-table.tsx';
import { ONLY_SIGNED_IN } from './member-texts.ts';
import { RemindAll } from './remind-all.tsx';

const TITLE = 'Members';
const STATES = ['all', 'missing', 'one', 'pending'] as const satisfies MemberState[];
/** `/org/members`: the members of an organization and what each has registered; for owners. */
export const MembersPage = organizationPage(TITLE, Members);

function Members({ organization }: { organization: Organization }) {
  const { orgId: orgID } = organization;
  const query = useListQuery<MemberState>(STATES);
  const { search, state } = query;
  const { loaded, reload } = useAnswer<OrganizationAnswer>('/organization', { orgID });
  const counts = loaded.status === 'ok' ? loaded.value.members : null;
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
        // If the list failed too, its banner says why.
        !list.failure && (
          <>
            {loadFailure(loaded, reload, "We couldn't count the members to remind.")}
            {loaded.status === 'failed' || <Source answer={loaded.status === 'ok' ? loaded.value : null} />}
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
      controls={<ListControls query={query} label="Search members" choices={choicesOf(counts)} />}
    >
      {counts && isReminding && (
        <RemindAll organization={organization} members={counts} onSent={list.reload} />
      )}
      <MemberTable list={list} organization={organization} isFiltered={isFiltered} />
    </ListCard>
  );
}

/** Says where the list comes from, and how old it is. */
function Source({ answer }: { answer: OrganizationAnswer | null }) {
  if (!answer) return <SkeletonLine className="quiet" like="Updated from GitHub 3 minutes ago" />;
  const { accountType, members } = answer;
  if (members?.asOf)
    return (
      <p className="quiet">
        Updated from GitHub <Ago at={members.asOf} />
      </p>
    );
  return (
    <p className="quiet">
      {accountType === 'User' ? ONLY_SIGNED_IN : 'OTP Guard is reading the list of members from GitHub.'}
    </p>
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
