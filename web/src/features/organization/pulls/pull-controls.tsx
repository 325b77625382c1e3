import type { PullAge } from '../../../../../src/contract/organization.ts';
import type { RollOutAnswer } from '../../../../../src/contract/roll-out.ts';
import { SearchField, SelectField } from '../../../components/field.tsx';
import listStyles from '../../../components/list.module.css';
import { loadFailure } from '../../../components/load-failure.tsx';
import { useAnswer } from '../../../lib/use-client.ts';
import { useTyped } from '../../../lib/use-typed.ts';

type PullFilters = {
  search: string;
  /** Empty for all of them. */
  repository: string;
  /** The name of a rule, empty for the one approval of a member; null for any. */
  rule: string | null;
  age: PullAge;
};

const AGES: Record<PullAge, string> = {
  any: 'Any time',
  day: 'A day or longer',
  week: 'A week or longer',
  month: '30 days or longer',
};
const LONGEST = 100;
const isAge = (text: string | null): text is PullAge => text !== null && Object.hasOwn(AGES, text);

/** The filters in the address, for `useFilters`. */
export const FILTERS = {
  read(query: string): PullFilters {
    const params = new URLSearchParams(query);
    const read = (name: string) => params.get(name)?.trim().slice(0, LONGEST);
    const age = params.get('age');
    return {
      search: read('search') ?? '',
      repository: read('repository') ?? '',
      rule: read('rule') ?? null,
      age: isAge(age) ? age : 'any',
    };
  },
  write: ({ search, repository, rule, age }: PullFilters) => ({
    search: search || null,
    repository: repository || null,
    rule,
    age: age === 'any' ? null : age,
  }),
};

type Props = {
  orgID: number;
  filters: PullFilters;
  apply: (filters: PullFilters, isReplaced: boolean) => void;
  /** Whether the list says already that it failed. */
  isFailed: boolean;
};

/** The search and the filters of the waiting pull requests. What they can be filtered by loads later. */
export function PullControls({ orgID, filters, apply, isFailed }: Props) {
  const { loaded, reload } = useAnswer<RollOutAnswer>('/organization-roll-out', { orgID });
  const { repositories, rules } = loaded.status === 'ok' ? loaded.value : NOTHING;
  const { input } = useTyped(filters.search, (search) => apply({ ...filters, search }, true));
  return (
    <>
      <search className={listStyles.controls}>
        <SearchField label="Search titles, repositories, authors" {...input} maxLength={LONGEST} />
        <Choice
          label="Repository"
          all="All repositories"
          chosen={filters.repository || null}
          choices={repositories.map(({ name, waiting }) => ({ value: name, text: `${name} (${waiting})` }))}
          onChoose={(repository) => apply({ ...filters, repository: repository ?? '' }, true)}
        />
        <Choice
          label="Missing"
          all="Any rule"
          chosen={filters.rule}
          choices={rules.map(({ name, waiting }) => ({
            value: name,
            text: `${ruleText(name)} (${waiting})`,
          }))}
          onChoose={(rule) => apply({ ...filters, rule }, true)}
        />
        <SelectField
          label="Waiting for"
          value={filters.age}
          options={Object.entries(AGES)}
          onChoose={(age) => apply({ ...filters, age }, true)}
        />
      </search>
      {!isFailed && loadFailure(loaded, reload, "We couldn't load the repositories and rules to filter by.")}
    </>
  );
}

const NOTHING: Pick<RollOutAnswer, 'repositories' | 'rules'> = { repositories: [], rules: [] };

const ruleText = (name: string) => name || '1 approval from a member';

type ChoiceProps = {
  label: string;
  all: string;
  /** Null for all of them. */
  chosen: string | null;
  choices: { value: string; text: string }[];
  onChoose: (value: string | null) => void;
};

/** A choice among names that people chose: an option's place names it, because any text may be a name. */
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
