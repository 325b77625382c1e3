import { useState } from 'react';
import { Chip, PullRow, PullRowSkeleton } from '../../../components/pull-row.tsx';
import { Ago, Skeleton } from '../../../components/text.tsx';
import { useFilters } from '../../../lib/react/use-filters.ts';
import { useFollowInbox, useInbox } from '../../../lib/react/use-inbox.ts';
import type { Organization } from '../../../lib/session/user.ts';
import { ListCard } from '../list/list-card.tsx';
import { useAnsweredList } from '../list/use-list.ts';
import { organizationPage } from '../organization-page.tsx';
import { ApprovalTimes } from './approval-times.tsx';
import { FILTERS, PullControls } from './pull-controls.tsx';

const TITLE = 'Pull requests';

/** `/org/pulls`: the open pull requests without an approval, longest waiting first; for owners. */
export const PullsPage = organizationPage(TITLE, Pulls);

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
      empty="New ones appear here."
    >
      <ul>
        {answer ? (
          answer.pulls.map((pull) => (
            <PullRow
              key={pull.approval}
              pull={pull}
              name={`${pull.repo} #${pull.pr}`}
              chips={pull.missing.map((sentence) => (
                <Chip key={sentence} title={sentence}>
                  {sentence}
                </Chip>
              ))}
            />
          ))
        ) : (
          <PullRowSkeleton />
        )}
      </ul>
    </ListCard>
  );
}

/** The newest number of rows without a search; null until it was seen. */
function useAll(total: number | null): number | null {
  const [all, setAll] = useState(total);
  if (total !== null && total !== all) setAll(total);
  return total ?? all;
}
