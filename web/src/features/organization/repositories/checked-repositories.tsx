import type { ReactNode } from 'react';
import type { RepositoryCounts } from '../../../../../src/contract/findings.ts';
import type {
  CheckedRepository,
  CheckRequirement,
  RepositoryState,
} from '../../../../../src/contract/organization-health.ts';
import { GithubLink } from '../../../components/controls.tsx';
import { type Column, Table } from '../../../components/table.tsx';
import { Ago, Label } from '../../../components/text.tsx';
import { useClient } from '../../../lib/react/use-client.ts';
import { filtersOf, oneOf, searchText, useFilters } from '../../../lib/react/use-filters.ts';
import type { Organization } from '../../../lib/session/user.ts';
import { inBrackets, ListCard } from '../list/list-card.tsx';
import { StateControls } from '../list/list-controls.tsx';
import { useAnsweredList, useOrganizationAnswer } from '../list/use-list.ts';
import { StatusRow } from '../status-row.tsx';
import { BypassVerdict, bypassDetails } from './bypass-cells.tsx';
import { environmentDetails } from './environments.tsx';
import { ReadBypass } from './read-bypass.tsx';
import styles from './repositories.module.css';
import { REQUIREMENT_TEXTS } from './requirement-texts.ts';
import { Share } from './share.tsx';

const FILTERS = filtersOf({
  search: searchText,
  state: oneOf<RepositoryState>([
    'all',
    'notEnforced',
    'anySource',
    'unknown',
    'bypass',
    'bypassUnknown',
    'protected',
  ]),
});

/** How often the page looks for repositories that were checked since. */
const POLL_MS = 10_000;

type Props = {
  title: string;
  organization: Organization;
  /** Shown if the server says that the person isn't an owner. */
  ifRefused: ReactNode;
};

/** Lists whether the default branch of each repository requires the check, as we last saw it. */
export function CheckedRepositories({ title, organization, ifRefused }: Props) {
  const { orgId: orgID, name, installationId } = organization;
  const { filters, apply } = useFilters(FILTERS);
  const list = useAnsweredList(
    '/organization-repositories',
    { orgID, ...filters },
    { refetchInterval: ({ state }) => (state.data?.counts.unchecked ? POLL_MS : false) },
  );
  const { answer, failure } = list;
  const selection = useOrganizationAnswer(orgID)?.installation.repositorySelection;
  if (failure?.code === 'notOwner' || failure?.code === 'notMember') return ifRefused;
  const isEmpty = answer?.counts.total === 0;
  return (
    <ListCard
      title={title}
      list={list}
      nouns={['repository', 'repositories']}
      matches={answer?.matches}
      all={answer?.counts.total}
      isFiltered={FILTERS.isFiltered(filters)}
      intro={
        <Share installation={String(installationId)} owner={name} selection={selection} isEmpty={isEmpty} />
      }
      controls={
        <StateControls
          filters={filters}
          apply={apply}
          label="Search repositories"
          choices={choicesOf(answer?.counts)}
        />
      }
      aboveRows={
        <>
          {answer && answer.counts.unchecked > 0 && <Progress counts={answer.counts} />}
          {filters.state === 'bypassUnknown' && (
            <ReadBypass
              organization={organization}
              repositories={answer?.repositories ?? []}
              onTaken={list.refresh}
            />
          )}
        </>
      }
      shown={answer?.repositories.length}
    >
      <RepositoryTable owner={name} repositories={answer?.repositories ?? null} />
    </ListCard>
  );
}

const Progress = ({ counts: { total, unchecked } }: { counts: RepositoryCounts }) => (
  <p className="quiet">
    {total - unchecked} of {total} checked so far
  </p>
);

const choicesOf = (counts?: RepositoryCounts): [RepositoryState, string][] => [
  ['all', `All${inBrackets(counts?.total)}`],
  ['notEnforced', `Not enforced${inBrackets(counts?.notEnforced)}`],
  ['anySource', `Any source${inBrackets(counts?.anySource)}`],
  ['unknown', `Can't tell${inBrackets(counts?.unknown)}`],
  ['bypass', `Can be bypassed${inBrackets(counts?.bypass.some)}`],
  ['bypassUnknown', `Bypass lists not readable yet${inBrackets(counts?.bypass.unknown)}`],
  ['protected', `Protected${inBrackets(counts?.protected)}`],
];

type RepositoryTableProps = {
  owner: string;
  /** Null while they load. */
  repositories: CheckedRepository[] | null;
};

/** A page of repositories with the verdict on each, and below it who may go around the check, and the environments. Only the first one of each kind has the advice. */
const RepositoryTable = ({ owner, repositories }: RepositoryTableProps) => (
  <Table
    className={styles.repositories}
    columns={columnsOf(owner, repositories ?? [])}
    items={repositories}
    keyOf={({ name }) => name}
    below={detailsOf}
  />
);

function detailsOf(repository: CheckedRepository) {
  const [bypass, environments] = [bypassDetails(repository), environmentDetails(repository)];
  if (!bypass && !environments) return null;
  return (
    <>
      {bypass}
      {environments}
    </>
  );
}

/** The first checked repository with this verdict. */
const firstOf = (repositories: CheckedRepository[], wanted: CheckRequirement) =>
  repositories.find(({ required, checked }) => checked !== null && required === wanted);

const columnsOf = (owner: string, all: CheckedRepository[]): Column<CheckedRepository>[] => [
  { name: 'Repository', cell: ({ name }) => <Name owner={owner} name={name} />, like: 'a-repository' },
  {
    name: 'Check',
    cell: (repository) => (
      <Verdict repository={repository} isFirst={firstOf(all, repository.required) === repository} />
    ),
    like: 'Required from OTP Guard on main',
  },
  {
    name: 'Bypass',
    cell: (repository) => <BypassVerdict repository={repository} />,
    like: '3 administrators',
  },
  {
    name: 'Checked',
    cell: ({ checked }) => (checked ? <Ago at={checked} /> : <span className="quiet">Not yet</span>),
    like: '3 hours ago',
  },
  {
    name: 'Action',
    cell: ({ name, required, checked, rulesUrl }) => {
      const { action } = REQUIREMENT_TEXTS[required];
      return checked && action ? (
        <GithubLink className={`target ${styles.link}`} href={rulesUrl} newTab>
          {action}
          <span className="visually-hidden"> of {name}</span>
        </GithubLink>
      ) : null;
    },
    like: 'View rules',
  },
];

function Name({ owner, name }: { owner: string; name: string }) {
  const { config } = useClient();
  return (
    <GithubLink
      className={`target ${styles.link}`}
      href={`${config.github}/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`}
    >
      <Label text={name} />
    </GithubLink>
  );
}

type VerdictProps = { repository: CheckedRepository; isFirst: boolean };

function Verdict({ repository: { required, checked, defaultBranch }, isFirst }: VerdictProps) {
  if (!checked) return <StatusRow status="unknown">Not checked yet</StatusRow>;
  const { status, text, advice } = REQUIREMENT_TEXTS[required];
  return (
    <StatusRow status={status}>
      <p>
        {text} on <code dir="auto">{defaultBranch}</code>
      </p>
      {isFirst && advice && <p className="quiet">{advice}</p>}
    </StatusRow>
  );
}
