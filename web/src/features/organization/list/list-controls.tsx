import { SearchField, SelectField } from '../../../components/field.tsx';
import styles from '../../../components/list.module.css';
import type { useListQuery } from './use-list-query.ts';

type Props<State extends string> = {
  query: ReturnType<typeof useListQuery<State>>;
  /** The search field's label. */
  label: string;
  /** The filter's choices by state; without them, there is no filter. */
  choices?: { state: State; text: string }[];
};

/** The search field and the filter above a list. */
export const ListControls = <State extends string>({ query, label, choices }: Props<State>) => (
  <search className={styles.controls}>
    <SearchField label={label} {...query.input} maxLength={100} />
    {choices && (
      <SelectField
        label="Show"
        value={query.state}
        options={choices.map(({ state, text }) => [state, text])}
        onChoose={query.choose}
      />
    )}
  </search>
);
