import type { FormEvent } from 'react';
import { authenticatorKinds } from '../../../../../src/contract/authenticator-kinds.ts';
import { Field } from '../../../components/field.tsx';
import { SelectField } from '../../../components/select-field.tsx';
import { useTyped } from '../list/use-typed.ts';
import { LONGEST_NAME } from '../log/filters.ts';
import styles from './authenticators.module.css';
import type { AuthenticatorFilters } from './filters.ts';

type Props = {
  filters: AuthenticatorFilters;
  /** `isTyping` as for `useTyped`. */
  onChange: (filters: AuthenticatorFilters, isTyping: boolean) => void;
};

/** Searches the list while a person types, and limits it to one kind. */
export function FilterForm({ filters, onChange }: Props) {
  const search = useTyped(filters.search, (value, isTyping) =>
    onChange({ ...filters, search: value }, isTyping),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search.settle();
  };
  return (
    <form className={styles.filter} onSubmit={submit} aria-label="Filters of the authenticators">
      <Field
        label="Person or label"
        placeholder="All"
        maxLength={LONGEST_NAME}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...search.input}
      />
      <SelectField
        label="Kind"
        value={filters.type}
        onChange={({ target }) =>
          onChange({ ...filters, type: target.value as AuthenticatorFilters['type'] }, false)
        }
      >
        <option value="">All kinds</option>
        {Object.entries(authenticatorKinds).map(([type, { title }]) => (
          <option key={type} value={type}>
            {title}
          </option>
        ))}
      </SelectField>
    </form>
  );
}
