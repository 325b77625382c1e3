import type { PullAge } from '../../../../../src/contract/organization.ts';
import type { RollOutAnswer } from '../../../../../src/contract/roll-out.ts';
import { SelectField } from '../../../components/field.tsx';
import { loadFailure } from '../../../components/load-failure.tsx';
import { useAnswer } from '../../../lib/react/queries.ts';
import { filtersOf, oneOf, searchText } from '../../../lib/react/use-filters.ts';
import { ListControls, SearchFilter } from '../list/list-controls.tsx';

const AGES: Record<PullAge, string> = {
  any: 'Any time',
  day: 'A day or longer',
  week: 'A week or longer',
  month: '30 days or longer',
};

/** The filters of the waiting pull requests. */
export const FILTERS = filtersOf({
  search: searchText,
  /** Empty for all of them. */
  repository: searchText,
  /** The name of a rule, empty for the one approval of a member; null for any. */
  rule: (text) => text && searchText(text),
  age: oneOf<PullAge>(['any', 'day', 'week', 'month']),
});

type PullFilters = typeof FILTERS.none;

type Props = {
  orgID: number;
  filters: PullFilters;
  apply: (part: Partial<PullFilters>) => void;
  /** True if the list says already that it failed. */
  isFailed: boolean;
};

/** The search and the filters of the waiting pull requests. What they can be filtered by loads later. */
export function PullControls({ orgID, filters, apply, isFailed }: Props) {
  const { loaded, reload } = useAnswer('/organization-roll-out', { orgID });
  const { repositories, rules } = loaded.status === 'ok' ? loaded.value : NOTHING;
  return (
    <>
      <ListControls>
        <SearchFilter
          label="Search titles, repositories, authors"
          value={filters.search}
          onApply={(search) => apply({ search })}
        />
        <Choice
          label="Repository"
          all="All repositories"
          chosen={filters.repository || null}
          choices={repositories.map(({ name, waiting }) => ({ value: name, text: `${name} (${waiting})` }))}
          onChoose={(repository) => apply({ repository: repository ?? '' })}
        />
        <Choice
          label="Missing"
          all="Any rule"
          chosen={filters.rule}
          choices={rules.map(({ name, waiting }) => ({
            value: name,
            text: `${ruleText(name)} (${waiting})`,
          }))}
          onChoose={(rule) => apply({ rule })}
        />
        <SelectField
          label="Waiting for"
          value={filters.age}
          options={Object.entries(AGES)}
          onChoose={(age) => apply({ age })}
        />
      </ListControls>
      {!isFailed && loadFailure(loaded, reload, "We couldn't load the repositories and rules to filter by.")}
    </>
  );
}

const NOTHING: Pick<RollOutAnswer, 'repositories' | 'rules'> = { repositories: [], rules: [] };

const ruleText = (name: string) => name || '1 approval from any member';

type ChoiceProps = {
  label: string;
  all: string;
  /** Null for all of them. */
  chosen: string | null;
  choices: { value: string; text: string }[];
  onChoose: (value: string | null) => void;
};

/** A choice among names that people chose: an option's number names it, because any text may be a name. */
function Choice({ label, all, chosen, choices, onChoose }: ChoiceProps) {
  const isListed = chosen === null || choices.some(({ value }) => value === chosen);
  const listed = isListed ? choices : [{ value: chosen, text: ruleText(chosen) }, ...choices];
  return (
    <SelectField
      label={label}
      value={String(listed.findIndex(({ value }) => value === chosen))}
      options={[['-1', all], ...listed.map(({ text }, index) => [String(index), text] as const)]}
      onChoose={(index) => onChoose(listed[Number(index)]?.value ?? null)}
    />
  );
}
