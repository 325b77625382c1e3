import type { InboxAnswer, InboxTab } from '../../../../src/contract/inbox.ts';
import { InternalLink } from '../../components/controls.tsx';
import { SearchField, SelectField } from '../../components/field.tsx';
import { countIn, totalText } from '../../lib/react/use-inbox.ts';
import { useTyped } from '../../lib/react/use-typed.ts';
import styles from './inbox.module.css';
import { type InboxFilters, isFiltered, NO_FILTERS } from './inbox-query.ts';

/** A list up to this long needs no search. */
const FEW = 5;

/** The two tabs, each with its number. A search and filters belong to one of them. */
export function InboxTabs({ tab, answer }: { tab: InboxTab | null; answer: InboxAnswer | null }) {
  const tabs = [
    { name: 'Asked of you', value: 'for-you' },
    { name: 'Open to anyone', value: 'may-approve' },
  ] as const;
  return (
    <nav className={`row ${styles.tabs}`} aria-label="Inbox">
      {tabs.map(({ name, value }) => (
        <InternalLink
          key={value}
          className={`target ${styles.tab}`}
          to="/"
          query={{ ...NO_FILTERS, tab: value }}
          aria-current={tab === value ? 'page' : undefined}
        >
          {name} {answer && <span className="quiet">{totalText(countIn(answer, value).count)}</span>}
        </InternalLink>
      ))}
    </nav>
  );
}

type Props = {
  filters: InboxFilters;
  apply: (filters: Partial<InboxFilters>) => void;
  answer: Pick<InboxAnswer, 'repositories' | 'rules' | 'hasAgents'>;
  /** The number of the tab's rows without a search and filters. */
  count: number;
};

/** Search, filters and order; nothing while there are only a few pull requests. */
export function InboxControls({ filters, apply, answer, count }: Props) {
  const input = useTyped(filters.find, (find) => apply({ find }));
  if (count <= FEW && !isFiltered(filters) && filters.order === 'waiting') return null;
  const { in: repository, rule, agents, order } = filters;
  return (
    <search className={styles.controls}>
      <SearchField label="Search titles, repositories, authors" {...input} maxLength={100} />
      <Choice
        label="Repository"
        value={repository}
        choices={answer.repositories}
        onChoose={(repository) => apply({ in: repository })}
      />
      <Choice label="Rule" value={rule} choices={answer.rules} onChoose={(rule) => apply({ rule })} />
      {(answer.hasAgents || agents === 'only') && (
        <SelectField
          label="Agents"
          value={agents}
          options={[
            ['any', 'All'],
            ['only', 'Had a hand'],
          ]}
          onChoose={(agents) => apply({ agents })}
        />
      )}
      <SelectField
        label="Order"
        value={order}
        options={[
          ['waiting', 'Longest wait'],
          ['newest', 'Newest first'],
        ]}
        onChoose={(order) => apply({ order })}
      />
    </search>
  );
}

type ChoiceProps = {
  label: string;
  /** Empty without a choice. */
  value: string;
  choices: string[];
  onChoose: (value: string) => void;
};

/** A filter; nothing if there's nothing to choose. A choice from the address stays one, even if nothing has it now. */
function Choice({ label, value, choices, onChoose }: ChoiceProps) {
  if (choices.length < 2 && !value) return null;
  const known = choices.includes(value) || !value ? choices : [value, ...choices];
  const options = [['', 'All'], ...known.map((name) => [name, name] as const)] as const;
  return <SelectField label={label} value={value} options={options} onChoose={onChoose} />;
}
