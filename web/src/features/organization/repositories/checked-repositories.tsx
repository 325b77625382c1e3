import { useCallback, useEffect, useRef } from 'react';
import type {
  OrganizationRepositoriesAnswer,
  RepositoryCounts,
  RepositoryState,
} from '../../../../../src/contract/organization-health.ts';
import { GithubLink } from '../../../components/github-link.tsx';
import { useClient, useUser } from '../../../lib/use-client.ts';
import type { Organization } from '../../../lib/user.ts';
import { countText, inBrackets } from '../list/count-text.ts';
import { ListCard } from '../list/list-card.tsx';
import { ListControls } from '../list/list-controls.tsx';
import { ListPages } from '../list/list-pages.tsx';
import { useList } from '../list/use-list.ts';
import { useListQuery } from '../list/use-list-query.ts';
import { useOrganizationAnswer } from '../use-organization-answer.ts';
import styles from './repositories.module.css';
import { RepositoryTable } from './repository-table.tsx';
import { settingsUrl } from './settings-url.ts';
import { useRefreshWhile } from './use-refresh-while.ts';

const STATES = [
  'all',
  'notEnforced',
  'anySource',
  'unknown',
  'protected',
] as const satisfies RepositoryState[];

type Props = { title: string; organization: Organization; onRefused: () => void };

/** Whether the default branch of each repository requires the check, as we last saw it. */
export function CheckedRepositories({ title, organization, onRefused }: Props) {
  const { api } = useClient();
  const { orgId: orgID, name } = organization;
  const query = useListQuery<RepositoryState>(STATES);
  const { search, state } = query;
  const list = useList(
    useCallback(
      (after) =>
        api.post<OrganizationRepositoriesAnswer>('/organization-repositories', {
          orgID,
          state,
          search,
          after,
        }),
      [api, orgID, state, search],
    ),
  );
  useRefreshWhile((list.answer?.counts.unchecked ?? 0) > 0, list.refresh);
  const refused = useRef(onRefused);
  const isRefused = list.failure?.code === 'notOwner' || list.failure?.code === 'notMember';
  useEffect(() => {
    if (isRefused) refused.current();
  }, [isRefused]);
  const { answer } = list;
  const isFiltered = search !== '' || state !== 'all';
  return (
    <ListCard
      title={title}
      list={list}
      count={
        answer &&
        countText(['repository', 'repositories'], {
          matches: answer.matches,
          all: answer.counts.total,
          isFiltered,
        }) + uncheckedText(answer.counts)
      }
      intro={<Share organization={organization} counts={answer?.counts ?? null} />}
      controls={
        <ListControls query={query} label="Search repositories" choices={choicesOf(answer?.counts)} />
      }
    >
      {answer?.counts.total !== 0 && (
        <ListPages list={list} shown={answer?.repositories.length ?? 0} total={answer?.matches ?? 0}>
          {answer?.matches === 0 ? (
            <p>Change the search or the filter.</p>
          ) : (
            <RepositoryTable owner={name} repositories={answer?.repositories ?? null} />
          )}
        </ListPages>
      )}
    </ListCard>
  );
}

const SHARED = { all: 'All Repositories Shared', selected: 'Selected repositories are shared.' };

/** Says which repositories GitHub shares with the App. */
function Share({ organization, counts }: { organization: Organization; counts: RepositoryCounts | null }) {
  const { config } = useClient();
  const { username } = useUser();
  const { installationId, name } = organization;
  const selection = useOrganizationAnswer(organization.orgId)?.installation.repositorySelection;
  return (
    <p className={styles.share}>
      {counts?.total !== 0 && selection && SHARED[selection]}
      <GithubLink className={styles.link} href={settingsUrl(config, String(installationId), name, username)}>
        {counts?.total === 0 ? 'Connect your first repository with GitHub' : 'Change on GitHub'}
      </GithubLink>
    </p>
  );
}

const uncheckedText = ({ total, unchecked }: RepositoryCounts) =>
  unchecked > 0 ? `; ${total - unchecked} of ${total} checked so far` : '';

const choicesOf = (counts?: RepositoryCounts): { state: RepositoryState; text: string }[] => [
  { state: 'all', text: `All${inBrackets(counts?.total)}` },
  { state: 'notEnforced', text: `Not enforced${inBrackets(counts?.notEnforced)}` },
  { state: 'anySource', text: `Any source${inBrackets(counts?.anySource)}` },
  { state: 'unknown', text: `Can't tell${inBrackets(counts?.unknown)}` },
  { state: 'protected', text: `Protected${inBrackets(counts?.protected)}` },
];
