import type { CheckedRepository, CheckRequirement } from '../../../../../src/contract/organization-health.ts';
import { GithubLink } from '../../../components/github-link.tsx';
import { Label } from '../../../components/label.tsx';
import { Ago } from '../../../components/time.tsx';
import { useClient } from '../../../lib/use-client.ts';
import { type Column, ListTable } from '../list/list-table.tsx';
import type { Status } from '../status.ts';
import { StatusRow } from '../status-row.tsx';
import styles from './repositories.module.css';

type Props = {
  owner: string;
  /** Null while they load. */
  repositories: CheckedRepository[] | null;
};

/** A page of repositories with the verdict on each. Only the first one of each kind has the advice. */
export const RepositoryTable = ({ owner, repositories }: Props) => (
  <ListTable columns={columnsOf(owner, repositories ?? [])} items={repositories} keyOf={({ name }) => name} />
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
    name: 'Checked',
    cell: ({ checked }) => (checked ? <Ago at={checked} /> : <span className={styles.marks}>Not yet</span>),
    like: '3 hours ago',
  },
  {
    name: 'Action',
    cell: ({ name, required, checked, rulesUrl }) => {
      const { action } = REQUIREMENT_TEXTS[required];
      return checked && action ? (
        <GithubLink className={styles.link} href={rulesUrl} newTab>
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
      className={styles.link}
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
      {isFirst && advice && <p className={styles.marks}>{advice}</p>}
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
