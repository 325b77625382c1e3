import { type ReactNode, useId } from 'react';
import { SearchField, SelectField } from '../../../components/field.tsx';
import styles from '../../../components/list.module.css';
import { LONGEST_SEARCH } from '../../../lib/react/use-filters.ts';
import { useTyped } from '../../../lib/react/use-typed.ts';

/** The search and the filters above a list. */
export const ListControls = ({ children }: { children: ReactNode }) => (
  <search className={`on-screen ${styles.controls}`}>{children}</search>
);

type SearchFilterProps = {
  label: string;
  placeholder?: string;
  /** The text that applies now. */
  value: string;
  onApply: (text: string) => void;
  /** Names that the browser suggests. */
  suggestions?: string[];
};

/** A text that narrows a list. It applies when typing pauses. */
export function SearchFilter({ value, onApply, suggestions, ...field }: SearchFilterProps) {
  const id = useId();
  const input = useTyped(value, onApply);
  return (
    <div>
      <SearchField
        {...field}
        {...input}
        maxLength={LONGEST_SEARCH}
        autoCapitalize="none"
        list={suggestions && id}
      />
      {suggestions && (
        <datalist id={id}>
          {suggestions.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      )}
    </div>
  );
}

type StateFilterProps<State extends string> = {
  filters: { search: string; state: State };
  apply: (part: { search?: string; state?: State }) => void;
  /** The search field's label. */
  label: string;
  /** The choices by state. */
  choices: [State, string][];
};

/** A search, and a choice of which rows to show. */
export const StateControls = <State extends string>(props: StateFilterProps<State>) => (
  <ListControls>
    <SearchFilter
      label={props.label}
      value={props.filters.search}
      onApply={(search) => props.apply({ search })}
    />
    <SelectField
      label="Show"
      value={props.filters.state}
      options={props.choices}
      onChoose={(state) => props.apply({ state })}
    />
  </ListControls>
);
