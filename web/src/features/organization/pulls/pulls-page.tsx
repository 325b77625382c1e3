import { useState } from 'react';
import type { WaitingPull } from '../../../../../src/contract/organization.ts';
import { type Column, Table } from '../../../components/table.tsx';
import { Ago, Skeleton } from '../../../components/text.tsx';
import { useFilters } from '../../../lib/react/use-filters.ts';
import { useFollowInbox, useInbox } from '../../../lib/react/use-inbox.ts';
import type { Organization } from '../../../lib/session/user.ts';
import { ListCard } from '../list/list-card.tsx';
import { useAnsweredList } from '../list/use-list.ts';
import { organizationPage } from '../organization-page.tsx';
import { ApprovalTimes } from './approval-times.tsx';
import { FILTERS, PullControls } from './pull-controls.tsx';
import { ApproveLink, PullTitle } from './pull-parts.tsx';

const TITLE = 'Pull requests';

/** `/org/pulls`: the open pull requests without an approval, longest waiting first; for owners. */
export const PullsPage = organizationPage(TITLE, Pulls);

const COLUMNS: Column<WaitingPull>[] = [
  {
    name: 'Pull request',
    cell: (pull) => <PullTitle pull={pull} />,
    like: 'What a pull request is about, and where it is',
  },
  {
    name: 'Missing',
    cell: ({ missing }) => <Missing sentences={missing} />,
    like: '1 approval from any member.',
  },
  { name: 'Action', cell: (pull) => <ApproveLink pull={pull} />, like: 'Approve' },
];

const Missing = ({ sentences }: { sentences: string[] }) => (
  <ul className="quiet">
    {sentences.map((sentence) => (
      <li key={sentence}>{sentence}</li>
    ))}
  </ul>
);

function Pulls({ organization: { orgId: orgID, role } }: { organization: Organization }) {
  const { filters, apply } = useFilters(FILTERS);
  const { search, repository, rule, age } = filters;
  const list = useAnsweredList('/organization-pulls', {
    ...{ orgID, search, age },
    ...(repository && { repo: repository }),
    ...(rule !== null && { rule }),
  });
  const { answer } = list;
  const isFiltered = FILTERS.isFiltered(filters);
  const all = useAll(answer && !isFiltered ? answer.total : null);
  // Its answers also bring the age up to date.
  useInbox();
  useFollowInbox(list.refresh);
  return (
    <ListCard
      title={TITLE}
      list={list}
      nouns={['waiting pull request', 'waiting pull requests']}
      matches={answer?.total}
      all={all}
      isFiltered={isFiltered}
      intro={
        <>
          {role === 'admin' && !list.failure && <ApprovalTimes orgID={orgID} />}
          <p className="quiet">Counted {answer ? <Ago at={answer.asOf} /> : <Skeleton like="just now" />}</p>
        </>
      }
      controls={
        <PullControls orgID={orgID} filters={filters} apply={apply} isFailed={list.failure !== null} />
      }
      shown={answer?.pulls.length}
    >
      {answer?.total === 0 ? (
        <p>{isFiltered ? 'Change the search or the filters.' : 'New ones appear here.'}</p>
      ) : (
        <Table columns={COLUMNS} items={answer?.pulls ?? null} keyOf={({ repo, pr }) => `${repo} ${pr}`} />
      )}
    </ListCard>
  );
}

/** The newest number of rows without a search; null until it was seen. */
function useAll(total: number | null): number | null {
  const [all, setAll] = useState(total);
  if (total !== null && total !== all) setAll(total);
  return total ?? all;
}
