import { useEffect, useRef } from 'react';
import type {
  CheckedRepository,
  CheckRequirement,
  OrganizationRepositoriesAnswer,
  RepositoryCounts,
  RepositoryState,
} from '../../../../../src/contract/organization-health.ts';
import { GithubLink } from '../../../components/controls.tsx';
import { ListPages } from '../../../components/list-pages.tsx';
import { type Column, Table } from '../../../components/table.tsx';
import { Ago, Label } from '../../../components/text.tsx';
import type { Config } from '../../../lib/config.ts';
import { useClient, useUser } from '../../../lib/use-client.ts';
import type { Organization } from '../../../lib/user.ts';
import { countText, inBrackets, ListCard } from '../list/list-card.tsx';
import { ListControls } from '../list/list-controls.tsx';
import { useList, useOrganizationAnswer } from '../list/use-list.ts';
import { useListQuery } from '../list/use-list-query.ts';
import { type Status, StatusRow } from '../status-row.tsx';
import { BypassVerdict, bypassDetails } from './bypass-cells.tsx';
import styles from './repositories.module.css';
import { useRefreshWhile } from './use-refresh-while.ts';

const STATES = [
  'all',
  'notEnforced',
  'anySource',
  'unknown',
  'bypass',
  'bypassUnknown',
  'protected',
] as const satisfies RepositoryState[];

type Props = { title: string; organization: Organization; onRefused: () => void };

/** Whether the default branch of each repository requires the check, as we last saw it. */
export function CheckedRepositories({ title, organization, onRefused }: Props) {
  const { orgId: orgID, name } = organization;
  const query = useListQuery<RepositoryState>(STATES);
  const { search, state } = query;
  const list = useList<OrganizationRepositoriesAnswer>('/organization-repositories', {
    orgID,
    state,
    search,
  });
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
    <p className="links target">
      {counts?.total !== 0 && selection && SHARED[selection]}
      <GithubLink
        className={`target ${styles.link}`}
        href={settingsUrl(config, String(installationId), name, username)}
      >
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
  { state: 'bypass', text: `Somebody may bypass${inBrackets(counts?.bypass.some)}` },
  { state: 'bypassUnknown', text: `Can't tell who may bypass${inBrackets(counts?.bypass.unknown)}` },
  { state: 'protected', text: `Protected${inBrackets(counts?.protected)}` },
];

type RepositoryTableProps = {
  owner: string;
  /** Null while they load. */
  repositories: CheckedRepository[] | null;
};

/** A page of repositories with the verdict on each, and below it who may go around the check. Only the first one of each kind has the advice. */
const RepositoryTable = ({ owner, repositories }: RepositoryTableProps) => (
  <Table
    className={styles.repositories}
    columns={columnsOf(owner, repositories ?? [])}
    items={repositories}
    keyOf={({ name }) => name}
    below={(repository) => bypassDetails(owner, repository)}
  />
);

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
  const { text, advice } = REQUIREMENT_TEXTS[required];
  return (
    <StatusRow status={REQUIREMENT_STATUS[required]}>
      <p>
        {text} on <code dir="auto">{defaultBranch}</code>
      </p>
      {isFirst && advice && <p className="quiet">{advice}</p>}
    </StatusRow>
  );
}

const REQUIREMENT_STATUS: Record<CheckRequirement, Status> = {
  thisApp: 'good',
  anySource: 'wrong',
  no: 'wrong',
  unknown: 'unknown',
};

type RequirementTexts = {
  /** Reads on with "on {branch}". */
  text: string;
  /** Why it matters and what to do; empty if there is nothing to do. */
  advice: string;
  /** The text of the link to the branch's rules. */
  action: string;
};

/** Whether a default branch requires the check. */
const REQUIREMENT_TEXTS: Record<CheckRequirement, RequirementTexts> = {
  thisApp: { text: 'Required from OTP Guard', advice: '', action: '' },
  anySource: {
    text: 'Required from any source',
    advice: 'Anyone who can write checks can report it. Choose the OTP Guard App as its source.',
    action: 'Set its source',
  },
  no: {
    text: 'Not required',
    advice: "Merges don't wait for it. The overview has a ruleset file that requires it.",
    action: 'Require it',
  },
  unknown: {
    text: "Can't be checked",
    advice:
      "The App isn't allowed to read branch protection. Look at the rules yourself, require the check in a ruleset, or grant the App “Administration: read”.",
    action: 'View rules',
  },
};

/**
 * GitHub's page on which an owner chooses the repositories of an installation. For a personal account, whose name is
 * the login of the person, GitHub has a different page.
 */
export function settingsUrl(
  { github }: Pick<Config, 'github'>,
  installation: string,
  owner: string,
  login: string,
): string {
  const settings = `settings/installations/${encodeURIComponent(installation)}`;
  if (!owner || owner.toLowerCase() === login.toLowerCase()) return `${github}/${settings}`;
  return `${github}/organizations/${encodeURIComponent(owner)}/${settings}`;
}
